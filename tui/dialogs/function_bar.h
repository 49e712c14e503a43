/*
 * function_bar - the bottom line: function keys of the current keymap and their actions. UI thread
 * only.
 */
#ifndef DIALOGS_FUNCTION_BAR_H
#define DIALOGS_FUNCTION_BAR_H

#include "tui/config/bindings.h"
#include "widgets/fbar.h"

#define FUNCTION_BAR_MAX 20

struct function_bar {
	char keys[FUNCTION_BAR_MAX][KEYSTROKES_BYTES];
	struct fbar_item items[FUNCTION_BAR_MAX]; /* with action numbers */
	size_t count;
};

/* recorded: include the actions for recordings and omit those for live tracing. */
void function_bar_init(struct function_bar *bar, const struct bindings *bindings, bool recorded);

#endif
