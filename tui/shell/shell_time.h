/*
 * shell_time - navigation in a recording: keys, the prompt for a time, the mouse on the time bar.
 *
 * The engine does the navigation (engine/collector/play.h). This module sends requests to it, and
 * shows why a request is impossible. UI thread only.
 */
#ifndef SHELL_SHELL_TIME_H
#define SHELL_SHELL_TIME_H

#include "tui/shell/shell_state.h"

/* False: not an action, a prompt or a mouse event of this module. */
bool shell_time_act(struct shell *shell, enum action action);
bool shell_time_accept(struct shell *shell);
bool shell_time_mouse(struct shell *shell, const struct input_event *event);
/* Stop a seek or a mouse drag in progress ("back"). False: none is in progress. */
bool shell_time_stop(struct shell *shell);

/* Call at each tick: update the state of the time bar. */
void shell_time_look(struct shell *shell);
/* Go to the span that a pane requested; false: no pane did. */
bool shell_time_take_span(struct shell *shell);

#endif
