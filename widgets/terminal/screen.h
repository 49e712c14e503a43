/*
 * screen - the terminal, through curses. Only this module and screen_input access the terminal.
 *
 * Compose each frame on screen_canvas(); screen_show() then writes the changed cells. Input is read
 * with screen_input.h. Only one screen can be open, since curses and the state of
 * screen_emergency_restore() are global. screen_open() leaves the signal handlers of the caller
 * unchanged; the caller catches SIGWINCH only to wake up from poll(). Ctrl-C and Ctrl-Z arrive as
 * keys. UI thread only, except screen_emergency_restore().
 */
#ifndef TERMINAL_SCREEN_H
#define TERMINAL_SCREEN_H

#include "engine/base/err.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/theme.h"

#include <sys/types.h>

/* A child process that tests the terminfo entry; zeroed: none. */
struct screen_rehearsal {
	pid_t pid;
	int fd; /* readable when the child has exited */
};

struct screen_options {
	const struct theme *theme; /* NULL: theme_default() */
	bool ascii; /* also set if the encoding of the locale is not UTF-8 */
	bool no_color; /* the caller evaluates NO_COLOR */
	bool no_mouse;
	struct screen_rehearsal *rehearsal; /* screen_open() ends it; NULL: none */
};

struct screen;

/*
 * Take over the terminal of standard input and output. Sets LC_CTYPE from the environment. -ENOTTY
 * if one of them is not a terminal, -EINVAL if TERM is unknown or cannot move the cursor; the
 * terminal is then unchanged.
 */
int screen_open(struct screen **screen, const struct screen_options *options, struct err *err);
/*
 * Start a child process that opens a screen and draws frames, without output: on a damaged terminfo
 * entry, curses crashes or loops. With options->rehearsal, which is set here, screen_open() returns
 * -EINVAL if the child does not survive. Call before threads exist.
 */
void screen_rehearse(const struct screen_options *options);
/* Restore the terminal and free the screen; NULL is allowed. */
void screen_close(struct screen *screen);

/* Return the grid for the next frame, in the size of the terminal; it holds the last frame. */
struct canvas *screen_canvas(struct screen *screen);
/*
 * Write the frame to the terminal. Return the number of changed cells. While the terminal is
 * behind, skip the frame and return 0, so that outdated frames do not queue up.
 */
int screen_show(struct screen *screen);
/* True while sent bytes wait for the terminal; does not block. */
bool screen_is_behind(struct screen *screen);
int screen_behind_fd(const struct screen *screen); /* poll it for writing; -1: not behind */
/* Make screen_show() write all cells once; call after another program wrote to the terminal. */
void screen_redraw(struct screen *screen);
/* Show the cursor at a position in the next frames; row -1 hides it. */
void screen_set_cursor(struct screen *screen, int row, int col);

/* Query the size of the terminal. True if it changed: the canvas is then blank in the new size. */
bool screen_check_size(struct screen *screen);
int screen_rows(const struct screen *screen);
int screen_colors(const struct screen *screen); /* in use: 0, 8, 16, 88, 256, … */
bool screen_is_ascii(const struct screen *screen);
bool screen_has_mouse(const struct screen *screen);
/* Without a UTF-8 locale, ASCII stays on. Without mouse reports, the mouse stays off. */
void screen_set_ascii(struct screen *screen, bool on);
void screen_set_mouse(struct screen *screen, bool on);
void screen_set_theme(struct screen *screen, const struct theme *theme);

/* Release the terminal, after which the caller stops itself; take it over again. */
void screen_suspend(struct screen *screen);
void screen_resume(struct screen *screen);
/* Call after SIGCONT, since other programs can have used the terminal without screen_suspend(). */
void screen_take_again(struct screen *screen);

/* Ring the bell or flash, if the terminal can. */
void screen_bell(struct screen *screen);

/* How text reaches the clipboard, derived from the environment. */
enum screen_copy_way {
	SCREEN_COPY_DIRECT,
	SCREEN_COPY_BY_TMUX, /* tmux passes it on if its options allow it */
	SCREEN_COPY_BY_SCREEN, /* GNU screen passes it on */
	SCREEN_COPY_NO_WAY, /* the terminal is known to ignore it */
};

enum screen_copy_way screen_copy_way(const struct screen *screen);
/*
 * Request that the terminal stores text in the clipboard (OSC 52); the result is unknown.
 * -EOPNOTSUPP for SCREEN_COPY_NO_WAY, -E2BIG above 74 kB, which terminals refuse, -EAGAIN while the
 * terminal is behind.
 */
int screen_copy(struct screen *screen, const char *text, size_t len);

/*
 * Start a process that restores the terminal if this one is killed with a screen open. Call early,
 * before threads and descriptors exist. Return its pid; 0: none.
 */
pid_t screen_watch(void);
void screen_unwatch(void);

/*
 * Restore the terminal from a signal handler or when memory is exhausted; uses only poll(), write()
 * and tcsetattr(). No-op when no screen is open. Any thread.
 */
void screen_emergency_restore(void);

#endif
