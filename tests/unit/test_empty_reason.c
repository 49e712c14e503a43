/* Why panes are empty, in each situation that there is a reason for. */
#include "tui/session/empty_reason.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <string.h>

static struct recorded_shell on;
static struct session *session;

#define NO_SWITCHES \
	"no stacks of waits: the recording has no sched_switch with call chains; " \
	"perf record -g -e 'raw_syscalls:*,sched:sched_switch,sched:sched_wakeup' makes one that " \
	"has"

static void setup(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
	recorded_shell_settle(&on);
	session = &on.shell.session;
	/* As if it was live, where nothing says otherwise. */
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
	ck_assert_msg(!strcmp(text.data, expected), "%s\nand not\n%s", text.data, expected);
	str_release(&text);
}

static void narrow(const char *text)
{
	struct filter_error error;

	ck_assert_int_eq(filter_stack_type(&session->filter_stack, text, &error), 0);
}

START_TEST(what_does_not_run)
{
	session->phase = SESSION_STARTING;
	expect(EMPTY_CALLS, "starting…");
	expect(EMPTY_STACKS, "starting…");
	session->phase = SESSION_REFUSED;
	expect(EMPTY_TOTALS, "nothing is watched: the view of access says why (M shows it)");
}
END_TEST

START_TEST(what_went_wrong_goes_before_all_else)
{
	strcpy(session->status.error, "the ring is gone");
	narrow("pid == 1");
	expect(EMPTY_CALLS, "the ring is gone");
}
END_TEST

START_TEST(stacks_that_cannot_be)
{
	struct str text = STR_INIT;

	ck_assert(!empty_reason_say_no_stacks(session, &text));
	session->status.source.has_waits = false;
	expect(EMPTY_STACKS, "no stacks of waits: this source brings none (M says what may be "
			     "watched here)");
	strcpy(session->status.source.note, "perf_event_paranoid is 2");
	expect(EMPTY_STACKS, "no stacks of waits: perf_event_paranoid is 2 (M says what may be "
			     "watched here)");
	session->status.source.note[0] = '\0';
	on.options.engine.recording = "x";
	expect(EMPTY_STACKS, NO_SWITCHES);
	on.options.engine.stacks = STACKS_OFF;
	expect(EMPTY_STACKS, NO_SWITCHES);
	on.options.engine.recording = NULL;
	expect(EMPTY_STACKS, "no stacks are taken, as -g off was given; start without it to have "
			     "them");
	on.options.engine.recording = "x";
	ck_assert(empty_reason_say_no_stacks(session, &text));
	str_release(&text);
	/* Other panes do without them. */
	expect(EMPTY_LATENCY, "no call has ended in this time in the recording");
}
END_TEST

START_TEST(a_filter_and_what_drops_it)
{
	narrow("pid == 1");
	expect(EMPTY_IN_FLIGHT, "no call in flight matches pid == 1 (Del drops it)");
	narrow("pid == 1 && failed");
	expect(EMPTY_FILES, "no call on a file matches pid == 1 && failed (u drops its last term, "
			    "Del all of it)");
	expect(EMPTY_FUTEXES, "no call on a futex matches pid == 1 && failed (u drops its last "
			      "term, Del all of it)");
}
END_TEST

START_TEST(a_recording_without_calls)
{
	on.options.engine.recording = "x";
	session->status.finished = true;
	session->status.model.calls_seen = 0;
	session->in_flight_count = 0;
	expect(EMPTY_TOTALS, "the recording has no system calls; perf trace record, or perf record "
			     "-a -e 'raw_syscalls:*', makes one that has");
}
END_TEST

START_TEST(collection_that_stands)
{
	session->status.running = false;
	expect(EMPTY_TOTALS, "nothing is being collected (f starts it)");
}
END_TEST

START_TEST(empty_panes_name_the_target)
{
	char ls[] = "ls", *command[] = { ls, NULL };
	struct target *target = &session->targets.now;
	struct err err;

	expect(EMPTY_CALLS, "no call was seen in the whole system");
	session->status.source.denied = 3;
	expect(EMPTY_IN_FLIGHT, "no call is in flight in the whole system; 3 threads could not "
				"be inspected (no permission)");
	session->status.source.own_alone = true;
	expect(EMPTY_FILES, "no call on a file, a socket or a pipe was seen of your own processes");
	ck_assert_int_eq(target_add_pids(target, "1,2,3,4,5", &err), 0);
	expect(EMPTY_TOTALS, "nothing was seen, and nobody who is watched lives any more (@ takes "
			     "others)");
	session->targets.living = 5;
	expect(EMPTY_TOTALS, "no call was seen of process 1, 2, 3 and 2 more");
	on.options.command = command;
	expect(EMPTY_TOTALS, "no call was seen of ls");
}
END_TEST

START_TEST(keys_are_those_that_are_bound)
{
	struct str text = STR_INIT;

	session->halves = HALVES_USER;
	empty_reason_say_half(session, &text);
	ck_assert_str_eq(text.data, "no user frames here (K shows the others)");
	session->bindings = NULL;
	str_clear(&text);
	empty_reason_say_half(session, &text);
	ck_assert_str_eq(text.data, "no user frames here (:stack-halves shows the others)");
	str_release(&text);
}
END_TEST

Suite *suite_empty_reason(void);
Suite *suite_empty_reason(void)
{
	Suite *suite = suite_create("empty_reason");
	TCase *tests = tcase_create("empty_reason");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, what_does_not_run);
	tcase_add_test(tests, what_went_wrong_goes_before_all_else);
	tcase_add_test(tests, stacks_that_cannot_be);
	tcase_add_test(tests, a_filter_and_what_drops_it);
	tcase_add_test(tests, a_recording_without_calls);
	tcase_add_test(tests, collection_that_stands);
	tcase_add_test(tests, empty_panes_name_the_target);
	tcase_add_test(tests, keys_are_those_that_are_bound);
	suite_add_tcase(suite, tests);
	return suite;
}
