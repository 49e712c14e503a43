/*
 * screen_private - what screen.c and screen_input.c share; not for others.
 * Curses' own header is left to the .c files: its macros would get everywhere.
 */
#ifndef WIDGETS_SCREEN_PRIVATE_H
#define WIDGETS_SCREEN_PRIVATE_H

#include "widgets/event.h"
#include "widgets/screen.h"

#include <stdint.h>

/* How long the rest of an escape sequence may take to follow its Esc. */
#define SCREEN_ESC_WAIT_MS 25

struct screen_look {
	unsigned int attrs; /* of curses */
	short pair;
};

struct screen_input {
	struct str paste;
	bool pasting;
	bool sgr_mouse;         /* terminfo's kmous is the beginning of an SGR report */
	unsigned char text[4];  /* the beginning of a UTF-8 character */
	size_t text_len;
	int button;             /* pressed last, for drags */
	int press_row, press_col;
	uint64_t press_ns;
};

struct screen {
	void *curses;           /* SCREEN */
	void *keys;             /* WINDOW: a pad, as reading from it never writes to the terminal */
	int in_fd, out_fd;
	struct canvas frame;    /* being composed */
	struct cell *shown;     /* what the terminal shows */
	void *run;              /* cchar_t[frame.cols]: changed cells side by side */
	bool redraw;
	bool suspended;
	bool has_mouse;
	bool is_xterm;          /* the terminal knows a mouse, hence xterm's other modes */
	bool cursor_moved;
	int cursor_row, cursor_col; /* row -1: hidden */
	int colors;
	const struct theme *theme;
	struct screen_look looks[ROLE_COUNT];
	struct screen_input input;
};

/* Attributes of curses for enum style_attr. */
unsigned int screen_curses_attrs(uint8_t style_attrs);
/* Writes past curses, whose buffer each refresh has emptied. */
void screen_write(int fd, const char *bytes, size_t len);

#endif
