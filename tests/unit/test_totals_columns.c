#include "tui/view/totals_columns.h"
#include "tui/view/totals_values.h"

#include "tests/unit/runner.h"
#include "tui/session/totals_query.h"
#include "tui/view/totals_fields.h"
#include "tui/view/totals_terms.h"

#include <math.h>
#include <string.h>

static const struct engine_row busy = {
	.pid = 42,
	.name = "nginx",
	.calls = 1000,
	.errors = 100,
	.total_ns = 5000000,
	.blocked_ns = 4000000,
	.max_ns = 900000,
	.p50_ns = 2000,
	.calls_per_s = 91234.0,
	.in_flight = 1,
	.oldest_ns = 1000,
	.histogram = { 0, 5, 900, 90, 5 },
};
static const struct engine_row hung = {
	.pid = 43,
	.name = "java",
	.in_flight = 2,
	.oldest_ns = 3200000000ULL,
};
static const struct engine_row recounted = { .pid = 44, .calls = 500000, .calls_per_s = NAN };
static const struct engine_row gone = { .pid = 7, .name = "make", .calls = 3, .ended = true };

static void assert_cell(const struct engine_row *row, enum engine_group group,
			enum totals_column column, const char *text, enum role role)
{
	struct table_cell cell = { .text = STR_INIT };

	totals_cell_text(row, group, column, &cell);
	ck_assert_msg(!strcmp(cell.text.data, text), "%s is \"%s\", not \"%s\"",
		      totals_column_name(column), cell.text.data, text);
	ck_assert_msg(cell.role == role, "%s has role %s", totals_column_name(column),
		      role_name(cell.role));
	str_release(&cell.text);
}

START_TEST(cells_show_the_values_of_the_row)
{
	assert_cell(&busy, ENGINE_BY_PROCESS, TOTALS_ID, "42", ROLE_NUMBER);
	assert_cell(&busy, ENGINE_BY_PROCESS, TOTALS_NAME, "nginx", ROLE_NAME);
	assert_cell(&busy, ENGINE_BY_PROCESS, TOTALS_RATE, "91.2k", ROLE_NUMBER);
	assert_cell(&busy, ENGINE_BY_PROCESS, TOTALS_ERRORS, "10", ROLE_ERROR);
	assert_cell(&busy, ENGINE_BY_PROCESS, TOTALS_BLOCKED, "4.00ms", ROLE_NUMBER);
	assert_cell(&busy, ENGINE_BY_PROCESS, TOTALS_MAX, "900us", ROLE_NUMBER);
	assert_cell(&hung, ENGINE_BY_PROCESS, TOTALS_BLOCKED, "-", ROLE_NUMBER);
	assert_cell(&hung, ENGINE_BY_PROCESS, TOTALS_MAX, "3.20s", ROLE_IN_FLIGHT);
	assert_cell(&hung, ENGINE_BY_PROCESS, TOTALS_RATE, "0", ROLE_DIM);
	assert_cell(&recounted, ENGINE_BY_PROCESS, TOTALS_RATE, "…", ROLE_DIM);
	assert_cell(&hung, ENGINE_BY_PROCESS, TOTALS_HISTOGRAM, "            ", ROLE_BAR);
	assert_cell(&gone, ENGINE_BY_PROCESS, TOTALS_NAME, "make", ROLE_DIM);
	assert_cell(&gone, ENGINE_BY_PROCESS, TOTALS_CALLS, "3", ROLE_DIM);
}
END_TEST

START_TEST(threads_and_syscalls_show_their_own_ids)
{
	const struct engine_row thread = { .pid = 42, .tid = 44, .name = "worker" };
	const struct engine_row syscall = { .nr = 0, .name = "read" };

	assert_cell(&thread, ENGINE_BY_THREAD, TOTALS_ID, "44", ROLE_NUMBER);
	assert_cell(&syscall, ENGINE_BY_SYSCALL, TOTALS_ID, "0", ROLE_NUMBER);
}
END_TEST

static struct table_column *find(struct table_column *columns, enum totals_column column)
{
	while (columns->id != (int)column)
		columns++;
	return columns;
}

static void fit(struct table_column *columns, enum engine_group group,
		const struct engine_row *rows, size_t count)
{
	totals_columns_fit(columns, TOTALS_STYLE_OVERVIEW, group, rows, count, false);
}

START_TEST(columns_without_values_are_hidden)
{
	static const struct engine_row rows[] = {
		{ .pid = 4242,
		  .ns_pid = 7,
		  .name = "nginx",
		  .container = "3f4a1b2c5d6e",
		  .container_kind = CONTAINER_BY_ID },
		{ .pid = 1,
		  .name = "init",
		  .container = "init.scope",
		  .container_kind = CONTAINER_SERVICE },
		{ .pid = 2, .name = "kthreadd" },
	};
	struct table_column columns[TOTALS_COLUMN_COUNT];
	int service_drop;

	totals_columns_fill(columns, TOTALS_STYLE_OVERVIEW, ENGINE_BY_PROCESS);
	fit(columns, ENGINE_BY_PROCESS, &rows[2], 1);
	ck_assert(find(columns, TOTALS_CONTAINER)->hidden);
	ck_assert_str_eq(find(columns, TOTALS_ID)->title, "PID");
	fit(columns, ENGINE_BY_PROCESS, &rows[1], 2);
	ck_assert(!find(columns, TOTALS_CONTAINER)->hidden);
	service_drop = find(columns, TOTALS_CONTAINER)->drop;
	fit(columns, ENGINE_BY_PROCESS, rows, 3);
	ck_assert_int_lt(find(columns, TOTALS_CONTAINER)->drop, service_drop);
	ck_assert_str_eq(find(columns, TOTALS_ID)->title, "PID (INSIDE)");
	ck_assert_int_ge(find(columns, TOTALS_ID)->min_cols, 12);
	assert_cell(&rows[0], ENGINE_BY_PROCESS, TOTALS_ID, "4242 (7)", ROLE_NUMBER);
	assert_cell(&rows[0], ENGINE_BY_PROCESS, TOTALS_CONTAINER, "3f4a1b2c5d6e", ROLE_NAME);
	assert_cell(&rows[1], ENGINE_BY_PROCESS, TOTALS_CONTAINER, "init.scope", ROLE_DIM);
	assert_cell(&rows[2], ENGINE_BY_PROCESS, TOTALS_CONTAINER, "", ROLE_DIM);
	ck_assert_int_gt(totals_compare(&rows[1], &rows[0], TOTALS_CONTAINER), 0);
	fit(columns, ENGINE_BY_THREAD, rows, 3);
	ck_assert_str_eq(find(columns, TOTALS_ID)->title, "TID");
	fit(columns, ENGINE_BY_COMM, NULL, 0);
	ck_assert(find(columns, TOTALS_ID)->hidden && find(columns, TOTALS_PARENT)->hidden);
	fit(columns, ENGINE_BY_PROCESS, NULL, 0);
	ck_assert_str_eq(find(columns, TOTALS_ID)->title, "PID");
	ck_assert(!find(columns, TOTALS_ID)->hidden && find(columns, TOTALS_CPU)->hidden);
}
END_TEST

/* clang-format off */
START_TEST(groups_have_names_and_figures)
{
	static const struct engine_row user = { .uid = 33, .user = "www-data",
						.name = "www-data", .calls = 4 };
	static const struct engine_row no_user = { .uid = USERS_UNKNOWN, .name = "(unknown)" };
	static const struct engine_row service = {
		.name = "/system.slice/ngi\\33nx.service",
		.cgroup = "/system.slice/ngi\033nx.service",
	};
	static const struct engine_row parent = { .pid = 12, .parent_pid = 1, .name = "sh",
						  .user = "root", .threads = 1, .bare = true };
	static const struct engine_row worked = {
		.pid = 4, .calls = 10, .total_ns = 17000000, .running_ns = 12000000,
		.blocked_ns = 9000000, .waiting_ns = 7000000, .runnable_ns = 1000000,
		.in_flight = 3, .p95_ns = 40000,
	};

	/* clang-format on */
	assert_cell(&user, ENGINE_BY_USER, TOTALS_ID, "33", ROLE_NUMBER);
	assert_cell(&user, ENGINE_BY_USER, TOTALS_NAME, "www-data", ROLE_NAME);
	assert_cell(&no_user, ENGINE_BY_USER, TOTALS_ID, "-", ROLE_NUMBER);
	assert_cell(&service, ENGINE_BY_CGROUP, TOTALS_NAME, "/system.slice/ngi\\33nx.service",
		    ROLE_NAME);
	/* A process without calls has a row and a name, but no figures. */
	assert_cell(&parent, ENGINE_BY_PROCESS, TOTALS_NAME, "sh", ROLE_DIM);
	assert_cell(&parent, ENGINE_BY_PROCESS, TOTALS_PARENT, "1", ROLE_DIM);
	assert_cell(&parent, ENGINE_BY_PROCESS, TOTALS_THREADS, "1", ROLE_DIM);
	assert_cell(&parent, ENGINE_BY_PROCESS, TOTALS_CALLS, "-", ROLE_DIM);
	assert_cell(&parent, ENGINE_BY_PROCESS, TOTALS_MAX, "-", ROLE_DIM);
	/* Times include calls in flight; the mean is of returned calls. */
	assert_cell(&worked, ENGINE_BY_PROCESS, TOTALS_CPU, "7.00ms", ROLE_NUMBER);
	assert_cell(&worked, ENGINE_BY_PROCESS, TOTALS_MEAN, "500us", ROLE_NUMBER);
	assert_cell(&worked, ENGINE_BY_PROCESS, TOTALS_P95, "40.0us", ROLE_NUMBER);
	assert_cell(&worked, ENGINE_BY_PROCESS, TOTALS_IN_FLIGHT, "3", ROLE_IN_FLIGHT);
}
END_TEST

/* totals_key() and totals_compare() give the same order. */
START_TEST(keys_are_in_the_order_of_rows)
{
	static const struct engine_row *const rows[] = { &busy, &hung, &gone };

	for (int column = 0; column < TOTALS_COLUMN_COUNT; column++)
		for (int i = 0; i < 9; i++) {
			const struct engine_row *a = rows[i / 3], *b = rows[i % 3];
			uint64_t left, right;

			if (!totals_key(a, (enum totals_column)column, &left))
				continue;
			ck_assert(totals_key(b, (enum totals_column)column, &right));
			ck_assert_int_eq((left > right) - (left < right),
					 totals_compare(a, b, (enum totals_column)column));
		}
}
END_TEST

/* All sums of a row include the calls in flight, so that no part is longer than the total. */
/* clang-format off */
START_TEST(times_are_of_the_same_calls)
{
	struct engine_row row = {
		.pid = 4, .calls = 3, .total_ns = 3000000, .blocked_ns = 1000000,
		.runnable_ns = 200000, .max_ns = 2000000, .in_flight = 2, .oldest_ns = 5000000,
		.running_ns = 6000000, .waiting_ns = 4000000, .queued_ns = 300000,
	};

	/* clang-format on */
	totals_add_running(&row, 1);
	ck_assert_uint_ge(row.total_ns, totals_longest_ns(&row));
	ck_assert_uint_ge(row.total_ns, row.blocked_ns + row.runnable_ns);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_TOTAL, "9.00ms", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_BLOCKED, "5.00ms", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_RUNNABLE, "500us", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_CPU, "3.50ms", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_MEAN, "1.00ms", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_MAX, "5.00ms", ROLE_IN_FLIGHT);
}
END_TEST

START_TEST(unknown_waits_make_bounds)
{
	struct engine_row row = {
		.pid = 4,
		.calls = 3,
		.total_ns = 9000000,
		.blocked_ns = 5000000,
		.max_ns = 5000000,
		.waits_unknown = 1,
	};

	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_TOTAL, "9.00ms", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_BLOCKED, ">5.00ms", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_RUNNABLE, "?", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_CPU, "<4.00ms", ROLE_NUMBER);
	row = (struct engine_row){ .pid = 4, .running_ns = 1000, .running_unknown = 1 };
	totals_add_running(&row, 1);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_BLOCKED, "?", ROLE_NUMBER);
}
END_TEST

START_TEST(calls_of_unknown_duration_are_in_no_mean)
{
	struct engine_row row = {
		.pid = 4,
		.calls = 3,
		.untimed = 1,
		.total_ns = 8000000,
		.blocked_ns = 6000000,
		.min_ns = 3000000,
		.max_ns = 5000000,
		.p50_ns = 3000000,
	};
	struct str out = STR_INIT;
	struct fields fields;

	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_MEAN, "4.00ms", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_TOTAL, ">8.00ms", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_CPU, ">2.00ms", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_BLOCKED, ">6.00ms", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_MAX, "5.00ms", ROLE_NUMBER);
	row.waits_unknown = 1;
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_CPU, "?", ROLE_NUMBER);
	row = (struct engine_row){ .pid = 4, .calls = 2, .untimed = 2 };
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_TOTAL, "?", ROLE_NUMBER);
	assert_cell(&row, ENGINE_BY_PROCESS, TOTALS_CPU, "?", ROLE_NUMBER);
	for (enum totals_column column = TOTALS_MEAN; column <= TOTALS_MAX; column++)
		assert_cell(&row, ENGINE_BY_PROCESS, column, "?", ROLE_NUMBER);
	fields = fields_begin(&out, FIELDS_JSON, "row");
	totals_fields_add(&fields, &row, true);
	fields_end(&fields);
	ck_assert_ptr_nonnull(strstr(out.data, "\"min_ns\":null,\"p50_ns\":null,"));
	ck_assert_ptr_nonnull(strstr(out.data, "\"timed\":0"));
	str_release(&out);
}
END_TEST

static struct engine_row ended_row(uint64_t processes)
{
	return (struct engine_row){ .pid = ENGINE_GROUP_PID + 3,
				    .name = "true",
				    .calls = 5001,
				    .uid = USERS_UNKNOWN,
				    .ended = true,
				    .ended_processes = processes };
}

/* A group of ended processes has no pid, on screen and in exports. */
START_TEST(ended_processes_have_a_name_and_a_count)
{
	const struct engine_row one = ended_row(1), many = ended_row(5001);
	const struct engine_query query = { .group = ENGINE_BY_PROCESS };
	struct row_terms terms = { 0 };
	struct str out = STR_INIT;
	struct fields fields = fields_begin(&out, FIELDS_JSON, "sum");
	struct selection selection = { 0 };

	ck_assert(totals_is_ended_group(&many));
	ck_assert(!totals_is_ended_group(&gone));
	assert_cell(&many, ENGINE_BY_PROCESS, TOTALS_ID, "", ROLE_DIM);
	assert_cell(&many, ENGINE_BY_PROCESS, TOTALS_NAME, "true (exited) 5001 processes",
		    ROLE_DIM);
	assert_cell(&one, ENGINE_BY_PROCESS, TOTALS_NAME, "true (exited) 1 process", ROLE_DIM);
	totals_selection(&many, &query, &selection);
	ck_assert(!selection.has_pid && selection.has_comm);
	ck_assert_str_eq(selection.comm, "true");
	totals_add_terms(&many, ENGINE_BY_PROCESS, &terms);
	ck_assert_uint_eq(terms.count, 0);
	totals_fields_add_whose(&fields, &many, false);
	fields_end(&fields);
	ck_assert_ptr_nonnull(strstr(out.data, "\"pid\":null"));
	ck_assert_ptr_nonnull(strstr(out.data, "\"ended\":true,\"ended_processes\":5001"));
	str_release(&out);
}
END_TEST

START_TEST(a_call_in_flight_can_be_the_longest)
{
	ck_assert_int_gt(totals_compare(&hung, &busy, TOTALS_MAX), 0);
	ck_assert_int_lt(totals_compare(&hung, &busy, TOTALS_BLOCKED), 0);
	ck_assert_int_gt(totals_compare(&hung, &busy, TOTALS_ID), 0);
	ck_assert_int_lt(totals_compare(&hung, &busy, TOTALS_NAME), 0);
	ck_assert_int_eq(totals_compare(&gone, &hung, TOTALS_RATE), 0);
	ck_assert_int_gt(totals_compare(&busy, &gone, TOTALS_ERRORS), 0);
}
END_TEST

START_TEST(columns_have_ids_titles_names_and_room)
{
	struct table_column columns[TOTALS_COLUMN_COUNT];

	for (int i = 0; i < TOTALS_STYLE_COUNT * ENGINE_GROUP_COUNT; i++) {
		bool seen[TOTALS_COLUMN_COUNT] = { false };
		int always = 0;

		totals_columns_fill(columns, (enum totals_style)(i / ENGINE_GROUP_COUNT),
				    (enum engine_group)(i % ENGINE_GROUP_COUNT));
		for (int j = 0; j < TOTALS_COLUMN_COUNT; j++) {
			const struct table_column *column = &columns[j];

			ck_assert(!seen[column->id]);
			seen[column->id] = true;
			ck_assert_uint_gt(strlen(column->title), 1);
			ck_assert_uint_gt(strlen(column->name), 1);
			ck_assert_uint_gt(
				strlen(totals_column_name((enum totals_column)column->id)), 3);
			ck_assert_int_ge(column->min_cols, (int)strlen(column->title));
			if (!column->hidden && !column->optional && !column->drop)
				always += column->min_cols + 1;
		}
		ck_assert_int_le(always, 52);
	}
	/* These columns fit into half of 80 columns. */
	int half = 0;

	totals_columns_fill(columns, TOTALS_STYLE_OVERVIEW, ENGINE_BY_PROCESS);
	for (int i = 0; i < TOTALS_COLUMN_COUNT; i++)
		if (!columns[i].optional && !columns[i].drop)
			half += columns[i].min_cols + 1;
	ck_assert_int_le(half, 40);
}
END_TEST

Suite *suite_totals_columns(void);
Suite *suite_totals_columns(void)
{
	Suite *suite = suite_create("totals_columns");
	TCase *tests = tcase_create("totals_columns");

	tcase_add_test(tests, cells_show_the_values_of_the_row);
	tcase_add_test(tests, threads_and_syscalls_show_their_own_ids);
	tcase_add_test(tests, columns_without_values_are_hidden);
	tcase_add_test(tests, groups_have_names_and_figures);
	tcase_add_test(tests, keys_are_in_the_order_of_rows);
	tcase_add_test(tests, ended_processes_have_a_name_and_a_count);
	tcase_add_test(tests, times_are_of_the_same_calls);
	tcase_add_test(tests, unknown_waits_make_bounds);
	tcase_add_test(tests, calls_of_unknown_duration_are_in_no_mean);
	tcase_add_test(tests, a_call_in_flight_can_be_the_longest);
	tcase_add_test(tests, columns_have_ids_titles_names_and_room);
	suite_add_tcase(suite, tests);
	return suite;
}
