/*
 * screen_private - what the files of the screen share; not for others.
 * Curses' own header is left to the .c files: its macros would get everywhere.
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
	unsigned int attrs; /* of curses */
	short pair;
};

struct screen {
	void *curses; /* SCREEN */
	FILE *composed; /* memory that curses writes to, which never blocks */
	int in_fd, out_fd;
	struct terminal_output output;
	struct canvas frame; /* being composed */
	struct cell *shown; /* what the terminal shows */
	void *run; /* cchar_t[frame.cols]: changed cells side by side */
	bool redraw;
	bool suspended;
	bool has_mouse;
	bool is_xterm; /* the terminal knows a mouse, hence xterm's other modes */
	bool cursor_moved;
	int cursor_row, cursor_col; /* row -1: hidden */
	int colors;
	const struct theme *theme;
	struct screen_look looks[ROLE_COUNT];
	struct key_string keys[SCREEN_KEYS_MAX];
	struct input_parser parser;
};

/* What curses has composed goes to the output. */
void screen_take_composed(struct screen *screen);

#endif
