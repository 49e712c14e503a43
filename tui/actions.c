#include "tui/actions.h"

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
	[ACTION_GROUP_FIND] = "Finding and narrowing",
	[ACTION_GROUP_WATCH] = "Watching",
	[ACTION_GROUP_VIEW] = "Views and details",
	[ACTION_GROUP_PROGRAM] = "The rest",
	[ACTION_GROUP_PROMPT] = "While typing or choosing",
	[ACTION_GROUP_TERMS] = "In the lists of terms and catches",
	[ACTION_GROUP_COLUMNS] = "In the list of columns",
};

static const char *const context_names[CONTEXT_COUNT] = {
	[CONTEXT_GLOBAL] = "global",
	[CONTEXT_PROMPT] = "prompt",
	[CONTEXT_MENU] = "menu",
	[CONTEXT_TERMS] = "terms",
	[CONTEXT_COLUMNS] = "columns",
};

const struct keymap_names action_keymap_names = {
	.actions = names,
	.action_count = ACTION_COUNT,
	.contexts = context_names,
	.context_count = CONTEXT_COUNT,
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
	return group == ACTION_GROUP_PROMPT ? CONTEXT_PROMPT :
	       group == ACTION_GROUP_TERMS ? CONTEXT_TERMS :
	       group == ACTION_GROUP_COLUMNS ? CONTEXT_COLUMNS : CONTEXT_GLOBAL;
}
