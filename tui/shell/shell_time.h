/*
 * shell_time - the shell's part of moving about in a recording: keys, the line that a time is
 * typed into, the mouse on the time bar.
 *
 * What can be moved about in is an engine's (engine/collector/play.h); this says what is wanted of
 * it, and why something is not to be had. UI thread only.
 */
#ifndef SHELL_SHELL_TIME_H
#define SHELL_SHELL_TIME_H

#include "tui/shell/shell_state.h"

/* Each false: not its business. */
bool shell_time_act(struct shell *shell, enum action action);
bool shell_time_accept(struct shell *shell);
bool shell_time_mouse(struct shell *shell, const struct input_event *event);
/* "back": leaves what is under way. False: nothing is. */
bool shell_time_stop(struct shell *shell);

/* A tick: what has become of it. */
void shell_time_look(struct shell *shell);
/* A pane asked for a span; false: none did. */
bool shell_time_take_span(struct shell *shell);

#endif
