/*
 * screen_private - shared by the files of the screen.
 * Only .c files include curses.h, as its macros would leak into other headers.
 */
#ifndef TERMINAL_SCREEN_PRIVATE_H
#define TERMINAL_SCREEN_PRIVATE_H

#include "widgets/terminal/input_parser.h"
#include "widgets/terminal/screen.h"
#include "widgets/terminal/screen_keys.h"
#include "widgets/terminal/terminal_output.h"

#include <stdint.h>
#include <stdio.h>

struct screen_look {
	unsigned int attrs; /* attributes of curses */
	short pair;
};

struct screen {
	void *curses; /* SCREEN */
	FILE *composed; /* in-memory output of curses, so that curses never blocks */
	int in_fd, out_fd;
	struct terminal_output output;
	struct canvas frame; /* being composed */
	struct cell *shown; /* cells as the terminal shows them */
	void *run; /* cchar_t[frame.cols]: a run of changed cells */
	bool redraw;
	bool suspended;
	bool has_mouse;
	bool is_xterm; /* terminfo has mouse reports, hence xterm's other modes are assumed */
	bool cursor_moved;
	int cursor_row, cursor_col; /* row -1: hidden */
	int colors;
	const struct theme *theme;
	struct screen_look looks[ROLE_COUNT];
	struct key_string keys[SCREEN_KEYS_MAX];
	struct input_parser parser;
};

/* Move the output of curses to `output`. */
void screen_take_composed(struct screen *screen);

#endif
