/* The shell before its engine is started: input, menus and pages. */
#include "tui/shell/shell.h"

#include "tests/unit/runner.h"

#include <string.h>

static struct engine *engine;
static struct bindings *bindings;
static struct options options;
static struct command_output output;
static struct shell shell;
static struct canvas canvas;

static void setup(void)
{
	struct err err;

	ck_assert_msg(!engine_new(&engine, &err), "%s", err.text);
	ck_assert_msg(!bindings_new(&bindings, NULL, &err), "%s", err.text);
	memset(&options, 0, sizeof(options));
	command_output_init(&output, -1);
	shell_init(&shell, engine, &options, NULL, bindings, &output);
	canvas_init(&canvas, 30, 120, false);
}

static void teardown(void)
{
	canvas_release(&canvas);
	shell_release(&shell);
	command_output_release(&output);
	bindings_free(bindings);
	engine_free(engine);
}

static void draw(void)
{
	int row, col;

	shell_refresh(&shell, true);
	shell_draw(&shell, &canvas, &row, &col);
	ck_assert_int_lt(row, canvas.rows);
	ck_assert_int_lt(col, canvas.cols);
}

static bool shows(const char *text)
{
	bool found = false;

	draw();
	for (int row = 0; row < canvas.rows; row++) {
		struct str line = STR_INIT;

		canvas_row_text(&canvas, row, &line);
		found |= strstr(line.data, text) != NULL;
		str_release(&line);
	}
	return found;
}

static void press(const char *name)
{
	struct input_event event = { .kind = EVENT_KEY };

	ck_assert_msg(!key_parse(name, &event.key), "%s", name);
	shell_event(&shell, &event);
}

static void type(const char *text)
{
	for (; *text; text++) {
		struct input_event event = { .kind = EVENT_KEY,
					     .key = { .code = (unsigned char)*text } };

		shell_event(&shell, &event);
	}
}

static void click(int row, int col)
{
	struct input_event event = {
		.kind = EVENT_MOUSE,
		.mouse = { .action = MOUSE_PRESS, .button = 1, .row = row, .col = col }
	};

	shell_event(&shell, &event);
	event.mouse.action = MOUSE_RELEASE;
	shell_event(&shell, &event);
}

START_TEST(the_first_frame_needs_no_engine)
{
	ck_assert(shows("stxtop"));
	ck_assert(shows("STARTING"));
	ck_assert(shows("all CPUs"));
	ck_assert(shows("Processes 0"));
	ck_assert(shows("Calls"));
	ck_assert(shows("F1Help"));
}
END_TEST

START_TEST(every_size_can_be_drawn_in_every_state)
{
	static const char *const states[] = { "", "F1", ":", "F6", "\\", "z", "O" };
	static const int sizes[][2] = {
		{ 1, 1 },  { 2, 5 },   { 3, 3 },    { 5, 20 },    { 1, 200 },
		{ 60, 2 }, { 24, 80 }, { 40, 120 }, { 120, 400 },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (*states[i])
			press(states[i]);
		for (size_t j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++) {
			canvas_resize(&canvas, sizes[j][0], sizes[j][1]);
			draw();
			click(sizes[j][0] - 1, sizes[j][1] / 2);
			press("Esc");
			if (*states[i])
				press(states[i]);
			draw();
			press("Tab");
			draw();
		}
		press("Esc");
		press("1");
	}
}
END_TEST

START_TEST(a_filter_error_stands_under_its_column)
{
	press("\\");
	type("pid == x");
	press("Enter");
	ck_assert(shell.entry.open);
	ck_assert(shows("Filter: pid == x"));
	ck_assert(shows("^"));
	press("Ctrl-U");
	type("pid == 42");
	press("Enter");
	ck_assert(!shell.entry.open);
	ck_assert(shows("pid == 42"));
	press("u");
	ck_assert(!shows("pid == 42"));
	ck_assert(shows("STARTING"));
}
END_TEST

START_TEST(filters_are_completed_and_remembered)
{
	press("\\");
	type("fail");
	press("Tab");
	press("Enter");
	ck_assert_str_eq(filter_stack_text(&shell.session.filter_stack), "failed");
	press("Del");
	ck_assert_str_eq(filter_stack_text(&shell.session.filter_stack), "");
	press("\\");
	press("Up");
	press("Enter");
	ck_assert_str_eq(filter_stack_text(&shell.session.filter_stack), "failed");
}
END_TEST

START_TEST(the_palette_runs_actions_by_name)
{
	press(":");
	ck_assert(shows("zoom-pane"));
	type("zoom");
	press("Enter");
	ck_assert(shell.menus.kind == MENU_NONE);
	ck_assert(shell.shown->layout.zoomed);
	press("Esc");
	ck_assert(!shell.shown->layout.zoomed);
}
END_TEST

START_TEST(the_palette_lists_every_global_action)
{
	size_t expected = 0;

	for (int i = 0; i < ACTION_COUNT; i++)
		expected += action_group_context(action_group((enum action)i)) == CONTEXT_GLOBAL;
	press(":");
	ck_assert_uint_eq(shell.menus.menu.count, expected);
}
END_TEST

START_TEST(help_lists_the_active_keys)
{
	canvas_resize(&canvas, 240, 120);
	press("F1");
	for (int i = 0; i < ACTION_COUNT; i++)
		ck_assert_msg(shows(action_help((enum action)i)), "%s",
			      action_name((enum action)i));
	ck_assert(shows("Tab"));
	ck_assert(shows(":exclude-comm")); /* has no key */
	press("q");
	ck_assert(!shell.page.open);
	ck_assert(shell.request == REQUEST_NONE);
}
END_TEST

START_TEST(menu_keys_and_clicks_sort_the_table)
{
	const struct table *table;
	struct pane *pane = view_sortable(shell.shown);

	draw();
	table = pane->ops->table(pane->self);
	press("F6");
	press("Home");
	press("Enter");
	ck_assert_int_eq(table->sort_column, table->columns[0].id);
	press(">");
	ck_assert_int_eq(table->sort_column, table->columns[1].id);
	ck_assert(!table->sort_descending);
	press("I");
	ck_assert(table->sort_descending);
	draw();
	click(2, 5); /* the header's first column */
	ck_assert_int_eq(table->sort_column, table->columns[0].id);
}
END_TEST

START_TEST(the_bottom_line_can_be_clicked)
{
	draw();
	click(canvas.rows - 1, 1);
	ck_assert(shell.page.open);
}
END_TEST

START_TEST(an_impossible_action_shows_the_reason)
{
	static const struct {
		const char *key, *message;
	} cases[] = {
		{ "p", "not a single process" },
		{ "F9", "not a single process" },
		{ "n", "searched" },
		{ "y", "Nothing selected" },
		{ "Enter", "Nothing selected" },
		{ "d", "Nothing selected" },
		{ "Backspace", "Nothing to go back" },
		{ "u", "no filter" },
		{ "f", "Collection is not running" },
		{ "_", "No lock selected" },
		{ "$", "$ does nothing" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		press(cases[i].key);
		ck_assert_msg(shows(cases[i].message), "%s: %s", cases[i].key, cases[i].message);
	}
}
END_TEST

START_TEST(only_quitting_quits)
{
	press("Esc");
	press("Esc");
	ck_assert(shell.request == REQUEST_NONE);
	press("Ctrl-Z");
	ck_assert(shell.request == REQUEST_SUSPEND);
	press("q");
	ck_assert(shell.request == REQUEST_QUIT);
}
END_TEST

Suite *suite_shell(void);
Suite *suite_shell(void)
{
	Suite *suite = suite_create("shell");
	TCase *tests = tcase_create("shell");

	tcase_set_timeout(tests, 20);
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, the_first_frame_needs_no_engine);
	tcase_add_test(tests, every_size_can_be_drawn_in_every_state);
	tcase_add_test(tests, a_filter_error_stands_under_its_column);
	tcase_add_test(tests, filters_are_completed_and_remembered);
	tcase_add_test(tests, the_palette_runs_actions_by_name);
	tcase_add_test(tests, the_palette_lists_every_global_action);
	tcase_add_test(tests, help_lists_the_active_keys);
	tcase_add_test(tests, menu_keys_and_clicks_sort_the_table);
	tcase_add_test(tests, the_bottom_line_can_be_clicked);
	tcase_add_test(tests, an_impossible_action_shows_the_reason);
	tcase_add_test(tests, only_quitting_quits);
	suite_add_tcase(suite, tests);
	return suite;
}
