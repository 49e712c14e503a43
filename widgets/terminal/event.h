/* event - what the person at the terminal did; made by screen_input, told to widgets. */
#ifndef TERMINAL_EVENT_H
#define TERMINAL_EVENT_H

#include "widgets/terminal/keys.h"

enum event_kind {
	EVENT_NONE, /* nothing more for now */
	EVENT_KEY,
	EVENT_MOUSE,
	EVENT_RESIZE, /* the screen has its new size already */
	EVENT_PASTE, /* text pasted at once */
	EVENT_HANGUP, /* the terminal is gone */
};

enum mouse_action {
	MOUSE_PRESS,
	MOUSE_RELEASE,
	MOUSE_DRAG, /* moved with a button down */
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
};

struct input_event {
	enum event_kind kind;
	struct key key; /* EVENT_KEY; of EVENT_MOUSE only .mods */
	struct {
		enum mouse_action action;
		int button; /* 1 left, 2 middle, 3 right; 0 for the wheel */
		int row, col;
		bool twice; /* a second press in the same place soon after the first */
	} mouse;
	const char *paste; /* EVENT_PASTE: UTF-8, borrowed until the next read */
	size_t paste_bytes;
};

#endif
