#include "engine/export/summary.h"
#include "engine/export/summary_table.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

static const struct summary_form form = {
	.columns = { SUMMARY_NAME, SUMMARY_CALLS, SUMMARY_ERRORS, SUMMARY_TOTAL, SUMMARY_AVG,
		     SUMMARY_MIN, SUMMARY_P50, SUMMARY_P95, SUMMARY_P99, SUMMARY_MAX,
		     SUMMARY_ERRNOS },
	.column_count = 11,
};

static const struct errno_count errnos[] = {
	{ .number = 11, .count = 7 },
	{ .number = 3000, .count = 2 },
	{ .number = 0, .count = 1 },
};

static const struct errno_count one_errno = { .number = 11, .count = 1 };

/* clang-format off */
static const struct summary_syscall rows[] = {
	{ .nr = 0, .name = "read", .calls = 4, .errors = 1, .total_ns = 2000000, .min_ns = 100,
	  .max_ns = 1900000, .p50_ns = 500, .p95_ns = 1800000, .p99_ns = 1900000,
	  .deviation_ns = 100000, .errnos = &one_errno, .errno_count = 1 },
	{ .nr = 3, .name = "close", .calls = 1, .errors = 0, .total_ns = 1000, .min_ns = 1000,
	  .max_ns = 1000, .p50_ns = 1000, .p95_ns = 1000, .p99_ns = 1000 },
	{ .nr = 1, .name = "write", .calls = 1, .errors = 1, .total_ns = 0 },
};
/* clang-format on */

static const struct summary_group processes[] = {
	{ .pid = 42,
	  .comm = "dd",
	  .calls = 5,
	  .errors = 1,
	  .total_ns = 2001000,
	  .syscalls = rows,
	  .syscall_count = 2 },
	{ .pid = 43,
	  .comm = "\\33[31m",
	  .calls = 1,
	  .errors = 1,
	  .total_ns = 0,
	  .syscalls = rows + 2,
	  .syscall_count = 1 },
};

static const struct summary_waker wakers[] = {
	{ .tid = 7, .comm = "a\"", .count = 2 },
	{ .tid = 8, .comm = "b", .count = 1 },
};

static const struct summary_futex futexes[] = {
	{ .pid = 42,
	  .comm = "dd",
	  .uaddr = 0x1000,
	  .name = "the\"lock",
	  .waits = 3,
	  .total_ns = 70000,
	  .max_ns = 60000,
	  .waiters = 2,
	  .wakers = wakers,
	  .waker_count = 2 },
	{ .pid = 43, .comm = "\\33[31m", .waiters = 1 },
};

static const struct summary whole = {
	.form = &form,
	.source = "perf",
	.started_ns = 1000000000,
	.ended_ns = 2500000000,
	.processes = processes,
	.process_count = 2,
	.futexes = futexes,
	.futex_count = 2,
};

/* True if a line of the text ends with `line`. */
static bool has_line(const char *text, const char *line)
{
	const char *at = strstr(text, line);

	return at && at[strlen(line)] == '\n';
}

START_TEST(processes_and_futexes_are_written_as_text)
{
	struct summary summary = whole;
	struct str out = STR_INIT;

	summary_add_text(&out, &summary);
	ck_assert(has_line(out.data, "dd/42: 5 calls, 1 error, 2.001 ms"));
	ck_assert(has_line(out.data, "\\33[31m/43: 1 call, 1 error, 0.000 ms"));
	ck_assert_msg(has_line(out.data, "  read                      4        1         2.000     "
					 "500.000       0.100"
					 "       0.500    1800.000    1900.000"
					 "      1900.000  EAGAIN 1"),
		      "%s", out.data);
	ck_assert(has_line(out.data, "total: 6 calls, 2 errors, 2.001 ms in calls of 2 processes, "
				     "watched for 1.500 s"));
	ck_assert_ptr_null(strstr(out.data, "lower bounds"));
	ck_assert_msg(has_line(out.data, "  dd/42            0x1000                      3"
					 "         0.070         0.060     2"
					 "  the\"lock, woken by a\"/7 (2), b/8 (1)"),
		      "%s", out.data);
	ck_assert_msg(has_line(out.data, "  \\33[31m/43       0x0                         0"
					 "         0.000         0.000     1"
					 "  ?"),
		      "%s", out.data);
	ck_assert_ptr_null(strstr(out.data, "more\n"));

	str_clear(&out);
	summary.lost = 512;
	summary.in_flight = 2;
	summary.oldest_ns = 3250000000;
	summary.futexes_left_out = 3;
	summary_add_text(&out, &summary);
	ck_assert(has_line(out.data, "  and 3 more"));
	ck_assert(has_line(out.data, "2 calls are still in flight, "
				     "the longest seen for 3.250 s"));
	ck_assert(has_line(out.data, "512 records were lost: the numbers above are lower bounds"));
	str_release(&out);
}
END_TEST

/* clang-format off */
START_TEST(unknown_waits_make_lower_bounds)
{
	const struct summary_form waits = {
		.columns = { SUMMARY_NAME, SUMMARY_BLOCKED }, .column_count = 2,
	};
	const struct summary_syscall unknown[] = {
		{ .name = "read", .calls = 4, .total_ns = 9000000, .blocked_ns = 5000000,
		  .waits_unknown = 2 },
		{ .name = "close", .calls = 1, .total_ns = 1000, .waits_unknown = 1 },
		{ .name = "write", .calls = 1, .total_ns = 1000 },
	};
	const struct summary_group group = {
		.pid = 42, .comm = "dd", .calls = 6, .total_ns = 9002000, .blocked_ns = 5000000,
		.waits_unknown = 3, .syscalls = unknown, .syscall_count = 3,
	};
	const struct summary summary = {
		.form = &waits, .source = "perf", .has_blocked = true, .processes = &group,
		.process_count = 1,
	};
	struct str out = STR_INIT;

	/* clang-format on */
	summary_add_text(&out, &summary);
	ck_assert(has_line(out.data, "dd/42: 6 calls, 0 errors, 9.002 ms, >5.000 blocked"));
	ck_assert(has_line(out.data, "  read                    >5.000"));
	ck_assert(has_line(out.data, "  close                        ?"));
	ck_assert(has_line(out.data, "  write                    0.000"));
	ck_assert(has_line(out.data, "unknown waits in 3 calls: blocked times with > are "
				     "lower bounds"));
	str_clear(&out);
	summary_add_json(&out, &summary);
	ck_assert_ptr_nonnull(strstr(out.data, "\"exact\":true,\"waits_unknown\":3,"));
	ck_assert_ptr_nonnull(strstr(out.data, "\"blocked\":5000000,\"waits_unknown\":2,"));
	str_release(&out);
}
END_TEST

/* clang-format off */
START_TEST(calls_of_unknown_duration_are_in_no_mean)
{
	const struct summary_form times = {
		.columns = { SUMMARY_NAME, SUMMARY_TOTAL, SUMMARY_AVG, SUMMARY_MIN },
		.column_count = 4,
	};
	const struct summary_syscall unknown[] = {
		{ .nr = 0, .name = "read", .calls = 3, .untimed = 1, .total_ns = 8000000,
		  .min_ns = 3000000, .max_ns = 5000000 },
		{ .nr = 3, .name = "close", .calls = 1, .untimed = 1 },
	};
	const struct summary_group group = {
		.pid = 42, .comm = "dd", .calls = 4, .untimed = 2, .total_ns = 8000000,
		.syscalls = unknown, .syscall_count = 2,
	};
	const struct summary summary = {
		.form = &times, .source = "perf", .processes = &group, .process_count = 1,
	};
	struct str out = STR_INIT;

	/* clang-format on */
	summary_add_text(&out, &summary);
	ck_assert(has_line(out.data, "dd/42: 4 calls, 0 errors, >8.000 ms"));
	ck_assert(has_line(out.data, "  read                    >8.000    4000.000    3000.000"));
	ck_assert(has_line(out.data, "  close                        ?           ?           ?"));
	ck_assert(has_line(out.data, "unknown duration of 2 calls: times with > are "
				     "lower bounds"));
	str_clear(&out);
	summary_add_json(&out, &summary);
	ck_assert_ptr_nonnull(strstr(out.data, "\"timed\":2,\"total\":8000000,\"min\":3000000,"));
	ck_assert_ptr_nonnull(strstr(out.data, "\"timed\":0,\"total\":0,\"min\":null,\"max\":null"
					       ",\"p50\":null,\"p95\":null,\"p99\":null,"
					       "\"stddev\":null,"));
	str_clear(&out);
	summary_add_csv(&out, &summary);
	ck_assert_ptr_nonnull(strstr(out.data, "close,1,0,0,,,,,,,,"));
	ck_assert_ptr_nonnull(strstr(out.data, ",waits_unknown,timed\r\n"));
	str_release(&out);
}
END_TEST

START_TEST(an_empty_summary_has_a_total)
{
	const struct summary empty = { .form = &form, .source = "perf" };
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

START_TEST(processes_and_futexes_are_written_as_json)
{
	struct summary summary = whole;
	struct str out = STR_INIT;

	summary.lost = 3;
	summary_add_json(&out, &summary);
	ck_assert_str_eq(
		out.data,
		"{\"type\":\"summary\",\"source\":\"perf\",\"calls\":6,\"lost\":3,\"exact\":false,"
		"\"started\":1000000000,\"ended\":2500000000,\"processes\":["
		"{\"pid\":42,\"comm\":\"dd\",\"calls\":5,\"errors\":1,\"total\":2001000,"
		"\"syscalls\":[{\"nr\":0,\"name\":\"read\",\"calls\":4,\"errors\":1,"
		"\"total\":2000000,\"min\":100,\"max\":1900000,\"p50\":500,\"p95\":1800000,"
		"\"p99\":1900000,\"stddev\":100000,\"errnos\":{\"EAGAIN\":1}},"
		"{\"nr\":3,\"name\":\"close\",\"calls\":1,\"errors\":0,"
		"\"total\":1000,\"min\":1000,\"max\":1000,"
		"\"p50\":1000,\"p95\":1000,\"p99\":1000,\"stddev\":0,\"errnos\":{}}]},"
		"{\"pid\":43,\"comm\":\"\\\\33[31m\",\"calls\":1,\"errors\":1,\"total\":0,"
		"\"syscalls\":[{\"nr\":1,\"name\":\"write\",\"calls\":1,\"errors\":1,\"total\":0,"
		"\"min\":0,\"max\":0,\"p50\":0,\"p95\":0,\"p99\":0,\"stddev\":0,"
		"\"errnos\":{}}]}],\"futexes\":["
		"{\"pid\":42,\"uaddr\":\"0x1000\",\"name\":\"the\\\"lock\",\"waits\":3,"
		"\"total\":70000,\"max\":60000,"
		"\"waiters\":2,\"wakers\":[{\"tid\":7,\"comm\":\"a\\\"\",\"count\":2},"
		"{\"tid\":8,\"comm\":\"b\",\"count\":1}]},"
		"{\"pid\":43,\"uaddr\":\"0x0\",\"name\":null,\"waits\":0,\"total\":0,\"max\":0,"
		"\"waiters\":1,\"wakers\":[]}]}\n");
	str_release(&out);
}
END_TEST

START_TEST(events_of_other_tracepoints_are_counted)
{
	static const struct summary_event events[] = { { "sched:a", 12 }, { "x\\33:b", 3 } };
	struct summary summary = { .form = &form,
				   .source = "perf",
				   .events = events,
				   .event_count = 2,
				   .events_watched = true,
				   .events_lost = 7 };
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
				       "\"events_lost\":7}\n"),
		      "%s", out.data);
	/* With watched events, an empty list is reported; otherwise the output has no events. */
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

static void check_table(const struct summary *summary, const char *wanted)
{
	struct str out = STR_INIT;

	summary_add_text(&out, summary);
	ck_assert_msg(strstr(out.data, wanted), "expected:\n%s\ngot:\n%s", wanted, out.data);
	str_release(&out);
}

/* Return the index of a column; -1: none. */
static int column_of(const struct summary_form *of, enum summary_column column)
{
	for (size_t i = 0; i < of->column_count; i++)
		if (of->columns[i] == column)
			return (int)i;
	return -1;
}

START_TEST(columns_and_order_are_chosen)
{
	struct summary_form chosen;
	struct err err;

	summary_form_init(&chosen);
	ck_assert_int_eq(column_of(&chosen, SUMMARY_BLOCKED), -1);
	summary_form_offer(&chosen, SUMMARY_BLOCKED);
	ck_assert_int_eq(column_of(&chosen, SUMMARY_BLOCKED), SUMMARY_BLOCKED);
	summary_form_withdraw(&chosen, SUMMARY_BLOCKED);
	ck_assert_int_eq(column_of(&chosen, SUMMARY_BLOCKED), -1);
	ck_assert_uint_eq(chosen.column_count, SUMMARY_COLUMNS - 1);
	summary_form_offer(&chosen, SUMMARY_BLOCKED);
	ck_assert_uint_eq(chosen.column_count, SUMMARY_COLUMNS);
	ck_assert_int_eq(summary_form_columns(&chosen, "p99,calls,p99,syscall", &err), 0);
	ck_assert_uint_eq(chosen.column_count, 3);
	ck_assert_int_eq(chosen.columns[0], SUMMARY_NAME);
	ck_assert_int_eq(chosen.columns[1], SUMMARY_P99);
	ck_assert_int_eq(chosen.columns[2], SUMMARY_CALLS);
	summary_form_withdraw(&chosen, SUMMARY_P99);
	summary_form_offer(&chosen, SUMMARY_BLOCKED);
	ck_assert_uint_eq(chosen.column_count, 3);
	ck_assert_int_ne(summary_form_columns(&chosen, "p99,\033[2J", &err), 0);
	ck_assert_msg(
		strstr(err.text, "unknown column '\\33[2J'; expected one of syscall, calls, "),
		"%s", err.text);
	ck_assert_int_eq(summary_form_sort(&chosen, "p95", &err), 0);
	ck_assert(chosen.sort == SUMMARY_P95 && !chosen.ascending);
	ck_assert_int_eq(summary_form_sort(&chosen, "-p95", &err), 0);
	ck_assert(chosen.ascending);
	ck_assert_int_eq(summary_form_sort(&chosen, "syscall", &err), 0);
	ck_assert(chosen.sort == SUMMARY_NAME && chosen.ascending);
	ck_assert_int_ne(summary_form_sort(&chosen, "", &err), 0);
	ck_assert_int_eq(summary_form_sort(&chosen, "errnos", &err), 0);
	ck_assert(chosen.sort == SUMMARY_ERRNOS && !chosen.ascending);
	ck_assert_int_eq(summary_form_by(&chosen, "thread", &err), 0);
	ck_assert_int_eq(chosen.by, SUMMARY_BY_THREAD);
	ck_assert_int_ne(summary_form_by(&chosen, "cpu", &err), 0);
}
END_TEST

START_TEST(system_calls_are_sorted_by_the_column)
{
	struct summary_syscall one = { .name = "a", .calls = 1, .total_ns = 5, .p99_ns = 9 };
	struct summary_syscall other = { .name = "b", .calls = 2, .total_ns = 5, .p99_ns = 8 };
	struct summary_form of = { .sort = SUMMARY_P99 };

	ck_assert_int_lt(summary_compare_syscalls(&of, &one, &other), 0);
	of.ascending = true;
	ck_assert_int_gt(summary_compare_syscalls(&of, &one, &other), 0);
	of.sort = SUMMARY_NAME;
	ck_assert_int_lt(summary_compare_syscalls(&of, &one, &other), 0);
	of.ascending = false;
	ck_assert_int_gt(summary_compare_syscalls(&of, &one, &other), 0);
	of.sort = SUMMARY_TOTAL; /* equal: more calls first, in either direction */
	ck_assert_int_gt(summary_compare_syscalls(&of, &one, &other), 0);
	of.ascending = true;
	ck_assert_int_gt(summary_compare_syscalls(&of, &one, &other), 0);
}
END_TEST

/* Columns that do not fit are dropped, but not the sorted one. Names of errors fill the line. */
/* clang-format off */
START_TEST(columns_are_dropped_to_fit_the_width)
{
	static const struct summary_syscall failing = {
		.name = "futex", .calls = 10, .errors = 11, .total_ns = 1000000,
		.blocked_ns = 900000, .max_ns = 1000000, .min_ns = 1, .errnos = errnos,
		.errno_count = 3,
	};
	static const struct summary_group group = {
		.pid = 1, .tid = 2, .comm = "a", .calls = 10, .errors = 11, .total_ns = 1000000,
		.blocked_ns = 900000, .syscalls = &failing, .syscall_count = 1,
	};
	struct summary_form of;
	struct summary summary = { .form = &of, .groups = &group, .group_count = 1 };

	/* clang-format on */
	summary_form_init(&of);
	of.by = SUMMARY_BY_THREAD;
	of.width = 80;
	check_table(&summary,
		    "a/2 of process 1: 10 calls, 11 errors, 1.000 ms\n\n"
		    "  syscall calls errors time % total ms p95 us p99 us   max us  failed with\n"
		    "  futex      10     11 100.00    1.000  0.000  0.000 1000.000"
		    "  EAGAIN 7, +4\n");
	of.width = 40;
	check_table(&summary, "  syscall calls errors total ms   max us\n"
			      "  futex      10     11    1.000 1000.000\n");
	of.width = 20;
	check_table(&summary, "  syscall calls total ms\n  futex      10    1.000\n");
	of.width = 80;
	of.width = 200;
	check_table(&summary, "      1000.000     0.00  EAGAIN 7, 3000 2, ? 1, +1\n");
	of.width = 80;
	of.sort = SUMMARY_MIN;
	check_table(&summary, "  syscall calls errors total ms min us p95 us p99 us   max us"
			      "  failed with\n"
			      "  futex      10     11    1.000  0.001  0.000  0.000 1000.000"
			      "  EAGAIN 7, +4\n");
	of.sort = SUMMARY_TOTAL;
	of.width = 0;
	check_table(&summary, "EAGAIN 7, 3000 2, ? 1, +1\n");
	summary_form_offer(&of, SUMMARY_BLOCKED);
	summary.has_blocked = true;
	of.by = SUMMARY_BY_TOTAL;
	check_table(&summary, "all: 10 calls, 11 errors, 1.000 ms, 0.900 blocked\n");
	check_table(&summary, " 0.900 ");
	check_table(&summary, " 100.00 ");
}
END_TEST

START_TEST(json_has_the_chosen_groups)
{
	static const struct summary_group group = {
		.pid = 1, .tid = 2, .comm = "a", .blocked_ns = 5
	};
	struct summary_form of = { .by = SUMMARY_BY_THREAD };
	struct summary summary = {
		.form = &of, .groups = &group, .group_count = 1, .has_blocked = true
	};
	struct str out = STR_INIT;

	summary.source = "perf";
	summary_add_json(&out, &summary);
	ck_assert_msg(strstr(out.data, "\"processes\":[],\"threads\":[{\"pid\":1,\"tid\":2,"
				       "\"comm\":\"a\",\"calls\":0,\"errors\":0,\"total\":0,"
				       "\"blocked\":5,\"waits_unknown\":0,\"syscalls\":[]}],"
				       "\"futexes\":[]"),
		      "%s", out.data);
	str_clear(&out);
	of.by = SUMMARY_BY_TOTAL;
	summary_add_json(&out, &summary);
	ck_assert_msg(strstr(out.data, "\"processes\":[],\"syscalls\":[],\"futexes\":[]"), "%s",
		      out.data);
	str_release(&out);
}
END_TEST

#define MANY (1 << 17)

struct taker {
	struct str *out;
	size_t most, all;
};

static void take(void *ctx)
{
	struct taker *taker = ctx;

	taker->all += taker->out->len;
	if (taker->out->len > taker->most)
		taker->most = taker->out->len;
	str_clear(taker->out);
}

/* 100,000 processes make 100 MB of output, of which at most one group is buffered. */
START_TEST(output_is_taken_group_by_group)
{
	void (*const formats[])(struct str *, const struct summary *) = {
		summary_add_text,
		summary_add_json,
		summary_add_csv,
	};
	struct summary_group *groups = calloc(MANY, sizeof(*groups));
	struct summary summary = whole;

	for (size_t i = 0; i < MANY; i++)
		groups[i] = processes[i % 2];
	summary.processes = groups;
	summary.process_count = MANY;
	summary.wrote = take;
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		struct str out = STR_INIT;
		struct taker taker = { .out = &out };

		summary.wrote_ctx = &taker;
		formats[i](&out, &summary);
		ck_assert_uint_gt(taker.all, MANY * 50);
		ck_assert_uint_lt(taker.most, 4096);
		str_release(&out);
	}
	free(groups);
}
END_TEST

/* Ended processes of one name are one group, which shows their count. */
START_TEST(ended_processes_have_a_name_and_a_count)
{
	struct summary_group ended = processes[0];
	struct summary summary = whole;
	struct str out = STR_INIT;

	ended.pid = 0;
	ended.comm = "true";
	ended.ended = 5000;
	summary.processes = &ended;
	summary.process_count = 1;
	summary_add_text(&out, &summary);
	ck_assert_ptr_nonnull(strstr(out.data, "true (ended), 5000 processes: 5 calls"));
	ck_assert_ptr_nonnull(strstr(out.data, " in calls of 5000 processes,"));
	str_clear(&out);
	summary_add_json(&out, &summary);
	ck_assert_ptr_nonnull(strstr(out.data, "{\"pid\":0,\"comm\":\"true\",\"ended\":5000,"));
	str_clear(&out);
	summary_add_csv(&out, &summary);
	ck_assert_ptr_nonnull(strstr(out.data, "\r\n,,true,0,read,4,1,"));
	ck_assert_ptr_nonnull(strstr(out.data, ",5000,,4\r\n"));
	str_release(&out);
}
END_TEST

Suite *suite_summary(void);
Suite *suite_summary(void)
{
	Suite *suite = suite_create("summary");
	TCase *tc = tcase_create("summary");

	tcase_add_test(tc, processes_and_futexes_are_written_as_text);
	tcase_add_test(tc, unknown_waits_make_lower_bounds);
	tcase_add_test(tc, calls_of_unknown_duration_are_in_no_mean);
	tcase_add_test(tc, an_empty_summary_has_a_total);
	tcase_add_test(tc, processes_and_futexes_are_written_as_json);
	tcase_add_test(tc, events_of_other_tracepoints_are_counted);
	tcase_add_test(tc, columns_and_order_are_chosen);
	tcase_add_test(tc, system_calls_are_sorted_by_the_column);
	tcase_add_test(tc, columns_are_dropped_to_fit_the_width);
	tcase_add_test(tc, json_has_the_chosen_groups);
	tcase_add_test(tc, output_is_taken_group_by_group);
	tcase_add_test(tc, ended_processes_have_a_name_and_a_count);
	suite_add_tcase(suite, tc);
	return suite;
}
