#include "tui/sums_columns.h"

#include "tests/unit/runner.h"

#include <string.h>

static const struct engine_row busy = {
	.pid = 42, .name = "nginx", .calls = 1000, .errors = 100, .total_ns = 5000000,
	.blocked_ns = 4000000, .max_ns = 900000, .p50_ns = 2000, .calls_per_s = 91234.0,
	.in_flight = 1, .oldest_ns = 1000,
	.histogram = { 0, 5, 900, 90, 5 },
};
static const struct engine_row hung = {
	.pid = 43, .name = "java", .in_flight = 2, .oldest_ns = 3200000000ULL,
};
static const struct engine_row gone = { .pid = 7, .name = "make", .calls = 3, .ended = true };

static void assert_cell(const struct engine_row *row, enum session_group group,
			enum sums_column column, const char *text, enum role role)
{
	struct table_cell cell = { .text = STR_INIT };

	sums_cell(row, group, column, &cell);
	ck_assert_msg(!strcmp(cell.text.data, text), "%s is \"%s\", not \"%s\"",
		      sums_column_name(column), cell.text.data, text);
	ck_assert_msg(cell.role == role, "%s has role %s", sums_column_name(column),
		      role_name(cell.role));
	str_release(&cell.text);
}

START_TEST(cells_say_what_the_row_says)
{
	assert_cell(&busy, GROUP_PROCESS, SUMS_ID, "42", ROLE_NUMBER);
	assert_cell(&busy, GROUP_PROCESS, SUMS_NAME, "nginx", ROLE_NAME);
	assert_cell(&busy, GROUP_PROCESS, SUMS_RATE, "91.2k", ROLE_NUMBER);
	assert_cell(&busy, GROUP_PROCESS, SUMS_ERRORS, "10", ROLE_ERROR);
	assert_cell(&busy, GROUP_PROCESS, SUMS_BLOCKED, "4.00ms", ROLE_NUMBER);
	assert_cell(&busy, GROUP_PROCESS, SUMS_MAX, "900us", ROLE_NUMBER);
	assert_cell(&hung, GROUP_PROCESS, SUMS_BLOCKED, "-", ROLE_NUMBER);
	assert_cell(&hung, GROUP_PROCESS, SUMS_MAX, "3.20s", ROLE_IN_FLIGHT);
	assert_cell(&hung, GROUP_PROCESS, SUMS_RATE, "0", ROLE_DIM);
	assert_cell(&hung, GROUP_PROCESS, SUMS_HISTOGRAM, "            ", ROLE_BAR);
	assert_cell(&gone, GROUP_PROCESS, SUMS_NAME, "make", ROLE_DIM);
	assert_cell(&gone, GROUP_PROCESS, SUMS_CALLS, "3", ROLE_DIM);
}
END_TEST

START_TEST(threads_and_syscalls_go_by_their_own_numbers)
{
	const struct engine_row thread = { .pid = 42, .tid = 44, .name = "worker" };
	const struct engine_row syscall = { .nr = 0, .name = "read" };

	assert_cell(&thread, GROUP_THREAD, SUMS_ID, "44", ROLE_NUMBER);
	assert_cell(&syscall, GROUP_SYSCALL, SUMS_ID, "0", ROLE_NUMBER);
}
END_TEST

START_TEST(columns_are_for_what_rows_have)
{
	static const struct engine_row rows[] = {
		{ .pid = 4242, .ns_pid = 7, .name = "nginx", .container = "3f4a1b2c5d6e",
		  .container_kind = CONTAINER_BY_ID },
		{ .pid = 1, .name = "init", .container = "init.scope",
		  .container_kind = CONTAINER_SERVICE },
		{ .pid = 2, .name = "kthreadd" },
	};
	struct table_column columns[SUMS_COLUMN_COUNT];
	int service_drop;

	sums_columns_fill(columns, GROUP_PROCESS);
	sums_columns_fit(columns, GROUP_PROCESS, &rows[2], 1);
	ck_assert(columns[SUMS_CONTAINER].hidden);
	ck_assert_str_eq(columns[SUMS_ID].title, "PID");
	sums_columns_fit(columns, GROUP_PROCESS, &rows[1], 2);
	ck_assert(!columns[SUMS_CONTAINER].hidden);
	service_drop = columns[SUMS_CONTAINER].drop;
	sums_columns_fit(columns, GROUP_PROCESS, rows, 3);
	ck_assert_int_lt(columns[SUMS_CONTAINER].drop, service_drop);
	ck_assert_str_eq(columns[SUMS_ID].title, "PID (INSIDE)");
	ck_assert_int_ge(columns[SUMS_ID].min_cols, 12);
	assert_cell(&rows[0], GROUP_PROCESS, SUMS_ID, "4242 (7)", ROLE_NUMBER);
	assert_cell(&rows[0], GROUP_PROCESS, SUMS_CONTAINER, "3f4a1b2c5d6e", ROLE_NAME);
	assert_cell(&rows[1], GROUP_PROCESS, SUMS_CONTAINER, "init.scope", ROLE_DIM);
	assert_cell(&rows[2], GROUP_PROCESS, SUMS_CONTAINER, "", ROLE_DIM);
	ck_assert_int_gt(sums_compare(&rows[1], &rows[0], SUMS_CONTAINER), 0);
	sums_columns_fit(columns, GROUP_THREAD, rows, 3);
	ck_assert_str_eq(columns[SUMS_ID].title, "TID");
	sums_columns_fit(columns, GROUP_PROCESS, NULL, 0);
	ck_assert_str_eq(columns[SUMS_ID].title, "PID");
}
END_TEST

START_TEST(what_hangs_counts_as_longest)
{
	ck_assert_int_gt(sums_compare(&hung, &busy, SUMS_MAX), 0);
	ck_assert_int_lt(sums_compare(&hung, &busy, SUMS_BLOCKED), 0);
	ck_assert_int_gt(sums_compare(&hung, &busy, SUMS_ID), 0);
	ck_assert_int_lt(sums_compare(&hung, &busy, SUMS_NAME), 0);
	ck_assert_int_eq(sums_compare(&gone, &hung, SUMS_RATE), 0);
	ck_assert_int_gt(sums_compare(&busy, &gone, SUMS_ERRORS), 0);
}
END_TEST

START_TEST(columns_have_ids_titles_names_and_room)
{
	struct table_column columns[SUMS_COLUMN_COUNT];
	int always = 0;

	for (int group = 0; group < GROUP_COUNT; group++) {
		sums_columns_fill(columns, (enum session_group)group);
		for (int i = 0; i < SUMS_COLUMN_COUNT; i++) {
			ck_assert_int_eq(columns[i].id, i);
			ck_assert_uint_gt(strlen(columns[i].title), 1);
			ck_assert_uint_gt(strlen(sums_column_name((enum sums_column)i)), 3);
			ck_assert_int_ge(columns[i].min_cols, (int)strlen(columns[i].title));
		}
	}
	sums_columns_fill(columns, GROUP_PROCESS);
	for (int i = 0; i < SUMS_COLUMN_COUNT; i++)
		always += columns[i].drop ? 0 : columns[i].min_cols + 1;
	ck_assert_int_le(always, 40); /* half of 80 columns */
}
END_TEST

Suite *suite_sums_columns(void);
Suite *suite_sums_columns(void)
{
	Suite *suite = suite_create("sums_columns");
	TCase *tests = tcase_create("sums_columns");

	tcase_add_test(tests, cells_say_what_the_row_says);
	tcase_add_test(tests, threads_and_syscalls_go_by_their_own_numbers);
	tcase_add_test(tests, columns_are_for_what_rows_have);
	tcase_add_test(tests, what_hangs_counts_as_longest);
	tcase_add_test(tests, columns_have_ids_titles_names_and_room);
	suite_add_tcase(suite, tests);
	return suite;
}
