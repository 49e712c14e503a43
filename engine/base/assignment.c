#include "engine/base/assignment.h"

#include "engine/base/utf8.h"

#include <string.h>

bool assignment_next_line(const char *text, size_t len, size_t *at, const char **line,
			  size_t *line_len)
{
	const char *end;

	if (*at >= len)
		return false;
	*line = text + *at;
	end = memchr(*line, '\n', len - *at);
	*line_len = end ? (size_t)(end - *line) : len - *at;
	*at += *line_len + 1;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void trim(const char **text, size_t *len)
{
	while (*len && is_blank(**text)) {
		++*text;
		--*len;
	}
	while (*len && is_blank((*text)[*len - 1]))
		--*len;
}

/* True if the line is valid UTF-8 without control characters other than tabs. */
static bool is_text(const char *line, size_t len)
{
	for (size_t i = 0; i < len;) {
		uint32_t code;
		size_t n = utf8_decode(line + i, len - i, &code);

		if (!n || (code < ' ' && code != '\t') || (code >= 0x7f && code < 0xa0))
			return false;
		i += n;
	}
	return true;
}

const char *assignment_parse(const char *line, size_t len, struct assignment *out)
{
	const char *equals;

	memset(out, 0, sizeof(*out));
	trim(&line, &len);
	if (!len || *line == '#')
		return NULL;
	equals = memchr(line, '=', len);
	if (!equals)
		return "missing =";
	out->name_len = (size_t)(equals - line);
	out->value = equals + 1;
	out->value_len = len - out->name_len - 1;
	trim(&line, &out->name_len);
	trim(&out->value, &out->value_len);
	if (!is_text(line, out->name_len) || !is_text(out->value, out->value_len))
		return "bytes that are not text";
	out->name = line;
	return NULL;
}

void assignment_cut_remark(struct assignment *assignment)
{
	const char *value = assignment->value;
	size_t len = assignment->value_len;

	for (size_t i = 0; i < len; i++) {
		if (value[i] != '#' || (i && !is_blank(value[i - 1])) ||
		    (i + 1 < len && !is_blank(value[i + 1])))
			continue;
		assignment->value_len = i;
		trim(&assignment->value, &assignment->value_len);
		return;
	}
}
