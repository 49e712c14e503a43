#include "tui/dialogs/function_bar.h"

/* Labels in the order of the keys of the default keymap, then of further useful actions. */
static const struct label {
	enum action action;
	const char *text;
} labels[] = {
	{ ACTION_HELP, "Help" },       { ACTION_VIEWS_MENU, "Views" },
	{ ACTION_SEARCH, "Search" },   { ACTION_FILTER, "Filter" },
	{ ACTION_PAUSE, "Pause" },     { ACTION_SORT_MENU, "Sort" },
	{ ACTION_EXPORT, "Export" },   { ACTION_TIME_GO, "Time" },
	{ ACTION_SIGNAL, "Signal" },   { ACTION_QUIT, "Quit" },
	{ ACTION_NEXT_PANE, "Pane" },  { ACTION_ZOOM_PANE, "Zoom" },
	{ ACTION_DETAIL, "Detail" },   { ACTION_CLEAR_LAST_TERM, "Unfilter" },
	{ ACTION_PALETTE, "Actions" },
};

/* A recording has no process to signal; a live session has no other time to seek to. */
static bool is_for(enum action action, bool recorded)
{
	return action == ACTION_TIME_GO ? recorded : action == ACTION_SIGNAL ? !recorded : true;
}

void function_bar_init(struct function_bar *bar, const struct bindings *bindings, bool recorded)
{
	bar->count = 0;
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		struct keystrokes keys;

		if (!is_for(labels[i].action, recorded) ||
		    !bindings_function_key(bindings, labels[i].action, &keys))
			continue;
		keystrokes_format_short(bar->keys[bar->count], &keys);
		bar->items[bar->count] = (struct fbar_item){
			.key = bar->keys[bar->count],
			.label = labels[i].text,
			.action = (int)labels[i].action,
		};
		bar->count++;
	}
}
