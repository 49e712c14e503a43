/*
 * screen - the terminal, by way of curses; with screen_input the only place that knows it.
 *
 * Compose each frame on screen_canvas, then screen_show writes the cells that changed.
 * Input is read with screen_input.h. There is one screen at a time (curses, and
 * the state that screen_emergency_restore needs, are global). screen_open leaves the
 * caller's signal handlers alone: the caller catches SIGWINCH only to wake up from poll.
 * Ctrl-C and Ctrl-Z arrive as keys. UI thread only, but for screen_emergency_restore.
 */
#ifndef TERMINAL_SCREEN_H
#define TERMINAL_SCREEN_H

#include "engine/base/err.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/theme.h"

#include <sys/types.h>

struct screen_options {
	const struct theme *theme; /* NULL: theme_default() */
	bool ascii; /* also when the locale's encoding is not UTF-8 */
	bool no_color; /* the caller looks at NO_COLOR */
	bool no_mouse;
};

struct screen;

/*
 * Takes over the terminal of standard input and output. 0; -ENOTTY when they are no
 * terminal, -EINVAL when TERM is unknown or cannot move the cursor; nothing is changed then.
 * Sets LC_CTYPE from the environment.
 */
int screen_open(struct screen **screen, const struct screen_options *options, struct err *err);
/* Restores the terminal and frees; NULL is allowed. */
void screen_close(struct screen *screen);

/* The grid of the next frame, at the terminal's size. It keeps what was drawn last. */
struct canvas *screen_canvas(struct screen *screen);
/*
 * Puts the frame on the terminal. Returns the number of cells that had changed; none while the
 * terminal is behind, as frames that nobody sees are not kept.
 */
int screen_show(struct screen *screen);
/* Whether the terminal has yet to take what was sent before; never waits for it. */
bool screen_is_behind(struct screen *screen);
int screen_behind_fd(const struct screen *screen); /* poll it for writing; -1: not behind */
/* The next frames are written whole: after something else wrote to the terminal. */
void screen_redraw(struct screen *screen);
/* Shows the cursor at a position in the next frames; row -1 hides it. */
void screen_set_cursor(struct screen *screen, int row, int col);

/* Asks the terminal for its size; true if it changed: the canvas is then blank and new. */
bool screen_check_size(struct screen *screen);
int screen_rows(const struct screen *screen);
int screen_colors(const struct screen *screen); /* 0, 8, 16, 88, 256, … in use */
bool screen_is_ascii(const struct screen *screen);
bool screen_has_mouse(const struct screen *screen);
/* Not where the locale is no UTF-8, or the terminal knows no mouse: there it stays as it is. */
void screen_set_ascii(struct screen *screen, bool on);
void screen_set_mouse(struct screen *screen, bool on);
void screen_set_theme(struct screen *screen, const struct theme *theme);

/* Gives the terminal back for a while (the caller then stops itself), and takes it again. */
void screen_suspend(struct screen *screen);
void screen_resume(struct screen *screen);
/* After a SIGCONT: others had the terminal without our having given it. */
void screen_take_again(struct screen *screen);

/* The terminal rings, or flashes, or does nothing. */
void screen_bell(struct screen *screen);

/* How text gets to the clipboard, as far as the environment tells. */
enum screen_copy_way {
	SCREEN_COPY_DIRECT,
	SCREEN_COPY_BY_TMUX, /* which passes it on if its options say so */
	SCREEN_COPY_BY_SCREEN, /* GNU screen: passes it on */
	SCREEN_COPY_NO_WAY, /* the terminal is known not to take it */
};

enum screen_copy_way screen_copy_way(const struct screen *screen);
/*
 * Asks the terminal to put text on the clipboard (OSC 52); whether it does cannot be known.
 * -EOPNOTSUPP where there is no way, -E2BIG above 74 kB, which terminals refuse, -EAGAIN while
 * the terminal is behind.
 */
int screen_copy(struct screen *screen, const char *text, size_t len);

/*
 * A process that restores the terminal if this one is killed with a screen open: to be started
 * early, before there are threads and descriptors. Its pid; 0: there is none.
 */
pid_t screen_watch(void);
void screen_unwatch(void);

/*
 * Leaves the terminal usable from a signal handler or when memory is exhausted, with write
 * and tcsetattr alone. Does nothing when no screen is open. Any thread.
 */
void screen_emergency_restore(void);

#endif
