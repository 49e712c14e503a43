#include "widgets/screen.h"

#include "engine/base/mem.h"
#include "widgets/screen_private.h"
#include "widgets/terminal_guard.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

/* Beyond what any terminal has; a window size is only a number that somebody set. */
#define MAX_ROWS 1000
#define MAX_COLS 3000

/* Presses, drags and the wheel, as SGR reports without a limit of 223 columns. */
static const char mouse_on[] = "\033[?1000h\033[?1002h\033[?1006h";
static const char mouse_off[] = "\033[?1006l\033[?1002l\033[?1000l";
static const char paste_on[] = "\033[?2004h";
static const char paste_off[] = "\033[?2004l";

/* ---- opening ---- */

static const char *capability(const char *name)
{
	const char *value = tigetstr(name);

	return value && value != (const char *)-1 && *value ? value : NULL;
}

/* Asks terminfo before curses does, since curses would write to standard error. */
static int check_terminal(struct err *err)
{
	const char *term = getenv("TERM");
	bool can_move;
	int status;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, -ENOTTY, "standard %s is not a terminal; use -b for lines "
			       "of text or --json, which need none",
			       isatty(STDIN_FILENO) ? "output" : "input");
	if (!term || !*term)
		return err_set(err, -EINVAL, "TERM is not set; try TERM=xterm-256color");
	if (setupterm(NULL, STDOUT_FILENO, &status) != OK)
		return err_set(err, -EINVAL, status < 0 ?
			       "no terminfo database is installed (package ncurses-base); "
			       "TERM is \"%.40s\"" :
			       "the terminal type \"%.40s\" (TERM) is not known here; "
			       "try TERM=xterm-256color", term);
	can_move = capability("cup") && !tigetflag("hc");
	del_curterm(cur_term);
	if (!can_move)
		return err_set(err, -EINVAL, "a terminal of type \"%.40s\" (TERM) cannot move its "
			       "cursor; try TERM=xterm-256color, or -b for lines of text", term);
	return 0;
}

/* Curses catches signals that are not its business here: the caller's stay as they were. */
static const int kept_signals[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
#define KEPT_SIGNALS (sizeof(kept_signals) / sizeof(kept_signals[0]))

static SCREEN *start_curses(void)
{
	struct sigaction kept[KEPT_SIGNALS];
	SCREEN *curses;

	for (size_t i = 0; i < KEPT_SIGNALS; i++)
		sigaction(kept_signals[i], NULL, &kept[i]);
	curses = newterm(NULL, stdout, stdin);
	for (size_t i = 0; i < KEPT_SIGNALS; i++)
		sigaction(kept_signals[i], &kept[i], NULL);
	return curses;
}

unsigned int screen_curses_attrs(uint8_t style_attrs)
{
	unsigned int attrs = 0;

	attrs |= style_attrs & STYLE_BOLD ? A_BOLD : 0;
	attrs |= style_attrs & STYLE_UNDERLINE ? A_UNDERLINE : 0;
	attrs |= style_attrs & STYLE_REVERSE ? A_REVERSE : 0;
	attrs |= style_attrs & STYLE_DIM ? A_DIM : 0;
	attrs |= style_attrs & STYLE_ITALIC ? A_ITALIC : 0;
	return attrs;
}

static void set_looks(struct screen *screen)
{
	for (int role = 0; role < ROLE_COUNT; role++) {
		struct style style = theme_style(screen->theme, role, screen->colors);
		struct screen_look *look = &screen->looks[role];

		look->attrs = screen_curses_attrs(style.attrs);
		look->pair = 0;
		if (!screen->colors ||
		    (style.fg == THEME_DEFAULT && style.bg == THEME_DEFAULT))
			continue;
		look->pair = (short)(role + 1);
		init_pair(look->pair, style.fg, style.bg);
	}
}

static void start_colors(struct screen *screen, bool no_color)
{
	if (no_color || !has_colors() || start_color() == ERR || COLORS < 8 ||
	    COLOR_PAIRS <= ROLE_COUNT)
		return;
	if (use_default_colors() == ERR)
		assume_default_colors(COLOR_WHITE, COLOR_BLACK);
	screen->colors = COLORS;
}

/* Outside of curses' output buffer; curses has flushed it after each refresh. */
void screen_write(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return; /* the terminal is gone, which reading will tell */
		bytes += n;
		len -= (size_t)n;
	}
}

static void enter(struct screen *screen)
{
	if (screen->has_mouse)
		screen_write(screen->out_fd, mouse_on, sizeof(mouse_on) - 1);
	/* Terminals that know no mouse get nothing that they might print. */
	if (screen->is_xterm)
		screen_write(screen->out_fd, paste_on, sizeof(paste_on) - 1);
	terminal_guard_arm();
}

static void leave(struct screen *screen)
{
	if (screen->has_mouse)
		screen_write(screen->out_fd, mouse_off, sizeof(mouse_off) - 1);
	if (screen->is_xterm)
		screen_write(screen->out_fd, paste_off, sizeof(paste_off) - 1);
	curs_set(1);
	endwin();
	terminal_guard_disarm();
}

static void fit_buffers(struct screen *screen)
{
	size_t rows = (size_t)screen->frame.rows, cols = (size_t)screen->frame.cols;

	screen->shown = mem_realloc(screen->shown, rows * cols, sizeof(*screen->shown));
	memset(screen->shown, 0, rows * cols * sizeof(*screen->shown));
	screen->run = mem_realloc(screen->run, cols + 1, sizeof(cchar_t));
	screen->redraw = true;
}

static void set_up_guard(struct screen *screen)
{
	static const char *const restoring[] = { "sgr0", "rmkx", "cnorm", "rmcup" };

	if (screen->has_mouse)
		terminal_guard_add(mouse_off);
	if (screen->is_xterm)
		terminal_guard_add(paste_off);
	for (size_t i = 0; i < sizeof(restoring) / sizeof(restoring[0]); i++)
		terminal_guard_add(capability(restoring[i]));
	terminal_guard_add(capability("rmcup") ? "\r" : "\r\n");
}

int screen_open(struct screen **out, const struct screen_options *options, struct err *err)
{
	struct screen *screen;
	SCREEN *curses;
	bool ascii;
	int failed;

	setlocale(LC_CTYPE, "");
	failed = check_terminal(err);
	if (failed)
		return failed;
	terminal_guard_init(STDOUT_FILENO);
	curses = start_curses();
	if (!curses)
		return err_set(err, -EINVAL, "the terminal of type \"%.40s\" (TERM) does not work "
			       "with curses; try TERM=xterm-256color", getenv("TERM"));
	screen = mem_zalloc(1, sizeof(*screen));
	screen->curses = curses;
	screen->in_fd = STDIN_FILENO;
	screen->out_fd = STDOUT_FILENO;
	screen->cursor_row = -1;
	screen->theme = options->theme ? options->theme : theme_default();
	str_init(&screen->input.paste);
	ascii = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	raw();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	screen->keys = newpad(1, 1);
	keypad(screen->keys, TRUE);
	nodelay(screen->keys, TRUE);
	set_escdelay(SCREEN_ESC_WAIT_MS);
	typeahead(-1); /* a frame is written whole, even while keys come in */
	curs_set(0);
	screen->is_xterm = capability("kmous") != NULL;
	screen->input.sgr_mouse = screen->is_xterm && strchr(capability("kmous"), '<');
	screen->has_mouse = screen->is_xterm && !options->no_mouse;
	start_colors(screen, options->no_color);
	set_looks(screen);
	canvas_init(&screen->frame, LINES, COLS, ascii);
	fit_buffers(screen);
	screen_check_size(screen);
	set_up_guard(screen);
	enter(screen);
	*out = screen;
	return 0;
}

void screen_close(struct screen *screen)
{
	if (!screen)
		return;
	if (!screen->suspended)
		leave(screen);
	delwin(screen->keys);
	delscreen(screen->curses);
	canvas_release(&screen->frame);
	str_release(&screen->input.paste);
	free(screen->shown);
	free(screen->run);
	free(screen);
}

void screen_suspend(struct screen *screen)
{
	if (screen->suspended)
		return;
	screen->suspended = true;
	leave(screen);
}

void screen_resume(struct screen *screen)
{
	if (!screen->suspended)
		return;
	screen->suspended = false;
	refresh(); /* curses takes the terminal back with the first refresh after endwin */
	enter(screen);
	screen->redraw = true;
	screen->cursor_moved = true;
	screen_check_size(screen);
}

void screen_emergency_restore(void)
{
	terminal_guard_restore();
}

/* ---- frames ---- */

struct canvas *screen_canvas(struct screen *screen)
{
	return &screen->frame;
}

void screen_redraw(struct screen *screen)
{
	screen->redraw = true;
}

void screen_set_cursor(struct screen *screen, int row, int col)
{
	if (row < 0 || row >= screen->frame.rows || col < 0 || col >= screen->frame.cols)
		row = col = -1;
	if (row == screen->cursor_row && col == screen->cursor_col)
		return;
	screen->cursor_row = row;
	screen->cursor_col = col;
	screen->cursor_moved = true;
}

bool screen_check_size(struct screen *screen)
{
	struct winsize size;
	int rows, cols;

	if (screen->suspended || ioctl(screen->out_fd, TIOCGWINSZ, &size) < 0 ||
	    !size.ws_row || !size.ws_col)
		return false;
	rows = size.ws_row < MAX_ROWS ? size.ws_row : MAX_ROWS;
	cols = size.ws_col < MAX_COLS ? size.ws_col : MAX_COLS;
	if (rows == screen->frame.rows && cols == screen->frame.cols)
		return false;
	resizeterm(rows, cols);
	canvas_resize(&screen->frame, rows, cols);
	fit_buffers(screen);
	if (screen->cursor_row >= rows || screen->cursor_col >= cols)
		screen_set_cursor(screen, -1, -1);
	return true;
}

/* ---- what it is like ---- */

int screen_rows(const struct screen *screen)
{
	return screen->frame.rows;
}

int screen_cols(const struct screen *screen)
{
	return screen->frame.cols;
}

int screen_colors(const struct screen *screen)
{
	return screen->colors;
}

bool screen_is_ascii(const struct screen *screen)
{
	return screen->frame.ascii;
}

bool screen_has_mouse(const struct screen *screen)
{
	return screen->has_mouse;
}

const struct theme *screen_theme(const struct screen *screen)
{
	return screen->theme;
}

void screen_set_theme(struct screen *screen, const struct theme *theme)
{
	screen->theme = theme;
	set_looks(screen);
	screen->redraw = true;
}
