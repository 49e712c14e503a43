#include "tui/config/settings_text.h"

#include "engine/base/assignment.h"
#include "engine/base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void settings_list_release(struct settings_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].name);
		free(list->items[i].value);
	}
	free(list->items);
	*list = (struct settings_list)SETTINGS_LIST_INIT;
}

static struct settings_item *find(const struct settings_list *list, const char *name, size_t len)
{
	for (size_t i = 0; i < list->count; i++)
		if (strlen(list->items[i].name) == len && !memcmp(list->items[i].name, name, len))
			return &list->items[i];
	return NULL;
}

const struct settings_item *settings_list_find(const struct settings_list *list, const char *name)
{
	return find(list, name, strlen(name));
}

static char *copy(const char *text, size_t len)
{
	char *out = mem_alloc(len + 1);

	memcpy(out, text, len);
	out[len] = '\0';
	return out;
}

static struct settings_item *add(struct settings_list *list, const char *name, size_t len)
{
	struct settings_item *item;

	list->items = mem_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	item = &list->items[list->count++];
	*item = (struct settings_item){ .name = copy(name, len) };
	return item;
}

void settings_list_put(struct settings_list *list, const char *name, const char *value)
{
	struct settings_item *item = find(list, name, strlen(name));
	char *own = value ? mem_strdup(value) : NULL; /* copied first: `value` can be item->value */

	if (!item)
		item = add(list, name, strlen(name));
	free(item->value);
	item->value = own;
}

/* ---- parse a line ---- */

static const char *wrong_name(const char *name, size_t len)
{
	if (!len)
		return "missing name";
	if (len > SETTING_NAME_BYTES)
		return "the name is longer than 64 bytes";
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("-_.", name[i]))
			return "a name has letters, digits and -_. only";
	return NULL;
}

/* Return NULL or an error. out->name NULL: the line has no setting. */
static const char *parse_line(const char *line, size_t len, struct assignment *out)
{
	const char *wrong = assignment_parse(line, len, out);

	if (wrong || !out->name)
		return wrong;
	assignment_cut_remark(out);
	if (!out->value_len)
		return "missing value after =";
	if (out->value_len > SETTING_VALUE_BYTES)
		return "the value is longer than 1024 bytes";
	return wrong_name(out->name, out->name_len);
}

bool settings_value_is_text(const char *value)
{
	struct assignment parts;
	struct str line = STR_INIT;
	bool same;

	str_addf(&line, "x = %s", value);
	same = !strchr(value, '\n') && !parse_line(line.data, line.len, &parts) &&
	       parts.value_len == strlen(value) && !memcmp(parts.value, value, parts.value_len);
	str_release(&line);
	return same;
}

static const char *take_line(struct settings_list *list, const char *line, size_t len,
			     unsigned number)
{
	struct assignment parts;
	const char *wrong = parse_line(line, len, &parts);
	struct settings_item *item;

	if (wrong || !parts.name)
		return wrong;
	if (find(list, parts.name, parts.name_len))
		return "duplicate name";
	if (list->count == SETTINGS_MAX)
		return "more than 500 settings";
	item = add(list, parts.name, parts.name_len);
	item->value = copy(parts.value, parts.value_len);
	item->line = number;
	return NULL;
}

int settings_list_parse(struct settings_list *list, const char *file, const char *text, size_t len,
			struct err *err)
{
	unsigned number = 0;
	const char *line;
	size_t line_len;
	int rc = 0;

	for (size_t at = 0; assignment_next_line(text, len, &at, &line, &line_len);) {
		const char *wrong = take_line(list, line, line_len, ++number);

		if (wrong && !rc)
			rc = err_set(err, -EINVAL, "%s:%u: %s", file, number, wrong);
	}
	return rc;
}

/* ---- edit ---- */

static void edit_line(const char *line, size_t len, const struct settings_list *changes,
		      struct str *out)
{
	struct assignment parts;
	const char *wrong = parse_line(line, len, &parts);
	const struct settings_item *change;

	change = !wrong && parts.name ? find(changes, parts.name, parts.name_len) : NULL;
	if (!change) {
		str_addn(out, line, len);
	} else if (!change->value) {
		return;
	} else {
		const char *behind = parts.value + parts.value_len;

		str_addn(out, line, (size_t)(parts.value - line));
		str_add(out, change->value);
		str_addn(out, behind, (size_t)(line + len - behind));
	}
	str_addc(out, '\n');
}

void settings_text_edit(const char *text, size_t len, const struct settings_list *changes,
			struct str *out)
{
	struct settings_list there = SETTINGS_LIST_INIT;
	struct err ignored;
	const char *line;
	size_t line_len;

	settings_list_parse(&there, "", text, len, &ignored);
	for (size_t at = 0; assignment_next_line(text, len, &at, &line, &line_len);)
		edit_line(line, line_len, changes, out);
	for (size_t i = 0; i < changes->count; i++)
		if (changes->items[i].value && !settings_list_find(&there, changes->items[i].name))
			str_addf(out, "%s = %s\n", changes->items[i].name, changes->items[i].value);
	settings_list_release(&there);
}
