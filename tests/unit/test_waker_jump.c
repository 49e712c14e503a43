/* Jumps from each wait of a recording to the call of its waker. */
#include "tui/calls/waker_jump.h"

#include "engine/base/clock.h"
#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tui/shell/shell_actions.h"

#include <stdio.h>
#include <string.h>

#define CALLS_MAX 1000

static struct recorded_shell on;
static struct call calls[CALLS_MAX];
static uint64_t seqs[CALLS_MAX];
static size_t count;

static void setup(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
	count = recorded_calls(on.engine, calls, seqs, CALLS_MAX);
}

static void teardown(void)
{
	recorded_shell_close(&on);
}

static const struct call *call_with(uint64_t seq)
{
	for (size_t i = 0; i < count; i++)
		if (seqs[i] == seq)
			return &calls[i];
	ck_abort_msg("%llu is not in the history", (unsigned long long)seq);
	return NULL;
}

START_TEST(the_call_of_the_waker_spans_the_wakeup)
{
	int found = 0, wakers = 0;

	for (size_t i = 0; i < count; i++) {
		const struct call *call = &calls[i], *waker;
		uint64_t seq, from_ns, to_ns;

		if (call->waker_kind != WAKER_THREAD || call->dur_ns < 0)
			continue;
		wakers++;
		if (waker_find(&on.shell.session, call, &seq) != WAKER_FOUND)
			continue;
		found++;
		waker = call_with(seq);
		from_ns = call->enter_ns + call->blocked_ns;
		to_ns = call->enter_ns + (uint64_t)call->dur_ns;
		ck_assert_uint_eq(waker->tid, call->waker_tid);
		ck_assert_uint_le(waker->enter_ns, to_ns);
		ck_assert_uint_ge(waker->enter_ns + (uint64_t)waker->dur_ns, from_ns);
	}
	ck_assert_int_gt(wakers, 30);
	/* Some wakers are not found: they were leaving a call that the recording lacks. */
	ck_assert_int_gt(found, wakers * 9 / 10);
}
END_TEST

START_TEST(a_call_that_the_filter_drops_is_only_offered)
{
	struct session *session = &on.shell.session;
	uint64_t seq;
	size_t i = 0;

	while (i < count && (calls[i].waker_kind != WAKER_THREAD ||
			     waker_find(session, &calls[i], &seq) != WAKER_FOUND))
		i++;
	ck_assert_uint_lt(i, count);
	recorded_shell_press(&on, "\\");
	recorded_shell_type(&on, "syscall == execve");
	recorded_shell_press(&on, "Enter");
	ck_assert_int_eq(waker_find(session, &calls[i], &seq), WAKER_FILTERED);
	ck_assert_uint_eq(call_with(seq)->tid, calls[i].waker_tid);
	ck_assert_int_ge(recorded_shell_row(&on, "the filter drops; Enter clears"), 0);
}
END_TEST

START_TEST(enter_drops_the_filter_and_goes_there)
{
	struct session *session = &on.shell.session;
	char term[32];
	uint64_t seq;
	size_t i = 0;

	while (i < count &&
	       (calls[i].waker_kind != WAKER_THREAD || calls[i].waker_tid == calls[i].tid ||
		waker_find(session, &calls[i], &seq) != WAKER_FOUND))
		i++;
	ck_assert_uint_lt(i, count);
	snprintf(term, sizeof(term), "tid == %u", calls[i].tid);
	recorded_shell_press(&on, "\\");
	recorded_shell_type(&on, term);
	recorded_shell_press(&on, "Enter");
	for (int enter = 0; enter < 2; enter++) {
		session->has_subject_call = true;
		session->subject_call = calls[i];
		shell_act(&on.shell, ACTION_WAKER);
		ck_assert(on.shell.waker_offered);
		ck_assert_uint_eq(on.shell.waker_seq, seq);
		/* Any key other than Enter declines. */
		recorded_shell_press(&on, enter ? "Enter" : "Down");
		ck_assert(!on.shell.waker_offered);
		ck_assert_str_eq(filter_stack_text(&session->filter_stack), enter ? "" : term);
	}
	ck_assert(session->has_subject_call);
	ck_assert_uint_eq(session->subject_call.tid, calls[i].waker_tid);
	ck_assert_uint_eq(session->subject_call.enter_ns, call_with(seq)->enter_ns);
}
END_TEST

START_TEST(the_reason_for_no_waker_is_shown)
{
	struct call call = { .state = CALL_DONE, .blocked_ns = 1, .dur_ns = 2 };
	static const struct {
		const char *message;
		uint64_t blocked_ns;
		uint8_t kind, state;
	} cases[] = {
		{ "Not woken yet", 1, WAKER_NONE, CALL_IN_FLIGHT },
		{ "so it has no waker", 0, WAKER_NONE, CALL_DONE },
		{ "Woken by its timeout", 1, WAKER_TIMER, CALL_DONE },
		{ "Woken by an interrupt", 1, WAKER_INTERRUPT, CALL_DONE },
		{ "No waker was recorded", 1, WAKER_NONE, CALL_DONE },
		{ "Woken by 4000000; that call was", 1, WAKER_THREAD, CALL_DONE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t seq;

		call.blocked_ns = cases[i].blocked_ns;
		call.waker_kind = cases[i].kind;
		call.state = cases[i].state;
		call.waker_tid = 4000000;
		ck_assert_int_eq(waker_find(&on.shell.session, &call, &seq), WAKER_NOWHERE);
		ck_assert_msg(recorded_shell_row(&on, cases[i].message) >= 0, "%s",
			      cases[i].message);
	}
}
END_TEST

Suite *suite_waker_jump(void);

Suite *suite_waker_jump(void)
{
	Suite *suite = suite_create("waker_jump");
	TCase *tcase = tcase_create("waker_jump");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_call_of_the_waker_spans_the_wakeup);
	tcase_add_test(tcase, a_call_that_the_filter_drops_is_only_offered);
	tcase_add_test(tcase, enter_drops_the_filter_and_goes_there);
	tcase_add_test(tcase, the_reason_for_no_waker_is_shown);
	tcase_set_timeout(tcase, 20);
	suite_add_tcase(suite, tcase);
	return suite;
}
