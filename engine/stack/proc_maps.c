#include "engine/stack/proc_maps.h"

#include "engine/stack/space_maps.h"

#include <limits.h>
#include <string.h>
#include <sys/mman.h>

struct cursor {
	const char *at, *end;
};

static bool read_number(struct cursor *c, unsigned int base, uint64_t *value)
{
	const char *start = c->at;
	uint64_t sum = 0;

	for (; c->at < c->end; c->at++) {
		unsigned int digit;

		if (*c->at >= '0' && *c->at <= '9')
			digit = (unsigned int)(*c->at - '0');
		else if (*c->at >= 'a' && *c->at <= 'f')
			digit = (unsigned int)(*c->at - 'a') + 10;
		else
			break;
		if (digit >= base)
			break;
		if (sum > (UINT64_MAX - digit) / base)
			return false;
		sum = sum * base + digit;
	}
	*value = sum;
	return c->at > start;
}

static bool read_char(struct cursor *c, char expected)
{
	if (c->at >= c->end || *c->at != expected)
		return false;
	c->at++;
	return true;
}

static bool read_prot(struct cursor *c, uint32_t *prot)
{
	if (c->end - c->at < 4)
		return false;
	*prot = (c->at[0] == 'r' ? PROT_READ : 0) | (c->at[1] == 'w' ? PROT_WRITE : 0) |
		(c->at[2] == 'x' ? PROT_EXEC : 0);
	c->at += 4;
	return true;
}

/* The kernel writes a newline in a path as \012 and leaves all other bytes unchanged. */
static size_t copy_path(const char *from, size_t len, char *to)
{
	size_t out = 0;

	for (size_t i = 0; i < len; i++) {
		if (len - i >= 4 && !memcmp(from + i, "\\012", 4)) {
			to[out++] = '\n';
			i += 3;
		} else {
			to[out++] = from[i];
		}
	}
	return out;
}

static bool parse_line(struct cursor c, struct mapping *mapping, char *path, size_t *path_len)
{
	uint64_t major, minor;

	if (!read_number(&c, 16, &mapping->start) || !read_char(&c, '-') ||
	    !read_number(&c, 16, &mapping->end) || !read_char(&c, ' ') ||
	    !read_prot(&c, &mapping->prot) || !read_char(&c, ' ') ||
	    !read_number(&c, 16, &mapping->file_offset) || !read_char(&c, ' ') ||
	    !read_number(&c, 16, &major) || !read_char(&c, ':') || !read_number(&c, 16, &minor) ||
	    !read_char(&c, ' ') || !read_number(&c, 10, &mapping->inode))
		return false;
	if (mapping->start >= mapping->end || major > UINT32_MAX || minor > UINT32_MAX)
		return false;
	mapping->dev_major = (uint32_t)major;
	mapping->dev_minor = (uint32_t)minor;
	while (read_char(&c, ' '))
		;
	/* Truncate: a path over PATH_MAX cannot be opened, only shown. */
	if (c.end - c.at > PATH_MAX)
		c.end = c.at + PATH_MAX;
	*path_len = copy_path(c.at, (size_t)(c.end - c.at), path);
	return true;
}

size_t proc_maps_parse(const char *text, size_t len, proc_maps_fn *found, void *arg)
{
	const char *end = text + len;
	char path[PATH_MAX];
	size_t count = 0;

	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		struct mapping mapping = { .path = NULL };
		size_t path_len;

		if (!line_end)
			break; /* truncated line: its path may be incomplete */
		if (parse_line((struct cursor){ text, line_end }, &mapping, path, &path_len)) {
			found(arg, &mapping, path, path_len);
			count++;
		}
		text = line_end + 1;
	}
	return count;
}
