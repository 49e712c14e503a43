#include "tui/dialogs/filter_menus.h"

#include "engine/base/utf8.h"
#include "tui/config/config_file.h"
#include "tui/session/key_name.h"

#include <string.h>

/* Maximum width of the column of filter names, which precedes their expressions. */
#define NAME_COLS_MAX 24

void menus_open_terms(struct menus *menus, const struct session *session,
		      const struct bindings *bindings, size_t index)
{
	const struct filter_terms *terms = filter_stack_terms(&session->filter_stack);
	struct str footer = STR_INIT;

	menus_close(menus);
	menus->kind = MENU_TERMS;
	menu_open(&menus->menu, "Filter terms: all that are on must match", false);
	for (size_t i = 0; i < terms->count; i++)
		menu_add(&menus->menu, (int)i, terms->items[i].text,
			 terms->items[i].off ? "off" : "", !terms->items[i].off);
	menu_add(&menus->menu, (int)terms->count, "add a term…", "", false);
	menu_select(&menus->menu, (int)(index < terms->count ? index : terms->count));
	menus_add_key(bindings, CONTEXT_TERMS, ACTION_SWITCH_TERM, "switches", &footer);
	menus_add_key(bindings, CONTEXT_TERMS, ACTION_EDIT_TERM, "edits", &footer);
	menus_add_key(bindings, CONTEXT_TERMS, ACTION_REMOVE_TERM, "removes", &footer);
	menus_add_key(bindings, CONTEXT_TERMS, ACTION_SAVE_FILTER, "saves all", &footer);
	menus_add_key(bindings, CONTEXT_TERMS, ACTION_SAVED_FILTERS, "lists saved", &footer);
	menu_set_footer(&menus->menu, footer.data);
	str_release(&footer);
}

bool menus_read_saved(struct menus *menus, struct session *session)
{
	struct str path = STR_INIT;
	struct err err;
	int rc = config_file_path(SAVED_FILTERS_FILE, &path, &err);

	if (!rc)
		rc = saved_filters_read(&menus->saved, path.data, &err);
	if (rc)
		session_say(session, ROLE_ERROR, "%s", err.text);
	str_release(&path);
	return !rc;
}

static int name_cols(const struct saved_filters *saved)
{
	int cols = 0;

	for (size_t i = 0; i < saved->count; i++) {
		int wide = utf8_text_width(saved->items[i].name, strlen(saved->items[i].name));

		cols = wide > cols ? wide : cols;
	}
	return cols < NAME_COLS_MAX ? cols : NAME_COLS_MAX;
}

static void add_saved(struct menus *menus, const struct session *session, size_t index, int cols)
{
	const struct saved_filter *filter = &menus->saved.items[index];
	int pad = cols - utf8_text_width(filter->name, strlen(filter->name));
	struct str text = STR_INIT;

	str_add(&text, filter->name);
	str_repeat(&text, ' ', (size_t)(pad > 0 ? pad : 0) + 2);
	str_add(&text, filter->text);
	menu_add(&menus->menu, (int)index, text.data, "",
		 !strcmp(filter->text, filter_stack_text(&session->filter_stack)));
	str_release(&text);
}

void menus_open_saved(struct menus *menus, struct session *session, const struct bindings *bindings)
{
	struct str footer = STR_INIT;
	bool whole = menus_read_saved(menus, session);
	char key[KEY_NAME_TEXT_BYTES];
	int cols;

	if (!menus->saved.count) {
		if (whole)
			session_say(session, ROLE_WARN,
				    "No saved filters yet; %s saves the current one",
				    key_name(key, session, ACTION_SAVE_FILTER));
		return;
	}
	menus_close(menus);
	menus->kind = MENU_SAVED;
	menu_open(&menus->menu, "Saved filters", true);
	cols = name_cols(&menus->saved);
	for (size_t i = 0; i < menus->saved.count; i++)
		add_saved(menus, session, i, cols);
	menus_add_key(bindings, CONTEXT_TERMS, ACTION_EDIT_TERM, "applies", &footer);
	menus_add_key(bindings, CONTEXT_TERMS, ACTION_REMOVE_TERM, "removes", &footer);
	menu_set_footer(&menus->menu, footer.data);
	str_release(&footer);
}

void menus_open_row(struct menus *menus, bool excludes)
{
	menus_close(menus);
	menus->kind = MENU_ROW;
	menus->excludes = excludes;
	menu_open(&menus->menu,
		  excludes ? "Exclude rows like this one, by…"
			   : "Keep only rows like this one, by…",
		  false);
	for (size_t i = 0; i < menus->row.count; i++)
		menu_add(&menus->menu, (int)i,
			 excludes ? menus->row.items[i].exclude : menus->row.items[i].only, "",
			 false);
}

void menus_open_forget(struct menus *menus, size_t chosen)
{
	struct str title = STR_INIT;

	menus->chosen = chosen;
	str_addf(&title, "Remove the saved filter \"%s\"?", menus->saved.items[chosen].name);
	menus_open_question(menus, MENU_FORGET, title.data, "No", "Yes, remove it from the file");
	str_release(&title);
}
