/* Filters that are edited, saved and loaded in the interface, on a recording. */
#include "tui/shell/shell_filter.h"

#include "engine/base/clock.h"
#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct recorded_shell on;
static char dir[TEMPORARY_PATH_MAX];

static void setup(void)
{
	temporary_folder(dir, "shell-filter");
	setenv("XDG_CONFIG_HOME", dir, 1);
	recorded_shell_open(&on, "tests/replay/contention.data");
}

static void teardown(void)
{
	struct str command = STR_INIT;

	recorded_shell_close(&on);
	str_addf(&command, "rm -rf '%s'", dir);
	ck_assert_int_eq(system(command.data), 0);
	str_release(&command);
}

static void press(const char *const *keys)
{
	for (; *keys; keys++)
		recorded_shell_press(&on, *keys);
}
#define PRESS(...) press((const char *const[]){ __VA_ARGS__, NULL })

static void filter(const char *text)
{
	recorded_shell_press(&on, "F4");
	recorded_shell_press(&on, "Ctrl-U");
	recorded_shell_type(&on, text);
	recorded_shell_press(&on, "Enter");
	ck_assert(!on.shell.entry.open);
}

static const char *in_force(void)
{
	return filter_stack_text(&on.shell.session.filter_stack);
}

START_TEST(terms_are_switched_edited_and_removed_by_keys)
{
	filter("futex and failed and tid > 1");
	PRESS("|", "Down", "Space");
	ck_assert_str_eq(in_force(), "syscall == futex && tid > 1");
	ck_assert_int_ge(recorded_shell_row(&on, "(1 off)"), 0);
	PRESS("Space");
	ck_assert_str_eq(in_force(), "syscall == futex && failed && tid > 1");
	PRESS("Enter", "Ctrl-U");
	recorded_shell_type(&on, "not failed");
	/* The count is that of the whole filter with the edited term. */
	ck_assert(on.shell.draft.count.filter);
	ck_assert_str_eq(filter_text(on.shell.draft.count.filter),
			 "syscall == futex && !failed && tid > 1");
	PRESS("Enter");
	ck_assert_str_eq(in_force(), "syscall == futex && !failed && tid > 1");
	ck_assert_int_eq(on.shell.menus.kind, MENU_TERMS);
	PRESS("Del");
	ck_assert_str_eq(in_force(), "syscall == futex && tid > 1");
	PRESS("+");
	recorded_shell_type(&on, "cpu ==");
	PRESS("Enter");
	ck_assert(on.shell.entry.open);
	ck_assert(on.shell.entry.prompt.has_error);
	recorded_shell_type(&on, " 0");
	PRESS("Enter");
	ck_assert_str_eq(in_force(), "syscall == futex && tid > 1 && cpu == 0");
	/* Esc returns from the line to the list, and from the list to the view. */
	PRESS("Enter", "Esc");
	ck_assert(!on.shell.entry.open);
	ck_assert_int_eq(on.shell.menus.kind, MENU_TERMS);
	PRESS("Esc");
	ck_assert_int_eq(on.shell.menus.kind, MENU_NONE);
	PRESS("Backspace");
	ck_assert_str_eq(in_force(), "syscall == futex && tid > 1");
}
END_TEST

START_TEST(all_terms_may_be_off)
{
	filter("futex");
	PRESS("|", "Space", "Esc");
	ck_assert_str_eq(in_force(), "");
	ck_assert_int_ge(recorded_shell_row(&on, "Filter none (1 off)"), 0);
	PRESS("Del");
	ck_assert_int_lt(recorded_shell_row(&on, "Filter none"), 0);
}
END_TEST

START_TEST(a_filter_is_saved_applied_and_removed)
{
	PRESS("W");
	ck_assert_ptr_nonnull(strstr(on.shell.session.message.text.data, "no filter to save"));
	PRESS("L");
	ck_assert_ptr_nonnull(strstr(on.shell.session.message.text.data, "No saved filters"));
	filter("futex and dur > 5ms");
	PRESS("W");
	recorded_shell_type(&on, "a/b");
	PRESS("Enter");
	ck_assert(on.shell.entry.prompt.has_error);
	PRESS("Ctrl-U");
	recorded_shell_type(&on, "locks");
	PRESS("Enter");
	ck_assert(!on.shell.entry.open);
	ck_assert_ptr_nonnull(strstr(on.shell.session.message.text.data, "Saved as locks"));
	PRESS("Del");
	filter("failed");
	PRESS("W");
	recorded_shell_type(&on, "locks");
	ck_assert_int_ge(recorded_shell_row(&on, "replaces syscall == futex && dur > 5ms"), 0);
	PRESS("Esc", "L");
	recorded_shell_type(&on, "lck");
	PRESS("Enter");
	ck_assert_str_eq(in_force(), "syscall == futex && dur > 5ms");
	PRESS("L", "Del", "Enter"); /* Enter chooses "no", the first item */
	PRESS("L");
	ck_assert_int_eq(on.shell.menus.kind, MENU_SAVED);
	PRESS("Del", "Down", "Enter");
	ck_assert_ptr_nonnull(strstr(on.shell.session.message.text.data, "Removed locks"));
	PRESS("L");
	ck_assert_int_eq(on.shell.menus.kind, MENU_NONE);
}
END_TEST

static uint64_t chosen(void)
{
	ck_assert(on.shell.session.selection.has_seq);
	return on.shell.session.selection.seq;
}

START_TEST(the_selected_call_stays_selected_while_it_matches)
{
	uint64_t seq;

	PRESS("Tab", "Home", "Down", "Down", "Down", "Down", "Down", "Down");
	ck_assert(on.shell.session.selection.chosen);
	seq = chosen();
	PRESS("s");
	ck_assert_uint_eq(chosen(), seq);
	ck_assert(on.shell.session.selection.chosen);
	PRESS("Backspace");
	ck_assert_uint_eq(chosen(), seq);
	/* When the call is excluded, the next one is selected. */
	PRESS("S");
	ck_assert_uint_ne(chosen(), seq);
	ck_assert(on.shell.session.selection.chosen);
	ck_assert_uint_le(chosen() > seq ? chosen() - seq : seq - chosen(), 3);
	PRESS("End");
	filter("futex");
	/* The selection follows the end as before. */
	seq = chosen();
	PRESS("End");
	ck_assert_uint_eq(chosen(), seq);
}
END_TEST

/* Return the index of the term in the open list; -1: none. */
static int row_term(const char *text)
{
	const struct menu *menu = &on.shell.menus.menu;

	for (size_t i = 0; on.shell.menus.kind == MENU_ROW && i < menu->count; i++)
		if (!strcmp(menu->items[i].text, text))
			return (int)i;
	return -1;
}

START_TEST(a_row_offers_a_term_for_each_property)
{
	static const char *const wanted[] = { "syscall == futex", "pid == 23916", "ret == 0",
					      "comm == \"contention\"", "tid == 23916" };
	uint64_t seq;

	PRESS("Tab", "Home");
	filter("futex and comm == contention");
	PRESS("Home");
	seq = chosen();
	PRESS("=");
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		ck_assert_msg(row_term(wanted[i]) >= 0, "%s", wanted[i]);
	/* Each term matches the call of the row; its exclusion does not. */
	for (size_t i = 0; i < on.shell.menus.row.count; i++) {
		struct filter *only, *none;
		struct filter_error error;
		struct call call;
		uint64_t at = seq, got;

		ck_assert(!filter_parse(&only, on.shell.menus.row.items[i].only,
					engine_filter_names(on.engine), &error));
		ck_assert(!filter_parse(&none, on.shell.menus.row.items[i].exclude,
					engine_filter_names(on.engine), &error));
		ck_assert_msg(engine_calls_after(on.engine, &at, only, &call, &got, 1) == 1 &&
				      got == seq,
			      "%s", filter_text(only));
		at = seq;
		engine_calls_after(on.engine, &at, none, &call, &got, 1);
		ck_assert_msg(got != seq || at > seq + 1, "%s", filter_text(none));
		filter_free(only);
		filter_free(none);
	}
	PRESS("Esc", "^");
	ck_assert_int_ge(row_term("pid != 23916"), 0);
	PRESS("Enter");
	ck_assert_ptr_nonnull(strstr(in_force(), "syscall != futex"));
}
END_TEST

START_TEST(rows_of_every_pane_offer_terms)
{
	PRESS("=");
	ck_assert_int_ge(row_term("pid == 23916"), 0);
	PRESS("Esc", "b", "Home", "Down", "Down", "Enter", "=");
	ck_assert_ptr_eq(strstr(in_force(), "syscall == "), in_force());
	/* In this view, Esc restores the dropped filter. */
	PRESS("Del", "5", "=", "Esc", "Del");
	PRESS("6", "=");
	ck_assert_int_ge(row_term("pid == 23916"), 0);
	ck_assert_ptr_eq(strstr(on.shell.menus.menu.items[0].text, "args.uaddr == 0x"),
			 on.shell.menus.menu.items[0].text);
	PRESS("Esc", "Tab", "=");
	ck_assert_int_ge(row_term("syscall == futex"), 0);
	PRESS("Esc");
	/* A cell of the latency heatmap offers both ranges, its durations, and its time. */
	PRESS("Del", "9", "Left", "=");
	ck_assert_uint_eq(on.shell.menus.row.count, 3);
	ck_assert_ptr_nonnull(strstr(on.shell.menus.row.items[0].only, " and dur >= "));
	ck_assert_ptr_eq(strstr(on.shell.menus.row.items[1].only, "dur >= "),
			 on.shell.menus.row.items[1].only);
	ck_assert_ptr_eq(strstr(on.shell.menus.row.items[2].exclude, "not (ended >= "),
			 on.shell.menus.row.items[2].exclude);
	PRESS("Enter");
	ck_assert_ptr_eq(strstr(in_force(), "ended >= "), in_force());
	PRESS("Del", "2", "=");
	ck_assert_int_ge(row_term("(pid == 23916 or descendant of 23916)"), 0);
	PRESS("Esc");
}
END_TEST

/* Wait for a text. Totals of another filter appear once the engine has applied it. */
static bool comes(const char *text)
{
	uint64_t until = clock_now_ns() + 10 * NS_PER_S;

	while (recorded_shell_row(&on, text) < 0 && clock_now_ns() < until)
		recorded_shell_settle(&on);
	return recorded_shell_row(&on, text) >= 0;
}

/* On a group, Enter narrows to its processes and shows them; Backspace shows the groups again. */
START_TEST(groups_are_entered_and_left)
{
	PRESS("2", "b", "Home", "Down", "Down", "Down", "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "Comms 3"), 0);
	PRESS("=");
	ck_assert_str_eq(in_force(), "comm == \"waiter\"");
	PRESS("Del", "c");
	ck_assert_str_eq(in_force(), "comm == \"waiter\"");
	PRESS("Del", "Home", "Enter");
	ck_assert_str_eq(in_force(), "comm == \"waiter\"");
	ck_assert_int_ge(recorded_shell_row(&on, "Processes 1"), 0);
	PRESS("Backspace");
	ck_assert_str_eq(in_force(), "");
	ck_assert(comes("Comms 3"));
}
END_TEST

/* While calls are counted for another filter, no figures of the previous one are shown. */
START_TEST(figures_of_another_filter_are_not_shown)
{
	struct session *session = &on.shell.session;

	PRESS("2");
	ck_assert_int_ge(recorded_shell_row(&on, "Processes 1 "), 0);
	/* The table, in row 3, has no pending figure; frames below it can have pending symbols. */
	ck_assert_int_ne(recorded_shell_row(&on, " …  "), 3);
	session->status.model.refill_done = 43;
	session->status.model.refill_all = 100;
	shell_refresh(&on.shell, false);
	ck_assert_int_ge(recorded_shell_row(&on, "Processes 1…"), 0);
	ck_assert_int_ge(recorded_shell_row(&on, "counting 43 %"), 0);
	ck_assert_int_eq(recorded_shell_row(&on, " …  "), 3);
	ck_assert_int_lt(recorded_shell_row(&on, "counting…"), 0);
	recorded_shell_settle(&on);
	ck_assert_int_lt(recorded_shell_row(&on, "counting"), 0);
	/* Calls in flight of the previous filter are dropped. */
	session->in_flight_known = true;
	session->in_flight_count = 1;
	session_apply_filter(session);
	ck_assert(!session->in_flight_known);
	ck_assert_uint_eq(session->in_flight_count, 0);
	ck_assert(session_is_counting(session, NULL));
	recorded_shell_settle(&on);
	ck_assert(session->in_flight_known);
}
END_TEST

START_TEST(keys_act_on_the_call_of_the_page)
{
	PRESS("Tab", "Home", "Down", "d");
	ck_assert(on.shell.page.open);
	PRESS("s");
	ck_assert(on.shell.page.open);
	ck_assert_ptr_eq(strstr(in_force(), "syscall == "), in_force());
	PRESS("^");
	ck_assert_int_eq(on.shell.menus.kind, MENU_ROW);
	PRESS("Enter");
	ck_assert_ptr_nonnull(strstr(in_force(), "syscall != "));
}
END_TEST

static void write_file(const char *text)
{
	struct str command = STR_INIT;

	str_addf(&command, "mkdir -p '%s/stxtop' && printf '%s' > '%s/stxtop/filters'", dir, text,
		 dir);
	ck_assert_int_eq(system(command.data), 0);
	str_release(&command);
}

START_TEST(an_invalid_saved_filter_is_opened_for_editing)
{
	write_file("old = wakker == 7\\n");
	PRESS("L", "Enter");
	ck_assert(on.shell.entry.open);
	ck_assert(on.shell.entry.prompt.has_error);
	ck_assert_str_eq(prompt_text(&on.shell.entry.prompt), "wakker == 7");
	ck_assert_str_eq(in_force(), "");
}
END_TEST

START_TEST(a_broken_file_is_reported_and_not_written)
{
	write_file("good = futex\\nbroken\\n");
	PRESS("L");
	ck_assert_int_ge(recorded_shell_row(&on, "filters:2: "), 0);
	ck_assert_int_eq(on.shell.menus.kind, MENU_SAVED);
	PRESS("Enter");
	ck_assert_str_eq(in_force(), "syscall == futex");
	PRESS("W");
	ck_assert(!on.shell.entry.open);
	ck_assert_int_ge(recorded_shell_row(&on, "filters:2: "), 0);
}
END_TEST

Suite *suite_shell_filter(void);
Suite *suite_shell_filter(void)
{
	Suite *suite = suite_create("shell_filter");
	TCase *tests = tcase_create("shell_filter");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, terms_are_switched_edited_and_removed_by_keys);
	tcase_add_test(tests, all_terms_may_be_off);
	tcase_add_test(tests, a_row_offers_a_term_for_each_property);
	tcase_add_test(tests, rows_of_every_pane_offer_terms);
	tcase_add_test(tests, groups_are_entered_and_left);
	tcase_add_test(tests, figures_of_another_filter_are_not_shown);
	tcase_add_test(tests, keys_act_on_the_call_of_the_page);
	tcase_add_test(tests, the_selected_call_stays_selected_while_it_matches);
	tcase_add_test(tests, a_filter_is_saved_applied_and_removed);
	tcase_add_test(tests, an_invalid_saved_filter_is_opened_for_editing);
	tcase_add_test(tests, a_broken_file_is_reported_and_not_written);
	suite_add_tcase(suite, tests);
	return suite;
}
