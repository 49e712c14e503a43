#include "tui/config/actions.h"

#include "keymaps_data.h"

static const char *const names[ACTION_COUNT] = {
#define ACTION_NAME(id, name, group, help) [ACTION_##id] = name,
	ACTION_LIST(ACTION_NAME)
#undef ACTION_NAME
};

static const char *const helps[ACTION_COUNT] = {
#define ACTION_HELP_TEXT(id, name, group, help) [ACTION_##id] = help,
	ACTION_LIST(ACTION_HELP_TEXT)
#undef ACTION_HELP_TEXT
};

static const enum action_group groups[ACTION_COUNT] = {
#define ACTION_IN_GROUP(id, name, group, help) [ACTION_##id] = ACTION_GROUP_##group,
	ACTION_LIST(ACTION_IN_GROUP)
#undef ACTION_IN_GROUP
};

static const char *const group_titles[ACTION_GROUP_COUNT] = {
	[ACTION_GROUP_MOVE] = "Moving",
	[ACTION_GROUP_FOLD] = "Folding and unfolding",
	[ACTION_GROUP_FIND] = "Search and filters",
	[ACTION_GROUP_WATCH] = "Watching",
	[ACTION_GROUP_TIME] = "In a recording",
	[ACTION_GROUP_VIEW] = "Views and details",
	[ACTION_GROUP_PROGRAM] = "Other",
	[ACTION_GROUP_PROMPT] = "In prompts and menus",
	[ACTION_GROUP_TERMS] = "In the lists of terms and catches",
	[ACTION_GROUP_COLUMNS] = "In the list of columns",
};

static const char *const context_names[CONTEXT_COUNT] = {
	[CONTEXT_GLOBAL] = "global", [CONTEXT_PROMPT] = "prompt",   [CONTEXT_MENU] = "menu",
	[CONTEXT_TERMS] = "terms",   [CONTEXT_COLUMNS] = "columns",
};

const struct keymap_text action_keymaps[ACTION_KEYMAP_COUNT] = {
	{ "default", keymap_default_text, &keymap_default_text_len },
	{ "vi", keymap_vi_text, &keymap_vi_text_len },
	{ "emacs", keymap_emacs_text, &keymap_emacs_text_len },
};

/* True if every menu accepts the action, in addition to those of its own group. */
static bool fits_list(enum action action)
{
	switch (action) {
	case ACTION_ACCEPT:
	case ACTION_CANCEL:
	case ACTION_COMPLETE:
	case ACTION_EDIT_BACKSPACE:
	case ACTION_DRILL_IN:
	case ACTION_BACK:
	case ACTION_QUIT:
	case ACTION_REDRAW:
	case ACTION_SUSPEND:
		return true;
	default:
		return action <= ACTION_LINE_END; /* the actions that move come first in the enum */
	}
}

static bool fits(int context, int number)
{
	enum action action = (enum action)number;
	enum action_group group = action_group(action);

	switch ((enum action_context)context) {
	case CONTEXT_GLOBAL:
		return action_group_context(group) == CONTEXT_GLOBAL;
	case CONTEXT_PROMPT:
		return group == ACTION_GROUP_PROMPT || action == ACTION_REDRAW ||
		       action == ACTION_SUSPEND || action == ACTION_SEARCH_NEXT ||
		       action == ACTION_SEARCH_PREVIOUS;
	case CONTEXT_MENU:
		return fits_list(action);
	case CONTEXT_TERMS:
		return group == ACTION_GROUP_TERMS || action == ACTION_SAVE_FILTER ||
		       action == ACTION_SAVED_FILTERS || fits_list(action);
	case CONTEXT_COLUMNS:
		return group == ACTION_GROUP_COLUMNS || fits_list(action);
	case CONTEXT_COUNT:
		break;
	}
	return false;
}

const struct keymap_names action_keymap_names = {
	.actions = names,
	.action_count = ACTION_COUNT,
	.contexts = context_names,
	.context_count = CONTEXT_COUNT,
	.texts = action_keymaps,
	.text_count = ACTION_KEYMAP_COUNT,
	.fits = fits,
};

const char *action_name(enum action action)
{
	return names[action];
}

const char *action_help(enum action action)
{
	return helps[action];
}

enum action_group action_group(enum action action)
{
	return groups[action];
}

const char *action_group_title(enum action_group group)
{
	return group_titles[group];
}

enum action_context action_group_context(enum action_group group)
{
	return group == ACTION_GROUP_PROMPT    ? CONTEXT_PROMPT
	       : group == ACTION_GROUP_TERMS   ? CONTEXT_TERMS
	       : group == ACTION_GROUP_COLUMNS ? CONTEXT_COLUMNS
					       : CONTEXT_GLOBAL;
}
