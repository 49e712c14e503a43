/* The detail page of a call that can change while the page is open. */
#include "tui/panes/detail_page.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <string.h>

#define COLS 78

static struct recorded_shell on;
static struct detail_page page;
static struct help help;

static void setup(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
	recorded_shell_press(&on, "Tab");
	detail_page_init(&page);
	help_init(&help);
}

static void teardown(void)
{
	help_release(&help);
	detail_page_release(&page);
	recorded_shell_close(&on);
}

static bool says(const char *text)
{
	struct str all = STR_INIT;
	bool does;

	help_text(&help, &all);
	does = strstr(all.data, text) != NULL;
	str_release(&all);
	return does;
}

static void tick(void)
{
	on.shell.session.tick = true;
	detail_page_refresh(&page, &on.shell.session, COLS, &help);
	on.shell.session.tick = false;
}

/* Open the page of the second call in the history. */
static struct call *open_page(void)
{
	recorded_shell_press(&on, "Home");
	recorded_shell_press(&on, "Down");
	ck_assert(detail_page_open(&page, &on.shell.session, COLS, &help));
	ck_assert_int_eq(page.kind, DETAIL_CALL);
	return &page.call;
}

START_TEST(call_of_the_history_has_its_sequence_number)
{
	uint64_t first, end, seq;
	struct call call;

	open_page();
	engine_calls_range(on.engine, &first, &end);
	seq = page.selection.seq;
	ck_assert(page.selection.has_seq);
	ck_assert_uint_eq(engine_calls_after(on.engine, &seq, NULL, &call, &first, 1), 1);
	ck_assert_uint_eq(call.enter_ns, page.call.enter_ns);
	ck_assert_uint_eq(call.tid, page.call.tid);
	tick();
	ck_assert_ptr_null(page.note);
}
END_TEST

/* Simulates a call that was in flight when the page was opened. */
START_TEST(call_that_returned_is_found)
{
	struct call *call = open_page();
	struct call whole = *call;

	ck_assert_int_eq(whole.state, CALL_DONE);
	call->state = CALL_IN_FLIGHT;
	call->dur_ns = -1;
	page.selection.has_seq = false;
	for (int i = 0; i < 100 && call->state == CALL_IN_FLIGHT; i++)
		tick();
	ck_assert_int_eq(call->state, CALL_DONE);
	ck_assert_int_eq(call->dur_ns, whole.dur_ns);
	ck_assert(page.selection.has_seq);
	ck_assert(says("state\treturned\n"));
}
END_TEST

START_TEST(missing_return_is_reported)
{
	struct call *call = open_page();

	call->state = CALL_IN_FLIGHT;
	call->dur_ns = -1;
	call->enter_ns++;
	page.selection.has_seq = false;
	for (int i = 0; i < 100 && !page.note; i++)
		tick();
	ck_assert_int_eq(call->state, CALL_IN_FLIGHT);
	ck_assert(says("its return is not in the history"));
}
END_TEST

START_TEST(call_in_flight_stays_in_flight)
{
	struct session *session = &on.shell.session;

	recorded_shell_close(&on);
	recorded_shell_open(&on, "tests/replay/held.data");
	ck_assert_uint_gt(session->in_flight_count, 0);
	session->has_subject_call = session->subject.chosen = true;
	session->subject_call = session->in_flight[0];
	ck_assert(detail_page_open(&page, session, COLS, &help));
	tick();
	tick();
	ck_assert_int_eq(page.call.state, CALL_IN_FLIGHT);
	ck_assert_ptr_null(page.note);
	ck_assert(says("in flight"));
}
END_TEST

START_TEST(visible_lines_stay_in_place)
{
	struct canvas canvas;

	open_page();
	canvas_init(&canvas, 4, COLS, false);
	help_draw(&help, &canvas);
	help_move(&help, MOVE_DOWN);
	help_move(&help, MOVE_DOWN);
	ck_assert(help_search(&help, "blocked", 1));
	for (int i = 0; i < 3; i++) {
		size_t top = help.top, found = help.found;

		tick();
		ck_assert_uint_eq(help.top, top);
		ck_assert_uint_eq(help.found, found);
		help_draw(&help, &canvas);
	}
	canvas_release(&canvas);
}
END_TEST

START_TEST(paused_page_does_not_change)
{
	struct call *call = open_page();

	call->state = CALL_IN_FLIGHT;
	on.shell.session.paused = true;
	tick();
	ck_assert_int_eq(call->state, CALL_IN_FLIGHT);
	on.shell.session.paused = false;
	tick();
	ck_assert_int_eq(call->state, CALL_DONE);
}
END_TEST

/* Copy takes the whole page; the waker key uses the call of the page. */
START_TEST(keys_act_on_the_page)
{
	recorded_shell_press(&on, "Home");
	recorded_shell_press(&on, "Down");
	recorded_shell_press(&on, "d");
	ck_assert(on.shell.page.open);
	recorded_shell_press(&on, "y");
	ck_assert_int_eq(on.shell.request, REQUEST_COPY);
	ck_assert(strstr(on.shell.copy.data, "state\treturned\n") != NULL);
	ck_assert(strstr(on.shell.copy.data, "\nArguments\n") != NULL);
	on.shell.request = REQUEST_NONE;
	recorded_shell_press(&on, "w");
	ck_assert_int_ge(recorded_shell_row(&on, "so it has no waker"), 0);
	ck_assert(on.shell.page.open);
	recorded_shell_press(&on, "Space");
	ck_assert_int_ge(recorded_shell_row(&on, "End of the recording"), 0);
	ck_assert(on.shell.page.open);
	recorded_shell_press(&on, "Esc");
	ck_assert(!on.shell.page.open);
}
END_TEST

Suite *suite_detail_page(void);

Suite *suite_detail_page(void)
{
	Suite *suite = suite_create("detail_page");
	TCase *tcase = tcase_create("detail_page");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, call_of_the_history_has_its_sequence_number);
	tcase_add_test(tcase, call_that_returned_is_found);
	tcase_add_test(tcase, missing_return_is_reported);
	tcase_add_test(tcase, call_in_flight_stays_in_flight);
	tcase_add_test(tcase, visible_lines_stay_in_place);
	tcase_add_test(tcase, paused_page_does_not_change);
	tcase_add_test(tcase, keys_act_on_the_page);
	suite_add_tcase(suite, tcase);
	return suite;
}
