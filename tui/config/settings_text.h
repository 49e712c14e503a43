/*
 * settings_text - names and values, and the text that people keep them in.
 *
 *	# as at work
 *	theme = light
 *	sort.overview.processes = calls down	# the busiest first
 *
 * A line each, NAME = VALUE (assignment.h); # begins a remark where a blank or the end
 * follows. What a name means is not looked at here, so those of a later version stay. UI
 * thread only.
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
	char *value; /* NULL: whatever it is without being said */
	unsigned line; /* from 1; 0: of no text */
};

struct settings_list {
	struct settings_item *items; /* in the order of the text */
	size_t count, capacity;
};

/* clang-format off */
#define SETTINGS_LIST_INIT { .items = NULL }
/* clang-format on */

void settings_list_release(struct settings_list *list);

/*
 * Adds what the text says. -EINVAL with FILE:LINE: and what is wrong with the first such line;
 * what the others say is there nevertheless.
 */
int settings_list_parse(struct settings_list *list, const char *file, const char *text, size_t len,
			struct err *err);
/* NULL: the list does not say. */
const struct settings_item *settings_list_find(const struct settings_list *list, const char *name);
/* Adds or replaces it. Both are copied. */
void settings_list_put(struct settings_list *list, const char *name, const char *value);

/* Whether it would be the same once it was written and read. */
bool settings_value_is_text(const char *value);

/*
 * Appends the text with other lines for what the changes name: changed in their place with
 * their remark, left out for NULL, added at the end. All else stays, byte for byte. The
 * text has to be one that settings_list_parse() takes.
 */
void settings_text_edit(const char *text, size_t len, const struct settings_list *changes,
			struct str *out);

#endif
