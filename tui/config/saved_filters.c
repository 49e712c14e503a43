#include "tui/config/saved_filters.h"

#include "engine/base/assignment.h"
#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "tui/config/config_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void saved_filters_init(struct saved_filters *saved)
{
	*saved = (struct saved_filters){ .items = NULL };
}

void saved_filters_release(struct saved_filters *saved)
{
	for (size_t i = 0; i < saved->count; i++) {
		free(saved->items[i].name);
		free(saved->items[i].text);
	}
	free(saved->items);
	saved_filters_init(saved);
}

/* ---- parse a line ---- */

static const char *wrong_name(const char *name, size_t len)
{
	if (!len)
		return "missing name";
	if (len > SAVED_FILTER_NAME_BYTES)
		return "the name is longer than 64 bytes";
	if (name[0] == ' ' || name[len - 1] == ' ')
		return "a name cannot begin or end with a blank";
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)name[i] < 0x80 && !isalnum((unsigned char)name[i]) &&
		    !strchr(" -_.", name[i]))
			return "a name has letters, digits, blanks and -_. only";
	return NULL;
}

int saved_filters_check_name(const char *name, struct err *err)
{
	const char *wrong = wrong_name(name, strlen(name));

	return wrong ? err_set(err, -EINVAL, "%s", wrong) : 0;
}

/* Return NULL or an error. parts->name NULL: the line has no filter. */
static const char *parse_line(const char *line, size_t len, struct assignment *parts)
{
	const char *wrong = assignment_parse(line, len, parts);

	if (wrong)
		return wrong;
	if (!parts->name)
		return NULL;
	if (!parts->value_len)
		return "missing expression after =";
	if (parts->value_len > SAVED_FILTER_BYTES)
		return "the expression is longer than 4096 bytes";
	return wrong_name(parts->name, parts->name_len);
}

/* ---- the file ---- */

static const struct saved_filter *find(const struct saved_filters *saved, const char *name,
				       size_t len)
{
	for (size_t i = 0; i < saved->count; i++)
		if (strlen(saved->items[i].name) == len && !memcmp(saved->items[i].name, name, len))
			return &saved->items[i];
	return NULL;
}

static char *copy(const char *text, size_t len)
{
	char *out = mem_alloc(len + 1);

	memcpy(out, text, len);
	out[len] = '\0';
	return out;
}

static const char *take_line(struct saved_filters *saved, const char *line, size_t len,
			     unsigned number)
{
	struct assignment parts;
	const char *wrong = parse_line(line, len, &parts);

	if (wrong || !parts.name)
		return wrong;
	if (find(saved, parts.name, parts.name_len))
		return "duplicate name";
	if (saved->count == SAVED_FILTERS_MAX)
		return "more than 1000 filters";
	saved->items = mem_grow(saved->items, &saved->capacity, saved->count + 1,
				sizeof(*saved->items));
	saved->items[saved->count++] = (struct saved_filter){
		.name = copy(parts.name, parts.name_len),
		.text = copy(parts.value, parts.value_len),
		.line = number,
	};
	return NULL;
}

static int parse(struct saved_filters *saved, const char *path, const struct str *text,
		 struct err *err)
{
	unsigned number = 0;
	const char *line;
	size_t len;
	int rc = 0;

	for (size_t at = 0; assignment_next_line(text->data, text->len, &at, &line, &len);) {
		const char *wrong = take_line(saved, line, len, ++number);
		char shown[128];

		if (wrong && !rc)
			rc = err_set(err, -EINVAL, "%s:%u: %s",
				     escape_name(shown, sizeof(shown), path), number, wrong);
	}
	return rc;
}

static int read_both(struct saved_filters *saved, const char *path, struct str *text,
		     struct err *err)
{
	int rc;

	saved_filters_release(saved);
	rc = config_file_read(path, SAVED_FILTERS_BYTES, text, err);
	return rc ? rc : parse(saved, path, text, err);
}

int saved_filters_read(struct saved_filters *saved, const char *path, struct err *err)
{
	struct str text = STR_INIT;
	int rc = read_both(saved, path, &text, err);

	str_release(&text);
	return rc;
}

/* Write the text with the line of `old` replaced by `line` ("": removed). old NULL: add `line`. */
static int write_with(const char *path, const struct str *text, const struct saved_filter *old,
		      const char *line, struct err *err)
{
	struct str next = STR_INIT;
	unsigned number = 0;
	int rc;

	for (size_t at = 0; at < text->len;) {
		size_t len = (size_t)((char *)memchr(text->data + at, '\n', text->len - at) -
				      (text->data + at)) +
			     1;

		if (old && ++number == old->line)
			str_add(&next, line);
		else
			str_addn(&next, text->data + at, len);
		at += len;
	}
	if (!old)
		str_add(&next, line);
	rc = config_file_write(path, &next, err);
	str_release(&next);
	return rc;
}

int saved_filters_put(const char *path, const char *name, const char *text, struct err *err)
{
	struct saved_filters saved = { .items = NULL };
	struct str old = STR_INIT, line = STR_INIT;
	struct assignment parts;
	const char *wrong;
	int rc;

	str_addf(&line, "%s = %s", name, text);
	wrong = parse_line(line.data, line.len, &parts);
	str_addc(&line, '\n');
	if (wrong || !parts.name || strchr(name, '=') || strlen(name) != parts.name_len)
		rc = err_set(err, -EINVAL, "cannot save the filter: %s",
			     wrong ? wrong : "the name has a = or #");
	else
		rc = read_both(&saved, path, &old, err);
	if (!rc && saved.count == SAVED_FILTERS_MAX && !find(&saved, name, strlen(name)))
		rc = err_set(err, -EFBIG,
			     "cannot save the filter: there are %d already; remove one first",
			     SAVED_FILTERS_MAX);
	if (!rc)
		rc = write_with(path, &old, find(&saved, name, strlen(name)), line.data, err);
	saved_filters_release(&saved);
	str_release(&old);
	str_release(&line);
	return rc;
}

int saved_filters_remove(const char *path, const char *name, struct err *err)
{
	struct saved_filters saved = { .items = NULL };
	const struct saved_filter *found;
	struct str old = STR_INIT;
	int rc = read_both(&saved, path, &old, err);

	found = rc ? NULL : find(&saved, name, strlen(name));
	if (!rc && !found)
		rc = err_set(err, -ENOENT, "the filter no longer exists");
	if (!rc)
		rc = write_with(path, &old, found, "", err);
	saved_filters_release(&saved);
	str_release(&old);
	return rc;
}
