/*
 * shell_time - the desk's part of moving about in a recording: keys, the line that a time is
 * typed into, the mouse on the time bar.
 *
 * What can be moved about in is an engine's (engine/collector/play.h); this says what is wanted of
 * it, and why something is not to be had. UI thread only.
 */
#ifndef SHELL_SHELL_TIME_H
#define SHELL_SHELL_TIME_H

#include "tui/shell/shell.h"

/* Each false: not its business. */
bool desk_time_act(struct desk *desk, enum action action);
bool desk_time_accept(struct desk *desk);
bool desk_time_mouse(struct desk *desk, const struct input_event *event);
/* "back": leaves what is under way. False: nothing is. */
bool desk_time_stop(struct desk *desk);

/* A tick: what has become of it. */
void desk_time_look(struct desk *desk);
/* A pane asked for a span; false: none did. */
bool desk_time_take_span(struct desk *desk);

#endif
