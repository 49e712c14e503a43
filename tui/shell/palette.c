#include "tui/shell/palette.h"

#include "engine/base/words.h"

#include <string.h>

/* Aliases of actions, separated by blanks. */
static const struct alias {
	enum action action;
	const char *names;
} aliases[] = {
	{ ACTION_QUIT, "q q! qa qa! wq x exit" },
	{ ACTION_HELP, "h ?" },
	{ ACTION_SORT_MENU, "sort" },
	{ ACTION_GROUP_MENU, "group" },
	{ ACTION_VIEWS_MENU, "view ls b" },
	{ ACTION_NEXT_VIEW, "tabn bn" },
	{ ACTION_PREVIOUS_VIEW, "tabp bp" },
	{ ACTION_ZOOM_PANE, "only" },
	{ ACTION_EXPORT, "w write" },
	{ ACTION_CLEAR_LAST_TERM, "undo" },
	{ ACTION_COMPARE, "against diff" },
};

/* Actions that open a list or a prompt; text after their name is typed into it. */
static const enum action asking[] = {
	ACTION_SORT_MENU,   ACTION_GROUP_MENU,   ACTION_VIEWS_MENU,  ACTION_SEARCH,
	ACTION_SEARCH_BACK, ACTION_FILTER,       ACTION_SAVE_FILTER, ACTION_SAVED_FILTERS,
	ACTION_ONLY_CELL,   ACTION_EXCLUDE_CELL, ACTION_EVENTS,      ACTION_CATCH,
	ACTION_TARGETS,     ACTION_EXPORT,       ACTION_SIGNAL,      ACTION_COMPARE,
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *aliases_of(enum action action)
{
	for (size_t i = 0; i < COUNT(aliases); i++)
		if (aliases[i].action == action)
			return aliases[i].names;
	return "";
}

void palette_open(struct menus *menus, const struct bindings *bindings)
{
	menus->kind = MENU_PALETTE;
	menu_open(&menus->menu, "Actions", true);
	for (int i = 0; i < ACTION_COUNT; i++) {
		enum action action = (enum action)i;
		struct str text = STR_INIT, keys = STR_INIT;

		if (action_group_context(action_group(action)) != CONTEXT_GLOBAL)
			continue;
		bindings_list(bindings, CONTEXT_GLOBAL, action, &keys);
		str_addf(&text, "%-18s %s", action_name(action), action_help(action));
		menu_add(&menus->menu, i, text.data, keys.data, false);
		menu_add_aliases(&menus->menu, aliases_of(action));
		str_release(&text);
		str_release(&keys);
	}
}

/* Return the action in `asking` with this name or alias; KEYMAP_NONE: none. */
static int asking_action(const char *name)
{
	for (size_t i = 0; i < COUNT(asking); i++)
		if (!strcmp(action_name(asking[i]), name) || words_has(aliases_of(asking[i]), name))
			return (int)asking[i];
	return KEYMAP_NONE;
}

bool palette_type(struct shell *shell, uint32_t code)
{
	struct menus *menus = &shell->menus;
	int action;

	if (menus->kind != MENU_PALETTE || code != ' ')
		return false;
	action = asking_action(menus->menu.filter.data);
	if (action == KEYMAP_NONE)
		return false;
	menus_close(menus);
	shell->ops->act(shell, (enum action)action);
	if (menus->kind != MENU_NONE)
		menu_let_type(&menus->menu);
	return true;
}

void palette_complete(struct menus *menus)
{
	int id = menu_selected(&menus->menu);

	if (menus->kind == MENU_PALETTE && id >= 0)
		menu_set_filter(&menus->menu, action_name((enum action)id));
}
