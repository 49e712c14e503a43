/* shell_mouse - whatever is under the mouse does what it looks like. UI thread only. */
#ifndef SHELL_SHELL_MOUSE_H
#define SHELL_SHELL_MOUSE_H

#include "tui/shell/shell.h"

void desk_mouse(struct desk *desk, const struct input_event *event);

#endif
