#include "tests/screens/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

#include "engine/base/utf8.h"

#define LAST_WORDS_MS 2000

struct terminal {
	VTerm *vt;
	VTermScreen *screen;
	int fd; /* the controlling side; -1 after a hang-up */
	pid_t child; /* 0 once reaped */
	int status;
	int rows, cols;
	int cursor_row, cursor_col;
	bool cursor_visible;
	bool alternate;
	/*
	 * The alternate screen was just left. A real terminal then restores only the cursor's
	 * position. libvterm also restores its visibility: off, as ncurses had hidden the cursor.
	 */
	bool restores;
	uint64_t changes;
};

static int on_cursor(VTermPos pos, VTermPos old, int visible, void *user)
{
	struct terminal *terminal = user;

	(void)old;
	(void)visible;
	terminal->cursor_row = pos.row;
	terminal->cursor_col = pos.col;
	return 1;
}

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct terminal *terminal = user;

	if (property == VTERM_PROP_ALTSCREEN) {
		terminal->alternate = value->boolean;
		terminal->restores = !value->boolean;
		return 1;
	}
	if (property == VTERM_PROP_CURSORVISIBLE && !terminal->restores)
		terminal->cursor_visible = value->boolean;
	terminal->restores = false;
	return 1;
}

/* Send the terminal's replies to queries of the program, such as the cursor position. */
static void on_output(const char *bytes, size_t len, void *user)
{
	struct terminal *terminal = user;

	terminal_type(terminal, bytes, len);
}

static const VTermScreenCallbacks callbacks = {
	.movecursor = on_cursor,
	.settermprop = on_property,
};

__attribute__((noreturn)) static void run_child(char *const *argv, char *const *environment)
{
	for (int i = 0; environment && environment[i]; i++)
		putenv(environment[i]);
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

struct terminal *terminal_start(char *const *argv, char *const *environment, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };
	struct terminal *terminal = calloc(1, sizeof(*terminal));

	if (!terminal)
		return NULL;
	terminal->rows = rows;
	terminal->cols = cols;
	terminal->child = forkpty(&terminal->fd, NULL, NULL, &size);
	if (terminal->child < 0) {
		free(terminal);
		return NULL;
	}
	if (!terminal->child)
		run_child(argv, environment);
	fcntl(terminal->fd, F_SETFD, FD_CLOEXEC);
	terminal->vt = vterm_new(rows, cols);
	vterm_set_utf8(terminal->vt, 1);
	vterm_output_set_callback(terminal->vt, on_output, terminal);
	terminal->screen = vterm_obtain_screen(terminal->vt);
	vterm_screen_set_callbacks(terminal->screen, &callbacks, terminal);
	vterm_screen_enable_altscreen(terminal->screen, 1);
	vterm_screen_reset(terminal->screen, 1);
	return terminal;
}

static bool reap(struct terminal *terminal, int options)
{
	if (!terminal->child)
		return true;
	if (waitpid(terminal->child, &terminal->status, options) != terminal->child)
		return false;
	terminal->child = 0;
	return true;
}

void terminal_free(struct terminal *terminal)
{
	if (!terminal)
		return;
	if (!reap(terminal, WNOHANG)) {
		kill(terminal->child, SIGKILL);
		reap(terminal, 0);
	}
	if (terminal->fd >= 0)
		close(terminal->fd);
	vterm_free(terminal->vt);
	free(terminal);
}

bool terminal_pump(struct terminal *terminal, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = terminal->fd, .events = POLLIN };
	char bytes[65536];

	if (terminal->fd < 0)
		return false;
	if (poll(&poll_fd, 1, timeout_ms) <= 0)
		return true;
	ssize_t n = read(terminal->fd, bytes, sizeof(bytes));
	if (n <= 0) /* EIO: the program closed its side */
		return n < 0 && errno == EINTR;
	vterm_input_write(terminal->vt, bytes, (size_t)n);
	vterm_screen_flush_damage(terminal->screen);
	terminal->changes++;
	return true;
}

void terminal_type(struct terminal *terminal, const char *bytes, size_t len)
{
	while (len && terminal->fd >= 0) {
		ssize_t n = write(terminal->fd, bytes, len);
		if (n <= 0)
			return;
		bytes += n;
		len -= (size_t)n;
	}
}

void terminal_resize(struct terminal *terminal, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	vterm_set_size(terminal->vt, rows, cols);
	terminal->rows = rows;
	terminal->cols = cols;
	ioctl(terminal->fd, TIOCSWINSZ, &size);
}

void terminal_signal(struct terminal *terminal, int signal)
{
	if (terminal->child)
		kill(terminal->child, signal);
}

void terminal_hang_up(struct terminal *terminal)
{
	close(terminal->fd);
	terminal->fd = -1;
}

int terminal_rows(const struct terminal *terminal)
{
	return terminal->rows;
}

int terminal_cols(const struct terminal *terminal)
{
	return terminal->cols;
}

static int color_of(const VTermColor *color, bool is_default)
{
	if (is_default)
		return COLOR_DEFAULT;
	if (VTERM_COLOR_IS_INDEXED(color))
		return color->indexed.idx;
	return 0x1000000 | color->rgb.red << 16 | color->rgb.green << 8 | color->rgb.blue;
}

void terminal_cell(const struct terminal *terminal, int row, int col, struct cell *cell)
{
	VTermPos pos = { .row = row, .col = col };
	VTermScreenCell seen;
	size_t len = 0;

	memset(cell, 0, sizeof(*cell));
	if (!vterm_screen_get_cell(terminal->screen, pos, &seen))
		return;
	if (seen.chars[0] != (uint32_t)-1) {
		cell->width = seen.width;
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && seen.chars[i]; i++)
			if (len + 4 < sizeof(cell->text))
				len += utf8_encode(seen.chars[i], cell->text + len);
		if (!len)
			cell->text[len++] = ' ';
	}
	cell->fg = color_of(&seen.fg, VTERM_COLOR_IS_DEFAULT_FG(&seen.fg));
	cell->bg = color_of(&seen.bg, VTERM_COLOR_IS_DEFAULT_BG(&seen.bg));
	cell->attrs = (uint8_t)((seen.attrs.bold ? CELL_BOLD : 0) |
				(seen.attrs.underline ? CELL_UNDERLINE : 0) |
				(seen.attrs.reverse ? CELL_REVERSE : 0) |
				(seen.attrs.italic ? CELL_ITALIC : 0));
}

void terminal_cursor(const struct terminal *terminal, int *row, int *col, bool *visible)
{
	*row = terminal->cursor_row;
	*col = terminal->cursor_col;
	*visible = terminal->cursor_visible;
}

bool terminal_alternate(const struct terminal *terminal)
{
	return terminal->alternate;
}

uint64_t terminal_changes(const struct terminal *terminal)
{
	return terminal->changes;
}

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

bool terminal_wait_end(struct terminal *terminal, int timeout_ms, int *status)
{
	long long end = now_ms() + timeout_ms;

	while (!reap(terminal, WNOHANG)) {
		if (now_ms() >= end)
			return false;
		if (!terminal_pump(terminal, 10))
			poll(NULL, 0, 2);
	}
	/* Read the remaining output, with a limit: a child can hold the program's side open. */
	end = now_ms() + LAST_WORDS_MS;
	while (terminal_pump(terminal, 10) && now_ms() < end)
		;
	*status = terminal->status;
	return true;
}
