/* Reasons for empty panes, in each situation that has one. */
#include "tui/session/empty_reason.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <string.h>

static struct recorded_shell on;
static struct session *session;

#define NO_SWITCHES \
	"no stacks of waits: the recording has no sched_switch with callchains; " \
	"record with perf record -a -g -e " \
	"'raw_syscalls:*,sched:sched_switch,sched:sched_waking'"

static void setup(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
	recorded_shell_settle(&on);
	session = &on.shell.session;
	/* Simulate a live session, unless a test changes it. */
	on.options.engine.recording = NULL;
	session->status.finished = false;
	session->status.running = true;
	session->status.source.has_waits = true;
	session->status.started_ns = 0;
	session->status.model.calls_matched = 0;
}

static void teardown(void)
{
	on.options.engine.recording = "tests/replay/contention.data";
	recorded_shell_close(&on);
}

static void expect(enum empty_pane pane, const char *expected)
{
	struct str text = STR_INIT;

	empty_reason_say(session, pane, &text);
	ck_assert_msg(!strcmp(text.data, expected), "%s\ninstead of\n%s", text.data, expected);
	str_release(&text);
}

static void narrow(const char *text)
{
	struct filter_error error;

	ck_assert_int_eq(filter_stack_type(&session->filter_stack, text, &error), 0);
}

START_TEST(startup_and_refusal_are_reported)
{
	session->phase = SESSION_STARTING;
	expect(EMPTY_CALLS, "starting…");
	expect(EMPTY_STACKS, "starting…");
	session->phase = SESSION_REFUSED;
	expect(EMPTY_TOTALS, "no permission: see the access view (M shows it)");
}
END_TEST

START_TEST(errors_come_first)
{
	strcpy(session->status.error, "the ring is gone");
	narrow("pid == 1");
	expect(EMPTY_CALLS, "the ring is gone");
}
END_TEST

START_TEST(missing_stacks_are_explained)
{
	struct str text = STR_INIT;

	ck_assert(!empty_reason_say_no_stacks(session, &text));
	session->status.source.has_waits = false;
	expect(EMPTY_STACKS,
	       "no stacks of waits: this source collects none (M shows the permissions)");
	strcpy(session->status.source.note, "perf_event_paranoid is 2");
	expect(EMPTY_STACKS, "no stacks of waits: perf_event_paranoid is 2 (M shows the "
			     "permissions)");
	session->status.source.note[0] = '\0';
	on.options.engine.recording = "x";
	expect(EMPTY_STACKS, NO_SWITCHES);
	on.options.engine.stacks = STACKS_OFF;
	expect(EMPTY_STACKS, NO_SWITCHES);
	on.options.engine.recording = NULL;
	expect(EMPTY_STACKS, "no stacks: started with -g off; restart without it");
	on.options.engine.recording = "x";
	ck_assert(empty_reason_say_no_stacks(session, &text));
	str_release(&text);
	/* Other panes need no stacks. */
	expect(EMPTY_LATENCY, "no calls returned in this period in the recording");
}
END_TEST

START_TEST(filter_is_shown_with_keys_that_drop_it)
{
	narrow("pid == 1");
	expect(EMPTY_IN_FLIGHT, "no call in flight matches pid == 1 (Del removes it)");
	narrow("pid == 1 && failed");
	expect(EMPTY_FILES, "no call on a file matches pid == 1 && failed (u removes its last "
			    "term, Del all terms)");
	expect(EMPTY_FUTEXES, "no call on a futex matches pid == 1 && failed (u removes its last "
			      "term, Del all terms)");
}
END_TEST

START_TEST(recording_without_calls_is_reported)
{
	on.options.engine.recording = "x";
	session->status.finished = true;
	session->status.model.calls_seen = 0;
	session->in_flight_count = 0;
	expect(EMPTY_TOTALS, "the recording has no system calls; record with perf trace record, or "
			     "perf record -a -e 'raw_syscalls:*'");
}
END_TEST

START_TEST(stopped_collection_is_reported)
{
	session->status.running = false;
	expect(EMPTY_TOTALS, "collection is stopped (f resumes it)");
}
END_TEST

START_TEST(empty_panes_name_the_target)
{
	char ls[] = "ls", *command[] = { ls, NULL };
	struct target *target = &session->targets.now;
	struct err err;

	expect(EMPTY_CALLS, "no calls in the whole system");
	session->status.source.denied = 3;
	expect(EMPTY_IN_FLIGHT, "no calls in flight in the whole system; 3 threads unreadable "
				"(no permission)");
	session->status.source.own_alone = true;
	expect(EMPTY_FILES, "no calls on files, sockets or pipes of your own processes");
	ck_assert_int_eq(target_add_pids(target, "1,2,3,4,5", &err), 0);
	expect(EMPTY_TOTALS, "no calls: all watched tasks have exited (@ adds targets)");
	session->targets.living = 5;
	expect(EMPTY_TOTALS, "no calls of process 1, 2, 3 and 2 more");
	on.options.command = command;
	expect(EMPTY_TOTALS, "no calls of ls");
}
END_TEST

START_TEST(hints_show_bound_keys)
{
	struct str text = STR_INIT;

	session->halves = HALVES_USER;
	empty_reason_say_half(session, &text);
	ck_assert_str_eq(text.data, "no user frames here (K shows the other half)");
	session->bindings = NULL;
	str_clear(&text);
	empty_reason_say_half(session, &text);
	ck_assert_str_eq(text.data, "no user frames here (:stack-halves shows the other half)");
	str_release(&text);
}
END_TEST

Suite *suite_empty_reason(void);
Suite *suite_empty_reason(void)
{
	Suite *suite = suite_create("empty_reason");
	TCase *tests = tcase_create("empty_reason");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, startup_and_refusal_are_reported);
	tcase_add_test(tests, errors_come_first);
	tcase_add_test(tests, missing_stacks_are_explained);
	tcase_add_test(tests, filter_is_shown_with_keys_that_drop_it);
	tcase_add_test(tests, recording_without_calls_is_reported);
	tcase_add_test(tests, stopped_collection_is_reported);
	tcase_add_test(tests, empty_panes_name_the_target);
	tcase_add_test(tests, hints_show_bound_keys);
	suite_add_tcase(suite, tests);
	return suite;
}
