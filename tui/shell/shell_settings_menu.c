#include "tui/shell/shell_settings_menu.h"

#include "tui/config/theme_choice.h"
#include "tui/shell/shell_actions.h"
#include "widgets/canvas/theme_text.h"

#include <stdio.h>
#include <string.h>

/* Rows of the list that are no setting. */
enum { ROW_COLUMNS = SETTING_COUNT, ROW_ALL_KEYS };

static const char *const keymap_help[ACTION_KEYMAP_COUNT] = {
	"as htop, less and perf have them",
	"as vi has them",
	"as emacs has them",
};

static void refuse(struct desk *desk, const struct err *err)
{
	session_say(&desk->session, ROLE_ERROR, "%s", err->text);
}

/* ---- the list ---- */

static void open_list(struct desk *desk, int selected)
{
	struct menu *menu = &desk->menus.menu;
	struct str keys = STR_INIT;

	if (desk->menus.kind == MENU_SETUP)
		menu_refill(menu);
	else
		menu_open(menu, "Setup", true);
	menus_close(&desk->menus);
	desk->menus.kind = MENU_SETUP;
	bindings_list(desk->bindings, CONTEXT_GLOBAL, ACTION_COLUMNS, &keys);
	menu_add(menu, ROW_COLUMNS, "columns of this table", keys.data, false);
	for (int i = 0; i < SETTING_COUNT; i++)
		menu_add(menu, i, setting_help((enum setting)i),
			 settings_value(desk->settings.all, (enum setting)i), false);
	menu_set_footer(menu, desk->settings.all->broken
				      ? "not saved: the file has a mistake in it"
				      : "Left and Right change it; saved when you leave");
	menu_select(menu, selected);
	str_release(&keys);
}

/* The theme or keymap that is named there may be any file of the user's. */
static void mark_current(struct desk *desk, enum setting setting)
{
	const char *value = settings_value(desk->settings.all, setting);
	const struct settings_list *names = &desk->settings.names;

	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->items[i].name, value))
			menu_select(&desk->menus.menu, (int)i);
}

static void add_name(void *ctx, const char *name, const char *help)
{
	if (settings_value_is_text(name))
		settings_list_put(ctx, name, help);
}

static void open_names(struct desk *desk, enum menu_kind kind, const char *title,
		       enum setting setting)
{
	const struct settings_list *names = &desk->settings.names;
	const char *value = settings_value(desk->settings.all, setting);
	struct menu *menu = &desk->menus.menu;

	menus_close(&desk->menus);
	desk->menus.kind = kind;
	menu_open(menu, title, false);
	for (size_t i = 0; i < names->count; i++) {
		struct str text = STR_INIT;

		str_addf(&text, "%-14s %s", names->items[i].name, names->items[i].value);
		menu_add(menu, (int)i, text.data, "", !strcmp(names->items[i].name, value));
		str_release(&text);
	}
	if (kind == MENU_KEYMAPS)
		menu_add(menu, ROW_ALL_KEYS, "all keys of the one in force", "", false);
	mark_current(desk, setting);
}

static void open_themes(struct desk *desk)
{
	struct str note = STR_INIT;

	settings_list_release(&desk->settings.names);
	theme_choice_list(add_name, &desk->settings.names);
	open_names(desk, MENU_THEMES, "Colours", SETTING_THEME);
	menus_add_key(desk->bindings, CONTEXT_MENU, ACTION_ACCEPT, "takes it", &note);
	menus_add_key(desk->bindings, CONTEXT_GLOBAL, ACTION_COPY_ROW, "copies all of it as text",
		      &note);
	menu_set_footer(&desk->menus.menu, note.data);
	str_release(&note);
}

/* To be changed in a file; it is in force, as the cursor is on it. */
static void copy_theme(struct desk *desk)
{
	str_clear(&desk->copy);
	theme_format(desk->theme ? desk->theme : theme_default(), &desk->copy);
	desk->wish = WISH_COPY;
}

static void open_keymaps(struct desk *desk)
{
	settings_list_release(&desk->settings.names);
	for (size_t i = 0; i < ACTION_KEYMAP_COUNT; i++)
		add_name(&desk->settings.names, action_keymaps[i].name, keymap_help[i]);
	open_names(desk, MENU_KEYMAPS, "Keys", SETTING_KEYMAP);
}

static void open_columns(struct desk *desk)
{
	menus_close(&desk->menus);
	desk_act(desk, ACTION_COLUMNS);
}

/* ---- changing ---- */

/* The next one that is offered; where it is none of them, the first. */
static void change(struct desk *desk, enum setting setting, int step)
{
	const char *value = settings_value(desk->settings.all, setting);
	int count = 0, at = -1;
	struct err err;

	if (setting == SETTING_THEME) {
		open_themes(desk);
		return;
	}
	if (setting == SETTING_KEYMAP) {
		open_keymaps(desk);
		return;
	}
	for (; setting_offer(setting, count); count++)
		if (!strcmp(setting_offer(setting, count), value))
			at = count;
	at = at < 0 ? 0 : (at + step + count) % count;
	if (desk_settings_choose(desk, setting, setting_offer(setting, at), &err))
		refuse(desk, &err);
	open_list(desk, (int)setting);
}

static void choose_name(struct desk *desk, int id)
{
	bool is_theme = desk->menus.kind == MENU_THEMES;
	enum setting setting = is_theme ? SETTING_THEME : SETTING_KEYMAP;
	struct err err;

	if (id == ROW_ALL_KEYS) {
		menus_close(&desk->menus);
		desk_act(desk, ACTION_HELP);
		return;
	}
	if (desk_settings_choose(desk, setting, desk->settings.names.items[id].name, &err))
		refuse(desk, &err);
	open_list(desk, (int)setting);
}

bool desk_setup_choose(struct desk *desk, int id)
{
	switch (desk->menus.kind) {
	case MENU_SETUP:
		if (id == ROW_COLUMNS)
			open_columns(desk);
		else
			change(desk, (enum setting)id, 1);
		return true;
	case MENU_THEMES:
	case MENU_KEYMAPS:
		choose_name(desk, id);
		return true;
	default:
		return false;
	}
}

bool desk_setup_menu_act(struct desk *desk, enum action action)
{
	int id = menu_selected(&desk->menus.menu);
	bool in_list = desk->menus.kind == MENU_SETUP;

	if (!in_list && desk->menus.kind != MENU_THEMES && desk->menus.kind != MENU_KEYMAPS)
		return false;
	switch (action) {
	case ACTION_LEFT:
	case ACTION_RIGHT:
		if (in_list && id >= 0 && id < SETTING_COUNT)
			change(desk, (enum setting)id, action == ACTION_LEFT ? -1 : 1);
		return true;
	case ACTION_SWITCH_TERM:
	case ACTION_EDIT_TERM:
		return id >= 0 && desk_setup_choose(desk, id);
	case ACTION_COPY_ROW:
		if (desk->menus.kind == MENU_THEMES)
			copy_theme(desk);
		return true;
	default:
		return false;
	}
}

bool desk_setup_act(struct desk *desk, enum action action)
{
	if (action != ACTION_SETUP)
		return false;
	if (desk->settings.all)
		open_list(desk, ROW_COLUMNS);
	return true;
}

/* ---- what is seen meanwhile ---- */

void desk_setup_look(struct desk *desk)
{
	const struct settings_list *names = &desk->settings.names;
	char *preview = desk->settings.preview;
	const char *wanted = "";
	int id;

	if (desk->menus.kind == MENU_THEMES) {
		id = menu_selected(&desk->menus.menu);
		if (id >= 0 && (size_t)id < names->count)
			wanted = names->items[id].name;
	}
	if (!strcmp(preview, wanted))
		return;
	snprintf(preview, sizeof(desk->settings.preview), "%s", wanted);
	if (desk->wish == WISH_NONE)
		desk->wish = WISH_LOOK;
}

const char *desk_setup_theme(const struct desk *desk)
{
	return *desk->settings.preview ? desk->settings.preview
				       : settings_value(desk->settings.all, SETTING_THEME);
}
