/* The screen and its input on a pseudo-terminal, whose other end the test holds. */
#include "widgets/terminal/screen.h"

#include "tests/unit/runner.h"
#include "widgets/terminal/screen_input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define ROWS 6
#define COLS 30
#define WAIT_MS 20000

static int master;
static struct screen *screen;
static struct termios modes_before;
static char written[65536]; /* output of the screen up to the last take_output() */

static void set_size(int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	ck_assert_int_eq(ioctl(master, TIOCSWINSZ, &size), 0);
}

static void make_terminal(const char *term)
{
	int slave;

	ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
	set_size(ROWS, COLS);
	ck_assert_int_eq(dup2(slave, STDIN_FILENO), STDIN_FILENO);
	ck_assert_int_eq(dup2(slave, STDOUT_FILENO), STDOUT_FILENO);
	close(slave);
	ck_assert_int_eq(tcgetattr(STDIN_FILENO, &modes_before), 0);
	ck_assert_int_eq(fcntl(master, F_SETFL, O_NONBLOCK), 0);
	ck_assert_int_eq(setenv("TERM", term, 1), 0);
}

/* Return the output so far. A mark is written after it, to see when the kernel has delivered it. */
static const char *take_output(void)
{
	static const char mark[] = "<so far>";
	struct pollfd poll_fd = { .fd = master, .events = POLLIN };
	char *end = NULL;
	size_t len = 0;

	ck_assert_int_eq(write(STDOUT_FILENO, mark, sizeof(mark) - 1), sizeof(mark) - 1);
	while (!end) {
		ssize_t n;

		ck_assert_int_gt(poll(&poll_fd, 1, WAIT_MS), 0);
		n = read(master, written + len, sizeof(written) - 1 - len);
		ck_assert_int_gt(n, 0);
		len += (size_t)n;
		written[len] = '\0';
		end = strstr(written, mark);
	}
	*end = '\0';
	return written;
}

static void open_screen(const struct screen_options *options)
{
	struct err err = { "" };

	ck_assert_msg(!screen_open(&screen, options, &err), "%s", err.text);
}

static void type(const char *bytes, size_t len)
{
	ck_assert_int_eq(write(master, bytes, len), (ssize_t)len);
}

static struct input_event next_event(void)
{
	struct pollfd poll_fd = { .fd = screen_input_fd(screen), .events = POLLIN };
	struct input_event event;

	for (int waited = 0; !screen_input_next(screen, &event); waited += 10) {
		ck_assert_msg(waited < WAIT_MS, "no event, %d", waited);
		poll(&poll_fd, 1, 10);
	}
	return event;
}

static const struct {
	const char *bytes, *key;
} keys[] = {
	{ "a", "a" },
	{ "A", "A" },
	{ " ", "Space" },
	{ "\r", "Enter" },
	{ "\t", "Tab" },
	{ "\n", "Ctrl-J" },
	{ "\x7f", "Backspace" },
	{ "\b", "Ctrl-H" },
	{ "\x0c", "Ctrl-L" },
	{ "\x1a", "Ctrl-Z" },
	{ "\x03", "Ctrl-C" },
	{ "\x1c", "Ctrl-\\" },
	{ "\033", "Esc" },
	{ "\033x", "Alt-x" },
	{ "\033\x7f", "Alt-Backspace" },
	{ "\xc3\xa9", "é" },
	{ "\xe6\x97\xa5", "日" },
	{ "\033OA", "Up" },
	{ "\033[A", "Up" },
	{ "\033OB", "Down" },
	{ "\033[1;5D", "Ctrl-Left" },
	{ "\033[1;2A", "Shift-Up" },
	{ "\033[1;3C", "Alt-Right" },
	{ "\033[Z", "Shift-Tab" },
	{ "\033[5~", "PgUp" },
	{ "\033[6~", "PgDn" },
	{ "\033[3~", "Del" },
	{ "\033OH", "Home" },
	{ "\033[1~", "Home" },
	{ "\033[4~", "End" },
	{ "\033OP", "F1" },
	{ "\033[11~", "F1" },
	{ "\033[15~", "F5" },
	{ "\033[21~", "F10" },
	{ "\033[24~", "F12" },
	{ "\033[1;2P", "Shift-F1" },
	{ "\033[3;5~", "Ctrl-Del" },
	/* An unknown sequence is skipped whole; the z after it is the next key. */
	{ "\033[1;9Xz", "z" },
	{ "\033[99~z", "z" },
	{ "\033[?1;2cz", "z" },
	{ "\033[M", NULL },
	{ "\033[<0;5;5Xz", "z" },
	{ "\033[1;2;3;4;5;6~", NULL },
	{ "\xff\xc3z", "z" },
};

/* Old terminals send ^H for the key Backspace, and VERASE is ^H. */
START_TEST(the_erase_character_is_backspace)
{
	struct input_event event;
	struct termios modes;

	make_terminal("xterm-256color");
	ck_assert_int_eq(tcgetattr(master, &modes), 0);
	modes.c_cc[VERASE] = '\b';
	ck_assert_int_eq(tcsetattr(master, TCSANOW, &modes), 0);
	open_screen(&(struct screen_options){ .no_color = false });
	type("\b\x7f", 2);
	for (int i = 0; i < 2; i++) {
		event = next_event();
		ck_assert_uint_eq(event.key.code, KEYS_BACKSPACE);
		ck_assert_uint_eq(event.key.mods, 0);
	}
	screen_close(screen);
}
END_TEST

START_TEST(bytes_become_keys)
{
	struct input_event event;
	char name[KEY_NAME_BYTES];

	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .no_color = false });
	type(keys[_i].bytes, strlen(keys[_i].bytes));
	if (keys[_i].key) {
		event = next_event();
		ck_assert_int_eq(event.kind, EVENT_KEY);
		ck_assert_str_eq(key_format(name, event.key), keys[_i].key);
	}
	screen_close(screen);
}
END_TEST

START_TEST(mouse_reports_have_positions)
{
	struct input_event event;

	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .no_mouse = false });
	ck_assert_ptr_nonnull(strstr(take_output(), "\033[?1006h"));
	type("\033[<0;300;20M", 12);
	event = next_event();
	ck_assert_int_eq(event.kind, EVENT_MOUSE);
	ck_assert_int_eq(event.mouse.action, MOUSE_PRESS);
	ck_assert_int_eq(event.mouse.button, 1);
	ck_assert_int_eq(event.mouse.row, 19);
	ck_assert_int_eq(event.mouse.col, 299);
	ck_assert(!event.mouse.twice);
	type("\033[<0;300;20m\033[<0;300;20M", 24);
	ck_assert_int_eq(next_event().mouse.action, MOUSE_RELEASE);
	ck_assert(next_event().mouse.twice);
	type("\033[<32;1;2M\033[<64;1;1M\033[<81;1;1M", 30);
	ck_assert_int_eq(next_event().mouse.action, MOUSE_DRAG);
	ck_assert_int_eq(next_event().mouse.action, MOUSE_WHEEL_UP);
	event = next_event();
	ck_assert_int_eq(event.mouse.action, MOUSE_WHEEL_DOWN);
	ck_assert_int_eq(event.key.mods, KEY_MOD_CTRL);
	screen_close(screen);
	ck_assert_ptr_nonnull(strstr(take_output(), "\033[?1006l"));
}
END_TEST

START_TEST(paste_is_one_event)
{
	struct input_event event;

	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .no_mouse = true });
	ck_assert_ptr_null(strstr(take_output(), "\033[?1006h"));
	type("\033[200~q two\rlines \033[A\xc3\xa9\033[201~x", 30);
	event = next_event();
	ck_assert_int_eq(event.kind, EVENT_PASTE);
	ck_assert_uint_eq(event.paste_bytes, 14);
	ck_assert(!memcmp(event.paste, "q two\rlines \xc3\xa9", 14));
	event = next_event();
	ck_assert_int_eq(event.kind, EVENT_KEY);
	ck_assert_uint_eq(event.key.code, 'x');
	screen_close(screen);
}
END_TEST

START_TEST(long_paste_is_read_in_turns)
{
	struct pollfd poll_fd = { .fd = STDIN_FILENO, .events = POLLIN };
	struct input_event event;
	char text[3000];

	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .no_mouse = true });
	memset(text, 'x', sizeof(text));
	type("\033[200~", 6);
	type(text, sizeof(text));
	ck_assert(!screen_input_next(screen, &event));
	ck_assert_int_eq(poll(&poll_fd, 1, WAIT_MS), 1);
	type("\033[201~", 6);
	event = next_event();
	ck_assert_int_eq(event.kind, EVENT_PASTE);
	ck_assert_uint_eq(event.paste_bytes, sizeof(text));
	screen_close(screen);
}
END_TEST

START_TEST(only_changes_are_written)
{
	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .no_color = true });
	canvas_text(screen_canvas(screen), 1, 2, ROLE_TEXT, "hello");
	ck_assert_int_eq(screen_show(screen), ROWS * COLS);
	ck_assert_ptr_nonnull(strstr(take_output(), "hello"));
	ck_assert_int_eq(screen_show(screen), 0);
	ck_assert_str_eq(take_output(), "");
	canvas_text(screen_canvas(screen), 1, 2, ROLE_TEXT, "jello");
	ck_assert_int_eq(screen_show(screen), 1);
	ck_assert_uint_lt(strlen(take_output()), 20);
	ck_assert_ptr_nonnull(strchr(written, 'j'));
	screen_redraw(screen);
	screen_show(screen);
	ck_assert_ptr_nonnull(strstr(take_output(), "jello"));
	screen_close(screen);
}
END_TEST

/* With other margins, a line feed would scroll. */
START_TEST(margins_are_those_of_the_terminal)
{
	make_terminal("vt100");
	open_screen(&(struct screen_options){ .ascii = false });
	screen_show(screen);
	take_output();
	ck_assert_ptr_nonnull(strstr(written, "\033[1;6r"));
	ck_assert_ptr_null(strstr(written, "\033[1;24r"));
	screen_suspend(screen);
	screen_resume(screen);
	take_output();
	ck_assert_ptr_nonnull(strstr(written, "\033[1;6r"));
	ck_assert_ptr_nonnull(strstr(written, "\033[?1h")); /* cursor keys as in terminfo */
	screen_close(screen);
}
END_TEST

START_TEST(resize_is_noticed)
{
	struct input_event event;

	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .ascii = false });
	screen_set_cursor(screen, ROWS - 1, 3);
	screen_show(screen);
	take_output();
	set_size(3, 12);
	event = next_event();
	ck_assert_int_eq(event.kind, EVENT_RESIZE);
	ck_assert_int_eq(screen_rows(screen), 3);
	ck_assert_int_eq(screen_canvas(screen)->cols, 12);
	screen_show(screen);
	set_size(1, 1);
	ck_assert_int_eq(next_event().kind, EVENT_RESIZE);
	canvas_text(screen_canvas(screen), 0, 0, ROLE_TEXT, "日本");
	screen_show(screen);
	set_size(65535, 65535);
	ck_assert_int_eq(next_event().kind, EVENT_RESIZE);
	ck_assert_int_le(screen_rows(screen), 1000);
	set_size(0, 0);
	ck_assert(!screen_check_size(screen));
	take_output();
	screen_close(screen);
}
END_TEST

START_TEST(hangup_is_reported)
{
	signal(SIGHUP, SIG_IGN);
	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .ascii = false });
	close(master);
	ck_assert_int_eq(next_event().kind, EVENT_HANGUP);
	screen_close(screen);
}
END_TEST

static void check_modes_restored(void)
{
	struct termios now;

	ck_assert_int_eq(tcgetattr(STDIN_FILENO, &now), 0);
	ck_assert_uint_eq(now.c_lflag, modes_before.c_lflag);
	ck_assert_uint_eq(now.c_iflag, modes_before.c_iflag);
	ck_assert_uint_eq(now.c_oflag, modes_before.c_oflag);
}

static void check_raw(void)
{
	struct termios now;

	ck_assert_int_eq(tcgetattr(STDIN_FILENO, &now), 0);
	ck_assert(!(now.c_lflag & (ICANON | ISIG | ECHO)));
}

/* 0: closed, 1: suspended and resumed, 2: restored as by a signal handler. */
START_TEST(terminal_is_restored)
{
	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .ascii = false });
	screen_show(screen);
	check_raw();
	ck_assert_ptr_nonnull(strstr(take_output(), "\033[?1049h"));
	if (_i == 0) {
		screen_close(screen);
	} else if (_i == 1) {
		struct input_event event;

		screen_suspend(screen);
		type("x\n", 2);
		ck_assert(!screen_input_next(screen, &event)); /* input of the shell */
	} else {
		screen_emergency_restore();
		screen_emergency_restore();
	}
	check_modes_restored();
	take_output();
	ck_assert_ptr_nonnull(strstr(written, "\033[?1049l"));
	ck_assert_ptr_nonnull(strstr(written, "\033[?1000l"));
	ck_assert_ptr_nonnull(strstr(written, "\033[?2004l"));
	ck_assert_ptr_nonnull(strstr(written, "\033[?25h"));
	if (_i == 1) {
		screen_resume(screen);
		check_raw();
		canvas_text(screen_canvas(screen), 0, 0, ROLE_TEXT, "again");
		screen_show(screen);
		take_output();
		ck_assert_ptr_nonnull(strstr(written, "\033[?1049h"));
		ck_assert_ptr_nonnull(strstr(written, "again"));
		ck_assert_ptr_nonnull(strstr(written, "\033[?1000h"));
		screen_close(screen);
		check_modes_restored();
	}
}
END_TEST

START_TEST(signal_handlers_of_the_caller_stay)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
	struct sigaction action;

	make_terminal("xterm-256color");
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL); /* curses handles these by default */
	open_screen(&(struct screen_options){ .ascii = false });
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], NULL, &action);
		ck_assert(action.sa_handler == SIG_DFL);
	}
	screen_close(screen);
}
END_TEST

START_TEST(a_pending_stop_outlives_a_frame)
{
	sigset_t stop, pending;

	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .no_color = true });
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	kill(getpid(), SIGTSTP);
	canvas_text(screen_canvas(screen), 1, 2, ROLE_TEXT, "hello");
	ck_assert_int_gt(screen_show(screen), 0);
	sigpending(&pending);
	ck_assert(sigismember(&pending, SIGTSTP));
	/* Discard the pending signal: it would stop the test. */
	signal(SIGTSTP, SIG_IGN);
	screen_close(screen);
}
END_TEST

static const struct {
	const char *term;
	int colors;
	bool mouse;
} terms[] = {
	{ "xterm-256color", 256, true },
	{ "screen-256color", 256, true },
	{ "xterm", 8, true },
	{ "linux", 8, true },
	{ "vt100", 0, false },
};

START_TEST(colors_and_mouse_depend_on_the_terminal)
{
	make_terminal(terms[_i].term);
	open_screen(&(struct screen_options){ .ascii = false });
	ck_assert_int_eq(screen_colors(screen), terms[_i].colors);
	ck_assert_int_eq(screen_has_mouse(screen), terms[_i].mouse);
	for (int role = 0; role < ROLE_COUNT; role++)
		canvas_char(screen_canvas(screen), role / 20, role % 20, 'x', role);
	ck_assert_int_gt(screen_show(screen), 0);
	take_output();
	if (!terms[_i].mouse)
		ck_assert_ptr_null(strstr(written, "\033[?1000h"));
	screen_close(screen);
}
END_TEST

START_TEST(no_color_writes_no_colors)
{
	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .no_color = true });
	canvas_text(screen_canvas(screen), 0, 0, ROLE_ERROR, "failed");
	screen_show(screen);
	take_output();
	ck_assert_ptr_null(strstr(written, "8;5;"));
	ck_assert_ptr_null(strstr(written, "\033[31m"));
	ck_assert_ptr_nonnull(strstr(written, "1m"));
	ck_assert_int_eq(screen_colors(screen), 0);
	screen_close(screen);
}
END_TEST

START_TEST(other_encodings_get_ascii)
{
	setenv("LC_ALL", "C", 1);
	make_terminal("xterm-256color");
	open_screen(&(struct screen_options){ .ascii = false });
	ck_assert(screen_is_ascii(screen));
	canvas_box(screen_canvas(screen), (struct rect){ 0, 0, 3, 5 }, ROLE_TEXT);
	screen_show(screen);
	for (const char *c = take_output(); *c; c++)
		ck_assert((unsigned char)*c < 0x80);
	screen_close(screen);
}
END_TEST

static const struct {
	const char *term, *sentence;
	int code;
} refused[] = {
	{ "dumb", "terminal type \"dumb\" (TERM) cannot move the cursor", -EINVAL },
	{ "nosuchterm", "unknown terminal type \"nosuchterm\" (TERM)", -EINVAL },
	{ "", "TERM is not set", -EINVAL },
};

START_TEST(useless_terminals_are_refused)
{
	struct err err = { "" };

	make_terminal(refused[_i].term);
	ck_assert_int_eq(screen_open(&screen, &(struct screen_options){ .ascii = false }, &err),
			 refused[_i].code);
	ck_assert_msg(!strncmp(err.text, refused[_i].sentence, strlen(refused[_i].sentence)), "%s",
		      err.text);
	ck_assert_str_eq(take_output(), "");
	check_modes_restored();
}
END_TEST

START_TEST(a_rehearsal_leaves_the_terminal_alone)
{
	struct screen_rehearsal rehearsal = { .pid = 0 };
	struct screen_options options = { .rehearsal = &rehearsal };

	make_terminal("xterm-256color");
	screen_rehearse(&options);
	open_screen(&options);
	ck_assert_int_eq(rehearsal.pid, 0);
	screen_show(screen);
	ck_assert_ptr_null(strstr(take_output(), "frame"));
	screen_close(screen);
	check_modes_restored();
}
END_TEST

START_TEST(streams_without_a_terminal_are_refused)
{
	struct err err = { "" };
	int null = open("/dev/null", O_RDWR);

	make_terminal("xterm-256color");
	dup2(null, _i ? STDOUT_FILENO : STDIN_FILENO);
	ck_assert_int_eq(screen_open(&screen, &(struct screen_options){ .ascii = false }, &err),
			 -ENOTTY);
	ck_assert_ptr_nonnull(strstr(err.text, _i ? "standard output is not a terminal"
						  : "standard input is not a terminal"));
}
END_TEST

static void open_for_copying(const char *term, const char *within)
{
	unsetenv("TMUX");
	unsetenv("STY");
	unsetenv("TERM_PROGRAM");
	if (within)
		setenv(within, "something", 1);
	make_terminal(term);
	open_screen(&(struct screen_options){ .ascii = false });
	screen_show(screen);
	take_output();
}

START_TEST(copy_is_base64)
{
	open_for_copying("xterm-256color", NULL);
	ck_assert_int_eq(screen_copy(screen, "a row\n", 6), 0);
	ck_assert_str_eq(take_output(), "\033]52;c;YSByb3cK\a");
	ck_assert_int_eq(screen_copy(screen, "ab", 2), 0);
	ck_assert_str_eq(take_output(), "\033]52;c;YWI=\a");
	ck_assert_int_eq(screen_copy(screen, written, 80000), -E2BIG);
	screen_close(screen);
}
END_TEST

static const struct {
	const char *term, *within, *bytes;
	int code;
} copies[] = {
	{ "xterm", NULL, "\033]52;c;YWI=\a", 0 },
	{ "xterm-256color", "TMUX", "\033Ptmux;\033\033]52;c;YWI=\a\033\\\033]52;c;YWI=\a", 0 },
	{ "tmux-256color", NULL, "\033Ptmux;\033\033]52;c;YWI=\a\033\\\033]52;c;YWI=\a", 0 },
	{ "xterm", "STY", "\033P\033]52;c;YWI=\a\033\\\033]52;c;YWI=\a", 0 },
	{ "screen", NULL, "\033P\033]52;c;YWI=\a\033\\\033]52;c;YWI=\a", 0 },
	{ "linux", NULL, "", -EOPNOTSUPP },
	{ "vt100", NULL, "", -EOPNOTSUPP },
};

START_TEST(copies_are_wrapped_for_the_terminal)
{
	open_for_copying(copies[_i].term, copies[_i].within);
	ck_assert_int_eq(screen_copy(screen, "ab", 2), copies[_i].code);
	ck_assert_str_eq(take_output(), copies[_i].bytes);
	screen_close(screen);
}
END_TEST

/* GNU screen drops strings of more than 768 bytes. */
START_TEST(copies_for_screen_are_split)
{
	char text[3000];
	size_t longest = 0;

	open_for_copying("screen", NULL);
	memset(text, 'x', sizeof(text));
	ck_assert_int_eq(screen_copy(screen, text, sizeof(text)), 0);
	for (const char *at = take_output(); (at = strstr(at, "\033P")); at += 2) {
		size_t len = (size_t)(strstr(at, "\033\\") - at);

		longest = len > longest ? len : longest;
	}
	ck_assert_uint_gt(longest, 500);
	ck_assert_uint_lt(longest, 768);
	screen_close(screen);
}
END_TEST

/* If the terminal is not read, frames and copies are refused; closing still restores the modes. */
START_TEST(an_unread_terminal_blocks_nothing)
{
	char letter = 'a';
	int shown = 0;

	make_terminal("xterm-256color");
	set_size(200, 400);
	open_screen(&(struct screen_options){ .ascii = false });
	for (int frame = 0; frame < 20 && !screen_is_behind(screen); frame++) {
		canvas_fill(screen_canvas(screen), canvas_rect(screen_canvas(screen)),
			    (uint32_t)letter++, ROLE_TEXT);
		shown += screen_show(screen);
	}
	ck_assert(screen_is_behind(screen));
	ck_assert_int_ge(screen_behind_fd(screen), 0);
	ck_assert_int_gt(shown, 0);
	canvas_fill(screen_canvas(screen), canvas_rect(screen_canvas(screen)), 'Z', ROLE_TEXT);
	ck_assert_int_eq(screen_show(screen), 0);
	ck_assert_int_eq(screen_copy(screen, "ab", 2), -EAGAIN);
	while (screen_is_behind(screen))
		ck_assert(read(master, written, sizeof(written)) > 0 || errno == EAGAIN);
	ck_assert_int_eq(screen_behind_fd(screen), -1);
	ck_assert_int_gt(screen_show(screen), 0);
	screen_show(screen);
	screen_close(screen);
	check_modes_restored();
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

Suite *suite_screen(void);

Suite *suite_screen(void)
{
	Suite *suite = suite_create("screen");
	TCase *tcase = tcase_create("screen");

	tcase_set_timeout(tcase, 10);
	tcase_add_test(tcase, the_erase_character_is_backspace);
	tcase_add_loop_test(tcase, bytes_become_keys, 0, COUNT(keys));
	tcase_add_test(tcase, mouse_reports_have_positions);
	tcase_add_test(tcase, paste_is_one_event);
	tcase_add_test(tcase, long_paste_is_read_in_turns);
	tcase_add_test(tcase, only_changes_are_written);
	tcase_add_test(tcase, margins_are_those_of_the_terminal);
	tcase_add_test(tcase, resize_is_noticed);
	tcase_add_test(tcase, hangup_is_reported);
	tcase_add_loop_test(tcase, terminal_is_restored, 0, 3);
	tcase_add_test(tcase, signal_handlers_of_the_caller_stay);
	tcase_add_test(tcase, a_pending_stop_outlives_a_frame);
	tcase_add_loop_test(tcase, colors_and_mouse_depend_on_the_terminal, 0, COUNT(terms));
	tcase_add_test(tcase, no_color_writes_no_colors);
	tcase_add_test(tcase, other_encodings_get_ascii);
	tcase_add_loop_test(tcase, useless_terminals_are_refused, 0, COUNT(refused));
	tcase_add_test(tcase, a_rehearsal_leaves_the_terminal_alone);
	tcase_add_loop_test(tcase, streams_without_a_terminal_are_refused, 0, 2);
	tcase_add_test(tcase, copy_is_base64);
	tcase_add_loop_test(tcase, copies_are_wrapped_for_the_terminal, 0, COUNT(copies));
	tcase_add_test(tcase, copies_for_screen_are_split);
	tcase_add_test(tcase, an_unread_terminal_blocks_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
