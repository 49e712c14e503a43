/* shell_mouse - whatever is under the mouse does what it looks like. UI thread only. */
#ifndef SHELL_SHELL_MOUSE_H
#define SHELL_SHELL_MOUSE_H

#include "tui/shell/shell_state.h"

void shell_mouse(struct shell *shell, const struct input_event *event);

#endif
