/* shell_filter - prompt, terms and saved filters of the session. UI thread only. */
#ifndef SHELL_SHELL_FILTER_H
#define SHELL_SHELL_FILTER_H

#include "tui/shell/shell_state.h"

/* False: not an action for filters. */
bool shell_filter_act(struct shell *shell, enum action action);
/* Act on the selected row, or on the open detail page. False: not such an action. */
bool shell_filter_act_on_row(struct shell *shell, enum action action);
/* Act while a list of filter_menus.h is open. False: not an action of such a list. */
bool shell_filter_menu_act(struct shell *shell, enum action action);
/* Take the confirmed or clicked item; false: the open menu belongs to another module. */
bool shell_filter_choose(struct shell *shell, int id);

/* Handle Enter and Esc in the prompt; false: the prompt is not for a filter. */
bool shell_filter_accept(struct shell *shell);
bool shell_filter_cancel(struct shell *shell);

/* Return to the state of the filter stack after step number `step`. */
void shell_filter_go_back_to(struct shell *shell, size_t step);

/* Call at each refresh. */
void shell_filter_refresh(struct shell *shell);
/* Continue slow work; false: none is left. */
bool shell_filter_work(struct shell *shell);

#endif
