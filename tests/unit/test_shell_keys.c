/* Keys and key sequences in the shell, with valid and invalid keymaps. */
#include "tui/shell/shell_keys.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longer than any wait for the next key. */
#define LONG_NS (10ULL * 1000000000)

static struct recorded_shell on;
static char folder[TEMPORARY_PATH_MAX];

static void setup(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
	temporary_folder(folder, "keys");
	ck_assert(!setenv("XDG_CONFIG_HOME", folder, 1));
}

static void remove_file(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	remove(path);
}

static void teardown(void)
{
	remove_file("stxtop/" BINDINGS_FILE);
	remove_file("stxtop");
	remove_file("");
	recorded_shell_close(&on);
}

static void use(struct bindings *bindings)
{
	bindings_free(on.bindings);
	on.bindings = on.shell.bindings = bindings;
	function_bar_init(&on.shell.bar, bindings, false);
	recorded_shell_settle(&on);
}

static void use_keymap(const char *name)
{
	struct bindings *bindings;
	struct err err;

	ck_assert_msg(!bindings_new(&bindings, name, &err), "%s", err.text);
	use(bindings);
}

/* Load a keymap of the user. */
static void use_file(const char *text)
{
	char path[128];
	struct bindings *bindings;
	struct err err;
	FILE *file;

	snprintf(path, sizeof(path), "%s/stxtop", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/stxtop/" BINDINGS_FILE, folder);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fwrite(text, 1, strlen(text), file), (int)strlen(text));
	fclose(file);
	ck_assert_msg(!bindings_new_for_user(&bindings, NULL, &err), "%s", err.text);
	use(bindings);
}

static void press(const char *const *keys)
{
	for (; *keys; keys++)
		recorded_shell_press(&on, *keys);
}
#define PRESS(...) press((const char *const[]){ __VA_ARGS__, NULL })

static bool shows(const char *text)
{
	return recorded_shell_row(&on, text) >= 0;
}

static bool shows_view(enum shell_view view)
{
	return on.shell.shown == &on.shell.views[view];
}

static void wait_long(void)
{
	on.shell.pending_keys.since_ns -= LONG_NS;
	recorded_shell_settle(&on);
}

START_TEST(a_sequence_runs_one_action)
{
	use_keymap("vi");
	PRESS("g");
	ck_assert(shows_view(SHELL_OVERVIEW));
	PRESS("t");
	ck_assert(shows_view(SHELL_OVERVIEW + 1));
	PRESS("g", "T", "g", "T");
	ck_assert(shows_view(SHELL_VIEW_COUNT - 1)); /* wraps around */
	PRESS("Z", "Z");
	ck_assert_int_eq(on.shell.request, REQUEST_QUIT);
}
END_TEST

START_TEST(pressed_keys_are_shown_and_then_the_next_ones)
{
	use_keymap("emacs");
	PRESS("Ctrl-X");
	ck_assert_int_eq(recorded_shell_row(&on, "Ctrl-X - another key, or Esc to cancel"), 39);
	ck_assert(!shows("next pane"));
	wait_long();
	ck_assert(shows("Keys after Ctrl-X"));
	ck_assert(shows("o       next pane"));
	ck_assert(shows("Ctrl-C  quit stxtop"));
	PRESS("o");
	ck_assert(!shows("Ctrl-X"));
	ck_assert_int_eq(on.shell.shown->layout.focus, 1);
}
END_TEST

/* The time between keys does not matter: a slow line can delay them. */
START_TEST(sequences_do_not_depend_on_time)
{
	use_keymap("emacs");
	PRESS("Ctrl-X");
	wait_long();
	wait_long();
	PRESS("Ctrl-C");
	ck_assert_int_eq(on.shell.request, REQUEST_QUIT);
}
END_TEST

START_TEST(escape_and_the_mouse_cancel_a_sequence)
{
	use_keymap("emacs");
	PRESS("Ctrl-X", "Esc");
	ck_assert(!pending_keys_waits(&on.shell.pending_keys));
	ck_assert(shows("F1Help"));
	PRESS("o"); /* acts as a single key */
	ck_assert_int_eq(on.shell.shown->layout.focus, 0);
	PRESS("Ctrl-X", "Ctrl-G", "Ctrl-X");
	recorded_shell_click(&on, 20, 5);
	ck_assert(!pending_keys_waits(&on.shell.pending_keys));
}
END_TEST

START_TEST(an_unknown_sequence_shows_a_message)
{
	use_keymap("vi");
	PRESS("g", "q");
	ck_assert_int_eq(on.shell.request, REQUEST_NONE);
	ck_assert(shows("gq does nothing; F1 lists the keys"));
	use_file("unbind F1 h ?\nhelp \"Ctrl-X h\"\nquit \"Ctrl-X x\"\n");
	PRESS("Ctrl-X", "a");
	ck_assert(shows("\"Ctrl-X a\" does nothing; \"Ctrl-X h\" lists the keys"));
}
END_TEST

START_TEST(typed_letters_of_a_sequence_are_not_lost)
{
	use_file("[prompt]\ncancel jk\n");
	PRESS("/");
	recorded_shell_type(&on, "ajjxj");
	ck_assert_str_eq(prompt_text(&on.shell.entry.prompt), "ajjx");
	wait_long();
	ck_assert_str_eq(prompt_text(&on.shell.entry.prompt), "ajjxj");
	recorded_shell_type(&on, "j");
	PRESS("Left"); /* another key: the pending letter is inserted first */
	ck_assert_str_eq(prompt_text(&on.shell.entry.prompt), "ajjxjj");
	ck_assert_uint_eq(on.shell.entry.prompt.cursor, 5);
	recorded_shell_type(&on, "jk");
	ck_assert(!on.shell.entry.open);
}
END_TEST

START_TEST(lists_take_sequences_except_while_typing)
{
	use_keymap("vi");
	PRESS("4", "=", "G");
	ck_assert_int_gt(menu_selected(&on.shell.menus.menu), 0);
	PRESS("g", "g");
	ck_assert_int_eq(menu_selected(&on.shell.menus.menu), 0);
	PRESS("Esc", ":");
	recorded_shell_type(&on, "gg");
	ck_assert_str_eq(on.shell.menus.menu.filter.data, "gg");
}
END_TEST

START_TEST(typed_letters_filter_a_list)
{
	use_keymap("default");
	PRESS("2", "F6");
	recorded_shell_type(&on, "calls/");
	ck_assert(shows("> calls/"));
	PRESS("Enter");
	ck_assert(shows("CALLS/s▼"));
	PRESS("F6", "m", "a", "Backspace", "Backspace", "Backspace");
	ck_assert_int_eq(on.shell.menus.kind, MENU_NONE);
	/* A view is found by its name or its key. */
	PRESS("F2", "f", "u", "Enter");
	ck_assert_int_eq(on.shell.shown->def->action, ACTION_VIEW_FUTEXES);
	PRESS("F2", "3", "Enter");
	ck_assert_int_eq(on.shell.shown->def->action, ACTION_VIEW_SYSCALLS);
	/* An action on an item keeps the typed text of the list. */
	PRESS("D");
	recorded_shell_type(&on, "p95");
	PRESS("Space");
	ck_assert_str_eq(on.shell.menus.menu.filter.data, "p95");
	ck_assert_uint_eq(on.shell.menus.menu.shown_count, 1);
	PRESS("Esc");
}
END_TEST

START_TEST(help_and_the_bottom_line_follow_the_keymap)
{
	use_keymap("emacs");
	PRESS("F1");
	recorded_shell_press(&on, "End");
	PRESS("Ctrl-S");
	recorded_shell_type(&on, "ctrl-x ctrl-c");
	PRESS("Enter");
	ck_assert(shows("  q F10 Ctrl-C              quit stxtop"));
	ck_assert(shows("  \"Ctrl-X Ctrl-C\""));
	PRESS("Esc");
	use_file("unbind-all\nhelp \"Ctrl-X h\"\nfilter ff\nquit Q\nback x\nmove-down n\n"
		 "[prompt]\naccept Enter\ncancel Esc\nedit-backspace Backspace\n"
		 "[menu]\naccept Enter\ncancel Esc\nmove-up Up\nmove-down Down\n");
	ck_assert(shows("^XhHelp ffFilter QQuit"));
	PRESS("Ctrl-X", "h");
	ck_assert(shows("x closes"));
	ck_assert(!shows("Keymap errors"));
	PRESS("x");
	ck_assert(!on.shell.page.open);
}
END_TEST

START_TEST(a_described_key_does_nothing)
{
	use_keymap("emacs");
	PRESS("Ctrl-H", "k");
	ck_assert(shows("Describe key: press a key"));
	PRESS("Ctrl-X", "Ctrl-C");
	ck_assert_int_eq(on.shell.request, REQUEST_NONE);
	ck_assert(shows("\"Ctrl-X Ctrl-C\" runs quit: quit stxtop (emacs:"));
	PRESS("Ctrl-X", "Ctrl-C");
	ck_assert_int_eq(on.shell.request, REQUEST_QUIT);
}
END_TEST

START_TEST(valid_lines_of_a_wrong_keymap_apply)
{
	char reported[128];

	use_file("zoom-pane X\nnonsense y\nquit X\n");
	snprintf(reported, sizeof(reported), "%s/stxtop/" BINDINGS_FILE ":2: unknown action",
		 folder);
	ck_assert_int_eq(strncmp(bindings_problem(on.bindings, 0), reported, strlen(reported)), 0);
	shell_say_keymap(&on.shell);
	ck_assert(shows(reported));
	ck_assert(shows("(and 1 more: F1)"));
	PRESS("F1");
	ck_assert(shows("Keymap errors"));
	ck_assert(shows(":3: X is also bound to zoom-pane in line 1; this line applies"));
	PRESS("Esc", "X");
	ck_assert_int_eq(on.shell.request, REQUEST_QUIT);
}
END_TEST

/* The user's file extends the keymap of the settings; with `include`, it replaces that keymap. */
START_TEST(a_file_of_the_user_extends_the_chosen_keymap)
{
	struct bindings *bindings;
	struct err err;

	use_file("zoom-pane Z\n");
	ck_assert(!bindings_new_for_user(&bindings, "emacs", &err));
	use(bindings);
	ck_assert_int_eq(bindings_action(on.bindings, CONTEXT_GLOBAL, (struct key){ 'Z', 0 }),
			 ACTION_ZOOM_PANE);
	PRESS("Ctrl-X", "Ctrl-C");
	ck_assert_int_eq(on.shell.request, REQUEST_QUIT);
	use_file("include vi\nzoom-pane Z\n");
	ck_assert(!bindings_new_for_user(&bindings, "emacs", &err));
	use(bindings);
	ck_assert_int_eq(
		bindings_action(on.bindings, CONTEXT_GLOBAL, (struct key){ 'x', KEY_MOD_CTRL }),
		KEYMAP_NONE);
	PRESS("Ctrl-X");
	ck_assert(!pending_keys_waits(&on.shell.pending_keys));
	ck_assert_ptr_null(bindings_problem(on.bindings, 0));
}
END_TEST

START_TEST(a_keymap_always_has_a_way_out)
{
	use_file("unbind-all\n");
	PRESS("Ctrl-C");
	ck_assert_int_eq(on.shell.request, REQUEST_QUIT);
	ck_assert(strstr(bindings_problem(on.bindings, 0), "no key for quit"));
	use_file("unbind-all\nfilter f\nviews-menu v\nquit q\n");
	PRESS("f");
	ck_assert(on.shell.entry.open);
	recorded_shell_type(&on, "pid");
	PRESS("Backspace");
	ck_assert_str_eq(prompt_text(&on.shell.entry.prompt), "pi");
	PRESS("Esc");
	ck_assert(!on.shell.entry.open);
	PRESS("v", "Down", "Enter");
	ck_assert_int_eq(on.shell.menus.kind, MENU_NONE);
	ck_assert(!shows_view(SHELL_OVERVIEW));
}
END_TEST

START_TEST(invalid_files_leave_the_default_keymap)
{
	struct str huge = STR_INIT;

	str_repeat(&huge, 'x', 70000);
	use_file(huge.data);
	ck_assert(strstr(bindings_problem(on.bindings, 0), "larger than 64 KiB"));
	ck_assert(strstr(bindings_problem(on.bindings, 0), "none of its keys apply"));
	PRESS("q");
	ck_assert_int_eq(on.shell.request, REQUEST_QUIT);
	str_release(&huge);
}
END_TEST

/* As in vi and less, n repeats the search in its direction. */
START_TEST(a_search_upwards_is_repeated_upwards)
{
	use_keymap("vi");
	PRESS("5", "3", "Home", "?");
	ck_assert(shows("Search up:"));
	recorded_shell_type(&on, "futex");
	PRESS("Enter");
	ck_assert_int_eq(on.shell.search_step, -1);
	PRESS("n", "N", "/", "Enter"); /* empty: the same text, downwards */
	ck_assert_int_eq(on.shell.search_step, 1);
	ck_assert_str_eq(on.shell.session.search.data, "futex");
	ck_assert(!on.shell.entry.open);
}
END_TEST

START_TEST(emacs_searches_while_the_text_is_typed)
{
	use_keymap("emacs");
	PRESS("Tab", "Ctrl-S");
	recorded_shell_type(&on, "futex");
	PRESS("Ctrl-S");
	ck_assert(on.shell.entry.open);
	ck_assert_str_eq(on.shell.session.search.data, "futex");
	recorded_shell_type(&on, "nonsense");
	PRESS("Ctrl-R");
	ck_assert(on.shell.entry.open);
	PRESS("Ctrl-G", "Ctrl-S", "Ctrl-S");
	ck_assert_str_eq(prompt_text(&on.shell.entry.prompt), "futexnonsense");
	PRESS("Ctrl-G");
	ck_assert(!on.shell.entry.open);
}
END_TEST

START_TEST(actions_are_typed_with_their_argument)
{
	PRESS(":");
	recorded_shell_type(&on, "view futex");
	PRESS("Enter");
	ck_assert(shows_view(SHELL_FUTEXES));
	PRESS("3", ":");
	recorded_shell_type(&on, "sort-menu p99");
	PRESS("Enter");
	ck_assert(shows("P99▼"));
	PRESS(":");
	recorded_shell_type(&on, "filter dur > 5ms");
	PRESS("Enter");
	ck_assert_str_eq(filter_stack_text(&on.shell.session.filter_stack), "dur > 5ms");
	PRESS(":");
	recorded_shell_type(&on, "clear filter"); /* takes no argument: the blank is text */
	ck_assert_int_eq(on.shell.menus.kind, MENU_PALETTE);
	PRESS("Enter");
	ck_assert_str_eq(filter_stack_text(&on.shell.session.filter_stack), "");
}
END_TEST

START_TEST(actions_are_completed_and_have_aliases)
{
	PRESS(":");
	recorded_shell_type(&on, "zoom");
	PRESS("Tab");
	ck_assert_str_eq(on.shell.menus.menu.filter.data, "zoom-pane");
	PRESS("Esc", ":");
	recorded_shell_type(&on, "h");
	ck_assert_int_eq(menu_selected(&on.shell.menus.menu), ACTION_HELP);
	PRESS("Enter");
	ck_assert(on.shell.page.open);
	PRESS("Esc", ":");
	recorded_shell_type(&on, "wq");
	PRESS("Enter");
	ck_assert_int_eq(on.shell.request, REQUEST_QUIT);
}
END_TEST

START_TEST(no_signal_is_sent_by_mistake)
{
	PRESS("Down", "F9");
	ck_assert(shows("Recorded processes cannot be signalled"));
	on.options.engine.recording = NULL;
	on.options.read_only = true;
	PRESS("F9");
	ck_assert_int_eq(on.shell.menus.kind, MENU_NONE);
	ck_assert(shows("Signals are disabled by --read-only"));
	PRESS("*");
	recorded_shell_type(&on, "stop: futex");
	PRESS("Enter");
	ck_assert(on.shell.entry.open);
	ck_assert(shows("with --read-only no process is stopped"));
	on.options.engine.recording = "tests/replay/contention.data";
}
END_TEST

START_TEST(y_and_n_select_an_answer)
{
	struct menus *menus = &on.shell.menus;

	menus_open_question(menus, MENU_FORGET, "Sure?", "No", "Yes");
	ck_assert_int_eq(menu_selected(&menus->menu), 0);
	PRESS("y");
	ck_assert_int_eq(menu_selected(&menus->menu), 1);
	PRESS("n");
	ck_assert_int_eq(menu_selected(&menus->menu), 0);
	PRESS("Y");
	ck_assert_int_eq(menu_selected(&menus->menu), 1);
	ck_assert_int_eq(menus->kind, MENU_FORGET);
	PRESS("Esc");
	/* In a list, y and n are text. */
	PRESS("F6", "y");
	ck_assert_str_eq(menus->menu.filter.data, "y");
}
END_TEST

Suite *suite_shell_keys(void);

Suite *suite_shell_keys(void)
{
	Suite *suite = suite_create("shell_keys");
	TCase *tcase = tcase_create("shell_keys");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_sequence_runs_one_action);
	tcase_add_test(tcase, y_and_n_select_an_answer);
	tcase_add_test(tcase, pressed_keys_are_shown_and_then_the_next_ones);
	tcase_add_test(tcase, sequences_do_not_depend_on_time);
	tcase_add_test(tcase, escape_and_the_mouse_cancel_a_sequence);
	tcase_add_test(tcase, an_unknown_sequence_shows_a_message);
	tcase_add_test(tcase, typed_letters_of_a_sequence_are_not_lost);
	tcase_add_test(tcase, lists_take_sequences_except_while_typing);
	tcase_add_test(tcase, typed_letters_filter_a_list);
	tcase_add_test(tcase, help_and_the_bottom_line_follow_the_keymap);
	tcase_add_test(tcase, a_described_key_does_nothing);
	tcase_add_test(tcase, valid_lines_of_a_wrong_keymap_apply);
	tcase_add_test(tcase, a_file_of_the_user_extends_the_chosen_keymap);
	tcase_add_test(tcase, a_keymap_always_has_a_way_out);
	tcase_add_test(tcase, invalid_files_leave_the_default_keymap);
	tcase_add_test(tcase, a_search_upwards_is_repeated_upwards);
	tcase_add_test(tcase, emacs_searches_while_the_text_is_typed);
	tcase_add_test(tcase, actions_are_typed_with_their_argument);
	tcase_add_test(tcase, actions_are_completed_and_have_aliases);
	tcase_add_test(tcase, no_signal_is_sent_by_mistake);
	suite_add_tcase(suite, tcase);
	return suite;
}
