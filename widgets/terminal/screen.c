#include "widgets/terminal/screen.h"

#include "engine/base/mem.h"
#include "widgets/terminal/screen_private.h"
#include "widgets/terminal/terminal_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

/* Maximum size, larger than any terminal: any process can set the window size to any value. */
#define MAX_ROWS 500
#define MAX_COLS 1000
/* Maximum time to wait for the terminal to accept output when leaving. */
#define LEAVE_WAIT_MS 1000
#define REHEARSED_FRAMES 4
/* Limits of a rehearsal, which takes milliseconds: curses can loop on a damaged entry. */
#define REHEARSAL_CPU_S 1
#define REHEARSAL_MS 10000

/* Report presses, drags and the wheel, in SGR form, which has no limit of 223 columns. */
static const char mouse_on[] = "\033[?1000h\033[?1002h\033[?1006h";
static const char mouse_off[] = "\033[?1006l\033[?1002l\033[?1000l";
static const char paste_on[] = "\033[?2004h";
static const char paste_off[] = "\033[?2004l";

/* ---- curses ---- */

static const char *capability(const char *name)
{
	const char *value = tigetstr(name);

	return value && value != (const char *)-1 && *value ? value : NULL;
}

/* Check terminfo before starting curses, which would write errors to standard error. */
static int check_terminal(struct err *err)
{
	const char *term = getenv("TERM");
	bool can_move;
	int status;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, -ENOTTY,
			       "standard %s is not a terminal; use -b for lines of text, or --json",
			       isatty(STDIN_FILENO) ? "output" : "input");
	if (!term || !*term)
		return err_set(err, -EINVAL, "TERM is not set; try TERM=xterm-256color");
	if (setupterm(NULL, STDOUT_FILENO, &status) != OK)
		return err_set(
			err, -EINVAL,
			status < 0
				? "no terminfo database is installed (package ncurses-base); "
				  "TERM is \"%.40s\""
				: "unknown terminal type \"%.40s\" (TERM); try TERM=xterm-256color",
			term);
	can_move = capability("cup") && !tigetflag("hc");
	del_curterm(cur_term);
	if (!can_move)
		return err_set(err, -EINVAL,
			       "terminal type \"%.40s\" (TERM) cannot move the cursor; try "
			       "TERM=xterm-256color, or -b for lines of text",
			       term);
	return 0;
}

static void not_default(int number)
{
	(void)number;
}

/* Curses installs handlers for these signals; restore the caller's handlers afterwards. */
static const int kept_signals[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
#define KEPT_SIGNALS (sizeof(kept_signals) / sizeof(kept_signals[0]))

/*
 * Start curses with output to memory. The bytes go to the terminal as fast as it accepts them. If
 * curses wrote to a terminal that is not read, it would block, and retry after signals. So curses
 * sees no terminal: this file handles modes, size and input.
 *
 * Set a handler for SIGTSTP before curses starts. Without one, curses ignores the signal while it
 * composes a frame, and a pending SIGTSTP is lost.
 */
static SCREEN *start_curses(FILE *composed)
{
	struct sigaction kept[KEPT_SIGNALS];
	SCREEN *curses;

	use_env(FALSE);
	use_tioctl(TRUE); /* otherwise curses has no size if terminfo has none */
	for (size_t i = 0; i < KEPT_SIGNALS; i++)
		sigaction(kept_signals[i], NULL, &kept[i]);
	sigaction(SIGTSTP, &(struct sigaction){ .sa_handler = not_default }, NULL);
	curses = newterm(NULL, composed, stdin);
	for (size_t i = 0; i < KEPT_SIGNALS; i++)
		sigaction(kept_signals[i], &kept[i], NULL);
	return curses;
}

/* Convert enum style_attr to curses attributes. */
static unsigned int curses_attrs(uint8_t style_attrs)
{
	unsigned int attrs = 0;

	attrs |= style_attrs & STYLE_BOLD ? A_BOLD : 0;
	attrs |= style_attrs & STYLE_UNDERLINE ? A_UNDERLINE : 0;
	attrs |= style_attrs & STYLE_REVERSE ? A_REVERSE : 0;
	attrs |= style_attrs & STYLE_DIM ? A_DIM : 0;
	attrs |= style_attrs & STYLE_ITALIC ? A_ITALIC : 0;
	return attrs;
}

/* On terminals with more than 256 colours, curses takes direct RGB values. */
static int curses_color(const struct screen *screen, int color)
{
	struct color_rgb rgb;

	if (screen->colors <= 256 || color < 8)
		return color;
	rgb = color_rgb(color);
	return rgb.red << 16 | rgb.green << 8 | rgb.blue;
}

static void set_looks(struct screen *screen)
{
	for (int role = 0; role < ROLE_COUNT; role++) {
		struct style style = theme_style(screen->theme, role, screen->colors);
		struct screen_look *look = &screen->looks[role];

		look->attrs = curses_attrs(style.attrs);
		look->pair = 0;
		if (!screen->colors || (style.fg == COLOR_DEFAULT && style.bg == COLOR_DEFAULT))
			continue;
		look->pair = (short)(role + 1);
		init_extended_pair(look->pair, curses_color(screen, style.fg),
				   curses_color(screen, style.bg));
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

void screen_take_composed(struct screen *screen)
{
	int fd = fileno(screen->composed);
	char bytes[4096];
	off_t at = 0;
	ssize_t n;

	fflush(screen->composed);
	while ((n = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		terminal_output_add(&screen->output, bytes, (size_t)n);
		at += n;
	}
	if (!at)
		return;
	lseek(fd, 0, SEEK_SET);
	/* If the file cannot be truncated, drop the bytes: they would be sent again later. */
	if (ftruncate(fd, 0))
		terminal_output_drop(&screen->output);
}

static void put(struct screen *screen, const char *bytes)
{
	terminal_output_add(&screen->output, bytes, strlen(bytes));
}

/* Curses takes the terminal (again) with the first refresh after endwin. */
static void enter_curses(struct screen *screen)
{
	refresh();
	keypad(stdscr, TRUE); /* endwin() ended this mode; curses does not set it again */
	screen_take_composed(screen);
}

static void enter(struct screen *screen)
{
	terminal_guard_set_raw();
	terminal_guard_arm();
	if (screen->has_mouse)
		put(screen, mouse_on);
	/* A terminal without mouse support can print unknown sequences as text. */
	if (screen->is_xterm)
		put(screen, paste_on);
	terminal_output_send(&screen->output);
}

static void leave(struct screen *screen)
{
	if (screen->has_mouse)
		put(screen, mouse_off);
	if (screen->is_xterm)
		put(screen, paste_off);
	curs_set(1);
	endwin();
	screen_take_composed(screen);
	if (terminal_output_drain(&screen->output, LEAVE_WAIT_MS)) {
		terminal_guard_set_back();
		terminal_guard_disarm();
		return;
	}
	/* The terminal is not read: discard pending output to make room for the restoring bytes. */
	terminal_output_drop(&screen->output);
	tcflush(screen->out_fd, TCOFLUSH);
	terminal_guard_restore();
}

static void fit_buffers(struct screen *screen)
{
	size_t rows = (size_t)screen->frame.rows, cols = (size_t)screen->frame.cols;

	screen->shown = mem_realloc(screen->shown, rows * cols, sizeof(*screen->shown));
	memset(screen->shown, 0, rows * cols * sizeof(*screen->shown));
	screen->run = mem_realloc(screen->run, cols + 1, sizeof(cchar_t));
	screen->redraw = true;
}

/* ---- size ---- */

static int within(int value, int max)
{
	return value < max ? value : max;
}

static int from_environment(const char *name)
{
	const char *text = getenv(name);
	long value = text ? strtol(text, NULL, 10) : 0;

	return value < 0 ? 0 : value > MAX_COLS ? MAX_COLS : (int)value;
}

static int first_of(int a, int b, int c)
{
	return a > 0 ? a : b > 0 ? b : c;
}

/* A serial line reports no size (0 by 0): use the environment or the terminfo entry. */
static void first_size(const struct screen *screen, int *rows, int *cols)
{
	struct winsize size = { .ws_row = 0 };

	ioctl(screen->out_fd, TIOCGWINSZ, &size);
	*rows = size.ws_row && size.ws_col
			? size.ws_row
			: first_of(from_environment("LINES"), tigetnum("lines"), 24);
	*cols = size.ws_row && size.ws_col
			? size.ws_col
			: first_of(from_environment("COLUMNS"), tigetnum("cols"), 80);
	*rows = within(*rows, MAX_ROWS);
	*cols = within(*cols, MAX_COLS);
}

bool screen_check_size(struct screen *screen)
{
	struct winsize size;
	int rows, cols;

	if (screen->suspended || ioctl(screen->out_fd, TIOCGWINSZ, &size) < 0 || !size.ws_row ||
	    !size.ws_col)
		return false;
	rows = within(size.ws_row, MAX_ROWS);
	cols = within(size.ws_col, MAX_COLS);
	if (rows == screen->frame.rows && cols == screen->frame.cols)
		return false;
	resizeterm(rows, cols);
	canvas_resize(&screen->frame, rows, cols);
	fit_buffers(screen);
	if (screen->cursor_row >= rows || screen->cursor_col >= cols)
		screen_set_cursor(screen, -1, -1);
	return true;
}

/* ---- opening and leaving ---- */

static void set_up_guard(struct screen *screen)
{
	static const char *const restoring[] = { "sgr0", "rmkx", "cnorm", "rmcup" };

	if (screen->is_xterm) /* the mouse can be enabled later */
		terminal_guard_add(mouse_off);
	if (screen->is_xterm)
		terminal_guard_add(paste_off);
	for (size_t i = 0; i < sizeof(restoring) / sizeof(restoring[0]); i++)
		terminal_guard_add(capability(restoring[i]));
	terminal_guard_add(capability("rmcup") ? "\r" : "\r\n");
}

static FILE *open_composed(void)
{
	int fd = memfd_create("screen", MFD_CLOEXEC);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (!file && fd >= 0)
		close(fd);
	return file;
}

/* Read VERASE directly, since curses reads it only from a terminal that it writes to itself. */
static bool erases_with_bs(int fd)
{
	struct termios modes;

	return !tcgetattr(fd, &modes) && modes.c_cc[VERASE] == '\b';
}

static bool is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* Open a screen that writes to output_fd and does not change the modes of the terminal. */
static int open_curses(struct screen **out, const struct screen_options *options, int output_fd,
		       struct err *err)
{
	struct screen *screen;
	SCREEN *curses;
	FILE *composed;
	bool ascii;
	int failed, rows, cols;

	setlocale(LC_CTYPE, "");
	failed = check_terminal(err);
	if (failed)
		return failed;
	composed = open_composed();
	if (!composed)
		return err_set(err, -errno, "cannot allocate the screen: %s", strerror(errno));
	curses = start_curses(composed);
	if (!curses) {
		fclose(composed);
		return err_set(
			err, -EINVAL,
			"curses cannot use terminal type \"%.40s\" (TERM); try TERM=xterm-256color",
			getenv("TERM"));
	}
	screen = mem_zalloc(1, sizeof(*screen));
	screen->curses = curses;
	screen->composed = composed;
	screen->in_fd = STDIN_FILENO;
	screen->out_fd = STDOUT_FILENO;
	terminal_output_init(&screen->output, output_fd);
	screen->cursor_row = -1;
	screen->theme = options->theme ? options->theme : theme_default();
	ascii = options->ascii || !is_utf8();
	curs_set(0);
	screen->is_xterm = capability("kmous") != NULL;
	screen->has_mouse = screen->is_xterm && !options->no_mouse;
	start_colors(screen, options->no_color);
	set_looks(screen);
	input_parser_init(&screen->parser, screen->keys, screen_keys_load(screen->keys),
			  screen->has_mouse);
	screen->parser.bs_is_backspace = erases_with_bs(screen->in_fd);
	first_size(screen, &rows, &cols);
	resizeterm(rows, cols);
	/* Curses has already set margins, for the size in terminfo: start again. */
	endwin();
	screen_take_composed(screen);
	terminal_output_drop(&screen->output);
	enter_curses(screen);
	canvas_init(&screen->frame, rows, cols, ascii);
	fit_buffers(screen);
	*out = screen;
	return 0;
}

static void release(struct screen *screen)
{
	delscreen(screen->curses);
	fclose(screen->composed);
	canvas_release(&screen->frame);
	input_parser_release(&screen->parser);
	terminal_output_release(&screen->output);
	free(screen->shown);
	free(screen->run);
	free(screen);
}

/* ---- rehearsal ---- */

/* Draw frames that use the cursor, all roles, and the capabilities that erase. */
static void draw_frames(struct screen *screen)
{
	for (int frame = 0; frame < REHEARSED_FRAMES; frame++) {
		struct canvas *canvas = &screen->frame;

		for (int row = 0; row < canvas->rows; row++)
			canvas_textf(canvas, row, row * 3 % canvas->cols, row % ROLE_COUNT,
				     "%d frame │ … %d", row, frame);
		if (frame % 2)
			canvas_fill(canvas, (struct rect){ 1, 2, canvas->rows / 2, canvas->cols },
				    ' ', ROLE_TEXT);
		screen_set_cursor(screen, frame % 2 ? canvas->rows / 2 : -1, frame);
		screen->redraw = frame == REHEARSED_FRAMES - 1;
		screen_show(screen);
	}
	screen_bell(screen);
}

/* Runs in a child process. Ignores errors of open_curses(): screen_open() reports them. */
static void __attribute__((noreturn)) rehearse(const struct screen_options *options)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct screen *screen;
	sigset_t none;
	struct err err;

	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		signal(fatal[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	setrlimit(RLIMIT_CPU, &(struct rlimit){ REHEARSAL_CPU_S, REHEARSAL_CPU_S });
	dup2(null, STDERR_FILENO);
	if (!open_curses(&screen, options, null, &err)) {
		draw_frames(screen);
		curs_set(1);
		endwin();
		screen_take_composed(screen);
		release(screen);
	}
	_exit(0);
}

void screen_rehearse(const struct screen_options *options)
{
	struct screen_rehearsal *rehearsal = options->rehearsal;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return;
	rehearsal->pid = fork();
	if (!rehearsal->pid)
		rehearse(options);
	close(ends[1]);
	rehearsal->fd = ends[0];
	if (rehearsal->pid < 0)
		close(ends[0]);
}

/* Wait for the child, if there is one. -EINVAL: it crashed or was killed. */
static int end_rehearsal(struct screen_rehearsal *rehearsal, struct err *err)
{
	struct pollfd end = { .events = POLLIN };
	int status = 0, ended;

	if (!rehearsal || rehearsal->pid <= 0)
		return 0;
	end.fd = rehearsal->fd;
	do
		ended = poll(&end, 1, REHEARSAL_MS);
	while (ended < 0 && errno == EINTR);
	close(rehearsal->fd);
	kill(rehearsal->pid, SIGKILL); /* a child that has exited keeps its status */
	while (waitpid(rehearsal->pid, &status, 0) < 0 && errno == EINTR)
		;
	rehearsal->pid = 0;
	/* On an overloaded machine the child can be late: that says nothing about the entry. */
	if (!status || !ended)
		return 0;
	return err_set(err, -EINVAL,
		       "the terminfo entry of terminal type \"%.40s\" (TERM) is damaged: curses "
		       "crashes; install the entry again, or try TERM=xterm-256color",
		       getenv("TERM"));
}

int screen_open(struct screen **out, const struct screen_options *options, struct err *err)
{
	int failed = end_rehearsal(options->rehearsal, err);

	if (!failed)
		failed = open_curses(out, options, STDOUT_FILENO, err);
	if (failed)
		return failed;
	terminal_guard_init((*out)->output.fd);
	set_up_guard(*out);
	enter(*out);
	return 0;
}

void screen_close(struct screen *screen)
{
	if (!screen)
		return;
	if (!screen->suspended)
		leave(screen);
	release(screen);
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
	/*
	 * Set the modes before any output: in a background process this raises SIGTTOU, which stops
	 * it until it is in the foreground.
	 */
	terminal_guard_set_raw();
	enter_curses(screen);
	enter(screen);
	screen->redraw = true;
	screen->cursor_moved = true;
	screen_check_size(screen);
}

void screen_take_again(struct screen *screen)
{
	terminal_guard_set_raw();
	screen_suspend(screen);
	screen_resume(screen);
}

bool screen_is_behind(struct screen *screen)
{
	return !terminal_output_send(&screen->output);
}

int screen_behind_fd(const struct screen *screen)
{
	return terminal_output_is_pending(&screen->output) ? screen->output.fd : -1;
}

pid_t screen_watch(void)
{
	return terminal_guard_watch();
}

void screen_unwatch(void)
{
	terminal_guard_unwatch();
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

/* ---- properties ---- */

int screen_rows(const struct screen *screen)
{
	return screen->frame.rows;
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

void screen_set_ascii(struct screen *screen, bool on)
{
	screen->frame.ascii = on || !is_utf8();
	screen->redraw = true;
}

void screen_set_mouse(struct screen *screen, bool on)
{
	if (!screen->is_xterm || on == screen->has_mouse)
		return;
	screen->has_mouse = screen->parser.wants_mouse = on;
	put(screen, on ? mouse_on : mouse_off);
}

void screen_set_theme(struct screen *screen, const struct theme *theme)
{
	screen->theme = theme;
	set_looks(screen);
	screen->redraw = true;
}
