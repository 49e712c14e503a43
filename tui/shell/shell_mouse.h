/* shell_mouse - handles mouse events by what is under the pointer. UI thread only. */
#ifndef SHELL_SHELL_MOUSE_H
#define SHELL_SHELL_MOUSE_H

#include "tui/shell/shell_state.h"

void shell_mouse(struct shell *shell, const struct input_event *event);

#endif
