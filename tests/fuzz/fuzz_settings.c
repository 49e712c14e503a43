/*
 * fuzz_settings - any text as settings. An error begins with FILE:LINE:. An edit of a valid text
 * changes only the edited settings.
 */
#include "tui/config/settings_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_edit(const struct settings_list *before, const char *text, size_t len)
{
	struct settings_list changes = SETTINGS_LIST_INIT, after = SETTINGS_LIST_INIT;
	const char *first = before->count ? before->items[0].name : "theme";
	struct str edited = STR_INIT, again = STR_INIT;
	struct err err;

	settings_list_put(&changes, first, "light");
	settings_list_put(&changes, before->count > 1 ? before->items[1].name : "",
			  NULL); /* NULL removes the line; "" names no line */
	settings_text_edit(text, len, &changes, &edited);
	if (settings_list_parse(&after, "file", edited.data, edited.len, &err))
		abort();
	if (strcmp(settings_list_find(&after, first)->value, "light"))
		abort();
	for (size_t i = 2; i < before->count; i++)
		if (strcmp(settings_list_find(&after, before->items[i].name)->value,
			   before->items[i].value))
			abort();
	if (before->count > 1 && settings_list_find(&after, before->items[1].name))
		abort();
	/* Repeating the edit changes nothing. */
	settings_text_edit(edited.data, edited.len, &changes, &again);
	if (strcmp(edited.data, again.data))
		abort();
	settings_list_release(&changes);
	settings_list_release(&after);
	str_release(&edited);
	str_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct settings_list list = SETTINGS_LIST_INIT;
	struct err err = { "" };

	if (settings_list_parse(&list, "file", (const char *)data, size, &err)) {
		if (strncmp(err.text, "file:", 5))
			abort();
	} else if (list.count < SETTINGS_MAX && !memchr(data, 0, size)) {
		check_edit(&list, (const char *)data, size);
	}
	for (size_t i = 0; i < list.count; i++)
		if (!settings_value_is_text(list.items[i].value))
			abort();
	settings_list_release(&list);
	return 0;
}
