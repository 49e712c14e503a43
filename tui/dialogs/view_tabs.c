#include "tui/dialogs/view_tabs.h"

#include "engine/base/utf8.h"

#include <stdio.h>
#include <string.h>

/* Columns for F1 to F10 and their labels, which have priority over the tabs. */
#define KEYS_COLS 80

void view_tabs_init(struct view_tabs *tabs, const struct bindings *bindings,
		    const struct view *views, int count)
{
	memset(tabs, 0, sizeof(*tabs));
	for (int i = 0; i < count && i < VIEW_TABS_MAX; i++) {
		struct keystrokes keys;

		/* Store only digit keys: views without one are rarely used. */
		if (bindings_first(bindings, CONTEXT_GLOBAL, views[i].def->action, &keys) &&
		    keys.count == 1 && keys.keys[0].code >= '0' && keys.keys[0].code <= '9' &&
		    !keys.keys[0].mods)
			key_format_short(tabs->keys[i], keys.keys[0]);
	}
}

/* The trailing blank belongs to the tab: a single digit is hard to click. */
static void name_tab(const struct view_tabs *tabs, int number, const struct view *view, bool shown,
		     char text[64])
{
	const char *key = tabs->keys[number];

	if (shown)
		snprintf(text, 64, "%s%s%s ", key, *key ? " " : "", view->def->title);
	else
		snprintf(text, 64, "%s%s", key, *key ? " " : "");
}

int view_tabs_draw(struct view_tabs *tabs, struct canvas *canvas, int row, const struct view *views,
		   int count, const struct view *shown)
{
	char text[64];
	int first = canvas->cols;

	for (int i = 0; i < count; i++) {
		name_tab(tabs, i, &views[i], &views[i] == shown, text);
		first -= utf8_text_width(text, strlen(text));
	}
	crumbs_start(&tabs->crumbs, first, 0);
	if (first < KEYS_COLS)
		return canvas->cols;
	for (int i = 0; i < count; i++) {
		bool is_shown = &views[i] == shown;

		name_tab(tabs, i, &views[i], is_shown, text);
		if (*text)
			crumbs_add(&tabs->crumbs, canvas, row, i, is_shown ? ROLE_STRONG : ROLE_KEY,
				   text);
	}
	return first;
}

int view_tabs_at(const struct view_tabs *tabs, int col)
{
	return crumbs_at(&tabs->crumbs, col);
}
