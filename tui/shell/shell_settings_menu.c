#include "tui/shell/shell_settings_menu.h"

#include "tui/config/theme_choice.h"
#include "tui/shell/shell_settings.h"
#include "widgets/canvas/theme_text.h"

#include <stdio.h>
#include <string.h>

/* Rows of the list that are not settings. */
enum { ROW_COLUMNS = SETTING_COUNT, ROW_ALL_KEYS };

static const char *const keymap_help[ACTION_KEYMAP_COUNT] = {
	"as in htop, less and perf",
	"as in vi",
	"as in emacs",
};

static void refuse(struct shell *shell, const struct err *err)
{
	session_say(&shell->session, ROLE_ERROR, "%s", err->text);
}

/* ---- the list ---- */

static void open_list(struct shell *shell, int selected)
{
	struct menu *menu = &shell->menus.menu;
	struct str keys = STR_INIT;

	if (shell->menus.kind == MENU_SETUP)
		menu_refill(menu);
	else
		menu_open(menu, "Setup", true);
	menus_close(&shell->menus);
	shell->menus.kind = MENU_SETUP;
	bindings_list(shell->bindings, CONTEXT_GLOBAL, ACTION_COLUMNS, &keys);
	menu_add(menu, ROW_COLUMNS, "columns of this table", keys.data, false);
	for (int i = 0; i < SETTING_COUNT; i++)
		menu_add(menu, i, setting_help((enum setting)i),
			 settings_value(shell->settings.all, (enum setting)i), false);
	menu_set_footer(menu, shell->settings.all->broken
				      ? "not saved: error in the settings file"
				      : "Left and Right change a value; saved on quit");
	menu_select(menu, selected);
	str_release(&keys);
}

/* Select the row of the current value. A value can be a file of the user that has no row. */
static void mark_current(struct shell *shell, enum setting setting)
{
	const char *value = settings_value(shell->settings.all, setting);
	const struct settings_list *names = &shell->settings.names;

	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->items[i].name, value))
			menu_select(&shell->menus.menu, (int)i);
}

static void add_name(void *ctx, const char *name, const char *help)
{
	if (settings_value_is_text(name))
		settings_list_put(ctx, name, help);
}

static void open_names(struct shell *shell, enum menu_kind kind, const char *title,
		       enum setting setting)
{
	const struct settings_list *names = &shell->settings.names;
	const char *value = settings_value(shell->settings.all, setting);
	struct menu *menu = &shell->menus.menu;

	menus_close(&shell->menus);
	shell->menus.kind = kind;
	menu_open(menu, title, false);
	for (size_t i = 0; i < names->count; i++) {
		struct str text = STR_INIT;

		str_addf(&text, "%-14s %s", names->items[i].name, names->items[i].value);
		menu_add(menu, (int)i, text.data, "", !strcmp(names->items[i].name, value));
		str_release(&text);
	}
	if (kind == MENU_KEYMAPS)
		menu_add(menu, ROW_ALL_KEYS, "all keys of this keymap", "", false);
	mark_current(shell, setting);
}

static void open_themes(struct shell *shell)
{
	struct str note = STR_INIT;

	settings_list_release(&shell->settings.names);
	theme_choice_list(add_name, &shell->settings.names);
	open_names(shell, MENU_THEMES, "Colours", SETTING_THEME);
	menus_add_key(shell->bindings, CONTEXT_MENU, ACTION_ACCEPT, "applies", &note);
	menus_add_key(shell->bindings, CONTEXT_GLOBAL, ACTION_COPY_ROW, "copies it as text", &note);
	menu_set_footer(&shell->menus.menu, note.data);
	str_release(&note);
}

/* Copy the theme under the cursor, which is in force, as text to edit in a file. */
static void copy_theme(struct shell *shell)
{
	str_clear(&shell->copy);
	theme_format(shell->theme ? shell->theme : theme_default(), &shell->copy);
	shell->request = REQUEST_COPY;
}

static void open_keymaps(struct shell *shell)
{
	settings_list_release(&shell->settings.names);
	for (size_t i = 0; i < ACTION_KEYMAP_COUNT; i++)
		add_name(&shell->settings.names, action_keymaps[i].name, keymap_help[i]);
	open_names(shell, MENU_KEYMAPS, "Keys", SETTING_KEYMAP);
}

static void open_columns(struct shell *shell)
{
	menus_close(&shell->menus);
	shell->ops->act(shell, ACTION_COLUMNS);
}

/* ---- changes ---- */

/*
 * Choose the next offered value, or the previous one; the first if the current value is not
 * offered.
 */
static void change(struct shell *shell, enum setting setting, int step)
{
	const char *value = settings_value(shell->settings.all, setting);
	int count = 0, at = -1;
	struct err err;

	if (setting == SETTING_THEME) {
		open_themes(shell);
		return;
	}
	if (setting == SETTING_KEYMAP) {
		open_keymaps(shell);
		return;
	}
	for (; setting_offer(setting, count); count++)
		if (!strcmp(setting_offer(setting, count), value))
			at = count;
	at = at < 0 ? 0 : (at + step + count) % count;
	if (shell_settings_choose(shell, setting, setting_offer(setting, at), &err))
		refuse(shell, &err);
	open_list(shell, (int)setting);
}

static void choose_name(struct shell *shell, int id)
{
	bool is_theme = shell->menus.kind == MENU_THEMES;
	enum setting setting = is_theme ? SETTING_THEME : SETTING_KEYMAP;
	struct err err;

	if (id == ROW_ALL_KEYS) {
		menus_close(&shell->menus);
		shell->ops->act(shell, ACTION_HELP);
		return;
	}
	if (shell_settings_choose(shell, setting, shell->settings.names.items[id].name, &err))
		refuse(shell, &err);
	open_list(shell, (int)setting);
}

bool shell_settings_menu_choose(struct shell *shell, int id)
{
	switch (shell->menus.kind) {
	case MENU_SETUP:
		if (id == ROW_COLUMNS)
			open_columns(shell);
		else
			change(shell, (enum setting)id, 1);
		return true;
	case MENU_THEMES:
	case MENU_KEYMAPS:
		choose_name(shell, id);
		return true;
	default:
		return false;
	}
}

bool shell_settings_menu_menu_act(struct shell *shell, enum action action)
{
	int id = menu_selected(&shell->menus.menu);
	bool in_list = shell->menus.kind == MENU_SETUP;

	if (!in_list && shell->menus.kind != MENU_THEMES && shell->menus.kind != MENU_KEYMAPS)
		return false;
	switch (action) {
	case ACTION_LEFT:
	case ACTION_RIGHT:
		if (in_list && id >= 0 && id < SETTING_COUNT)
			change(shell, (enum setting)id, action == ACTION_LEFT ? -1 : 1);
		return true;
	case ACTION_SWITCH_TERM:
	case ACTION_EDIT_TERM:
		return id >= 0 && shell_settings_menu_choose(shell, id);
	case ACTION_COPY_ROW:
		if (shell->menus.kind == MENU_THEMES)
			copy_theme(shell);
		return true;
	default:
		return false;
	}
}

bool shell_settings_menu_act(struct shell *shell, enum action action)
{
	if (action != ACTION_SETUP)
		return false;
	if (shell->settings.all)
		open_list(shell, ROW_COLUMNS);
	return true;
}

/* ---- preview ---- */

void shell_settings_menu_look(struct shell *shell)
{
	const struct settings_list *names = &shell->settings.names;
	char *preview = shell->settings.preview;
	const char *wanted = "";
	int id;

	if (shell->menus.kind == MENU_THEMES) {
		id = menu_selected(&shell->menus.menu);
		if (id >= 0 && (size_t)id < names->count)
			wanted = names->items[id].name;
	}
	if (!strcmp(preview, wanted))
		return;
	snprintf(preview, sizeof(shell->settings.preview), "%s", wanted);
	if (shell->request == REQUEST_NONE)
		shell->request = REQUEST_APPLY_SETTINGS;
}

const char *shell_settings_menu_theme(const struct shell *shell)
{
	return *shell->settings.preview ? shell->settings.preview
					: settings_value(shell->settings.all, SETTING_THEME);
}
