/*
 * settings_text - names and values, and the text format that stores them.
 *
 *	# as at work
 *	theme = light
 *	sort.overview.processes = calls down	# the busiest first
 *
 * One NAME = VALUE per line (assignment.h). A # between blanks begins a remark. Names are not
 * checked here, so that settings of a later version are preserved. UI thread only.
 */
#ifndef CONFIG_SETTINGS_TEXT_H
#define CONFIG_SETTINGS_TEXT_H

#include "engine/base/err.h"
#include "engine/base/str.h"

#include <stdbool.h>

#define SETTINGS_MAX 500
#define SETTINGS_BYTES (128u << 10)
#define SETTING_NAME_BYTES 64
#define SETTING_VALUE_BYTES 1024

struct settings_item {
	char *name;
	char *value; /* NULL: the default */
	unsigned line; /* line number, from 1; 0: not from a text */
};

struct settings_list {
	struct settings_item *items; /* in text order */
	size_t count, capacity;
};

/* clang-format off */
#define SETTINGS_LIST_INIT { .items = NULL }
/* clang-format on */

void settings_list_release(struct settings_list *list);

/*
 * Add the settings of a text. -EINVAL with FILE:LINE: and the first error; valid lines are added
 * nevertheless.
 */
int settings_list_parse(struct settings_list *list, const char *file, const char *text, size_t len,
			struct err *err);
/* Return the item of a name; NULL: not listed. */
const struct settings_item *settings_list_find(const struct settings_list *list, const char *name);
/* Add or replace an item. Copies both strings. */
void settings_list_put(struct settings_list *list, const char *name, const char *value);

/* True if the value is the same after it is written and read back. */
bool settings_value_is_text(const char *value);

/*
 * Append the text with the changes applied. A changed line is replaced in place and keeps its
 * remark. A change to NULL removes the line; a new name is added at the end. Every other byte
 * stays. The text must be valid for settings_list_parse().
 */
void settings_text_edit(const char *text, size_t len, const struct settings_list *changes,
			struct str *out);

#endif
