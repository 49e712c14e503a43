/* event - an action of the user at the terminal; created by screen_input, passed to widgets. */
#ifndef TERMINAL_EVENT_H
#define TERMINAL_EVENT_H

#include "widgets/terminal/keys.h"

enum event_kind {
	EVENT_NONE, /* no further event for now */
	EVENT_KEY,
	EVENT_MOUSE,
	EVENT_RESIZE, /* the screen already has the new size */
	EVENT_PASTE, /* text pasted as a whole */
	EVENT_HANGUP, /* the terminal is gone */
};

enum mouse_action {
	MOUSE_PRESS,
	MOUSE_RELEASE,
	MOUSE_DRAG, /* movement with a button pressed */
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
};

struct input_event {
	enum event_kind kind;
	struct key key; /* EVENT_KEY; for EVENT_MOUSE only .mods */
	struct {
		enum mouse_action action;
		int button; /* 1 left, 2 middle, 3 right; 0 for the wheel */
		int row, col;
		bool twice; /* double click: a second press in the same place within a short time */
	} mouse;
	const char *paste; /* EVENT_PASTE: UTF-8, borrowed until the next read */
	size_t paste_bytes;
};

#endif
