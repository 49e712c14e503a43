#include "engine/export/summary.h"

#include "tests/unit/runner.h"

#include <string.h>

static const struct summary_syscall rows[] = {
	{ .nr = 0, .name = "read", .calls = 4, .errors = 1, .total_ns = 2000000, .min_ns = 100,
	  .max_ns = 1900000, .p50_ns = 500, .p95_ns = 1800000, .p99_ns = 1900000 },
	{ .nr = 3, .name = "close", .calls = 1, .errors = 0, .total_ns = 1000, .min_ns = 1000,
	  .max_ns = 1000, .p50_ns = 1000, .p95_ns = 1000, .p99_ns = 1000 },
	{ .nr = 1, .name = "write", .calls = 1, .errors = 1, .total_ns = 0 },
};

static const struct summary_process processes[] = {
	{ .pid = 42, .comm = "dd", .calls = 5, .errors = 1, .total_ns = 2001000, .syscalls = rows,
	  .syscall_count = 2 },
	{ .pid = 43, .comm = "\\33[31m", .calls = 1, .errors = 1, .total_ns = 0,
	  .syscalls = rows + 2, .syscall_count = 1 },
};

static const struct summary_waker wakers[] = {
	{ .tid = 7, .comm = "a\"", .count = 2 }, { .tid = 8, .comm = "b", .count = 1 },
};

static const struct summary_futex futexes[] = {
	{ .pid = 42, .comm = "dd", .uaddr = 0x1000, .name = "the\"lock", .waits = 3,
	  .total_ns = 70000, .max_ns = 60000, .waiters = 2, .wakers = wakers, .waker_count = 2 },
	{ .pid = 43, .comm = "\\33[31m", .waiters = 1 },
};

static const struct summary whole = {
	.source = "perf", .started_ns = 1000000000, .ended_ns = 2500000000,
	.processes = processes, .process_count = 2, .futexes = futexes, .futex_count = 2,
};

/* One line of text, without leading spaces. */
static bool has_line(const char *text, const char *line)
{
	const char *at = strstr(text, line);

	return at && at[strlen(line)] == '\n';
}

START_TEST(text)
{
	struct summary summary = whole;
	struct str out = STR_INIT;

	summary_add_text(&out, &summary);
	ck_assert(has_line(out.data, "dd/42: 5 calls, 1 error, 2.001 ms"));
	ck_assert(has_line(out.data, "\\33[31m/43: 1 call, 1 error, 0.000 ms"));
	ck_assert_msg(has_line(out.data,
		"  read                      4        1         2.000     500.000       0.100"
		"       0.500    1800.000    1900.000      1900.000"), "%s", out.data);
	ck_assert(has_line(out.data, "total: 6 calls, 2 errors, 2.001 ms in calls of 2 processes, "
				     "watched for 1.500 s"));
	ck_assert_ptr_null(strstr(out.data, "lower bounds"));
	ck_assert_msg(has_line(out.data,
		"  dd/42            0x1000                      3"
		"         0.070         0.060     2"
		"  the\"lock, woken by a\"/7 (2), b/8 (1)"), "%s", out.data);
	ck_assert_msg(has_line(out.data,
		"  \\33[31m/43       0x0                         0"
		"         0.000         0.000     1"
		"  ?"), "%s", out.data);
	ck_assert_ptr_null(strstr(out.data, "more\n"));

	str_clear(&out);
	summary.lost = 512;
	summary.in_flight = 2;
	summary.oldest_ns = 3250000000;
	summary.futexes_left_out = 3;
	summary_add_text(&out, &summary);
	ck_assert(has_line(out.data, "  and 3 more"));
	ck_assert(has_line(out.data, "2 calls have not returned yet, "
			   "the longest seen for 3.250 s"));
	ck_assert(has_line(out.data, "512 records were lost: the numbers above are lower bounds"));
	str_release(&out);
}
END_TEST

START_TEST(nothing)
{
	const struct summary empty = { .source = "perf" };
	struct str out = STR_INIT;

	summary_add_text(&out, &empty);
	ck_assert_str_eq(out.data, "total: 0 calls, 0 errors, 0.000 ms in calls of 0 processes, "
				   "watched for 0.000 s\n");
	str_clear(&out);
	summary_add_json(&out, &empty);
	ck_assert_str_eq(out.data, "{\"type\":\"summary\",\"source\":\"perf\",\"calls\":0,"
				   "\"lost\":0,\"exact\":true,\"started\":0,\"ended\":0,"
				   "\"processes\":[],\"futexes\":[]}\n");
	str_release(&out);
}
END_TEST

START_TEST(json)
{
	struct summary summary = whole;
	struct str out = STR_INIT;

	summary.lost = 3;
	summary_add_json(&out, &summary);
	ck_assert_str_eq(out.data,
		"{\"type\":\"summary\",\"source\":\"perf\",\"calls\":6,\"lost\":3,\"exact\":false,"
		"\"started\":1000000000,\"ended\":2500000000,\"processes\":["
		"{\"pid\":42,\"comm\":\"dd\",\"calls\":5,\"errors\":1,\"total\":2001000,"
		"\"syscalls\":[{\"nr\":0,\"name\":\"read\",\"calls\":4,\"errors\":1,"
		"\"total\":2000000,\"min\":100,\"max\":1900000,\"p50\":500,\"p95\":1800000,"
		"\"p99\":1900000},{\"nr\":3,\"name\":\"close\",\"calls\":1,\"errors\":0,"
		"\"total\":1000,\"min\":1000,\"max\":1000,"
		"\"p50\":1000,\"p95\":1000,\"p99\":1000}]},"
		"{\"pid\":43,\"comm\":\"\\\\33[31m\",\"calls\":1,\"errors\":1,\"total\":0,"
		"\"syscalls\":[{\"nr\":1,\"name\":\"write\",\"calls\":1,\"errors\":1,\"total\":0,"
		"\"min\":0,\"max\":0,\"p50\":0,\"p95\":0,\"p99\":0}]}],\"futexes\":["
		"{\"pid\":42,\"uaddr\":\"0x1000\",\"name\":\"the\\\"lock\",\"waits\":3,"
		"\"total\":70000,\"max\":60000,"
		"\"waiters\":2,\"wakers\":[{\"tid\":7,\"comm\":\"a\\\"\",\"count\":2},"
		"{\"tid\":8,\"comm\":\"b\",\"count\":1}]},"
		"{\"pid\":43,\"uaddr\":\"0x0\",\"name\":null,\"waits\":0,\"total\":0,\"max\":0,"
		"\"waiters\":1,\"wakers\":[]}]}\n");
	str_release(&out);
}
END_TEST

START_TEST(other_tracepoints)
{
	static const struct summary_event events[] = { { "sched:a", 12 }, { "x\\33:b", 3 } };
	struct summary summary = { .source = "perf", .events = events, .event_count = 2,
				   .events_watched = true, .events_lost = 7 };
	struct str out = STR_INIT;

	summary_add_text(&out, &summary);
	ck_assert_msg(strstr(out.data, "other tracepoints\n\n"
				       "       count  event\n"
				       "          12  sched:a\n"
				       "           3  x\\33:b\n\n"
				       "7 events were lost: the counts above are lower bounds\n"),
		      "%s", out.data);
	str_clear(&out);
	summary_add_json(&out, &summary);
	ck_assert_msg(strstr(out.data, ",\"events\":[{\"name\":\"sched:a\",\"count\":12},"
				       "{\"name\":\"x\\\\33:b\",\"count\":3}],"
				       "\"events_lost\":7}\n"), "%s", out.data);
	/* Watched in vain is worth a word, not watched is not. */
	summary.event_count = summary.events_lost = 0;
	str_clear(&out);
	summary_add_json(&out, &summary);
	ck_assert_ptr_nonnull(strstr(out.data, ",\"events\":[],\"events_lost\":0}\n"));
	summary.events_watched = false;
	str_clear(&out);
	summary_add_text(&out, &summary);
	summary_add_json(&out, &summary);
	ck_assert_ptr_null(strstr(out.data, "event"));
	str_release(&out);
}
END_TEST

Suite *suite_summary(void);
Suite *suite_summary(void)
{
	Suite *suite = suite_create("summary");
	TCase *tc = tcase_create("summary");

	tcase_add_test(tc, text);
	tcase_add_test(tc, nothing);
	tcase_add_test(tc, json);
	tcase_add_test(tc, other_tracepoints);
	suite_add_tcase(suite, tc);
	return suite;
}
