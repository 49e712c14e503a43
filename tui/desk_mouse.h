/* desk_mouse - whatever is under the mouse does what it looks like. UI thread only. */
#ifndef TUI_DESK_MOUSE_H
#define TUI_DESK_MOUSE_H

#include "tui/desk.h"

void desk_mouse(struct desk *desk, const struct input_event *event);

#endif
