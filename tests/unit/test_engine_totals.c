/* Totals of every grouping add up to the same sum. */
#include "engine/engine.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

#define SHOP "tests/replay/shop.data"

static struct engine *engine;
static struct engine_row *rows;
static size_t count;

static void set_up(void)
{
	engine = recorded_engine(SHOP);
}

static void tear_down(void)
{
	free(rows);
	rows = NULL;
	engine_free(engine);
}

static void ask(struct engine_query query)
{
	count = engine_sums(engine, &query, &rows);
}

static uint64_t calls(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += rows[i].calls;
	return sum;
}

static const struct engine_row *row_of(uint32_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].pid == pid)
			return &rows[i];
	return NULL;
}

START_TEST(every_group_has_all_calls)
{
	uint64_t all;

	ask((struct engine_query){ .group = ENGINE_BY_PROCESS });
	all = calls();
	ck_assert_uint_gt(all, 0);
	for (int group = 0; group < ENGINE_GROUP_COUNT; group++) {
		ask((struct engine_query){ .group = (enum engine_group)group });
		ck_assert_msg(calls() == all, "%d: %llu of %llu", group,
			      (unsigned long long)calls(), (unsigned long long)all);
	}
}
END_TEST

START_TEST(one_syscall_is_a_part_of_each_group)
{
	uint64_t futexes = 0;
	uint32_t nr = 0;

	ask((struct engine_query){ .group = ENGINE_BY_SYSCALL });
	for (size_t i = 0; i < count; i++)
		if (!strcmp(rows[i].name, "futex")) {
			futexes = rows[i].calls;
			nr = rows[i].nr;
		}
	ck_assert_uint_gt(futexes, 0);
	for (int group = 0; group < ENGINE_GROUP_COUNT; group++) {
		if (group == ENGINE_BY_SYSCALL)
			continue;
		ask((struct engine_query){
			.group = (enum engine_group)group, .one_syscall = true, .nr = nr });
		ck_assert_uint_eq(calls(), futexes);
		ck_assert_uint_eq(rows[0].nr, nr);
	}
}
END_TEST

START_TEST(comm_groups_have_unique_names)
{
	ask((struct engine_query){ .group = ENGINE_BY_COMM });
	ck_assert_uint_gt(count, 1);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(rows[i].pid, 0);
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(rows[i].name, rows[j].name);
	}
}
END_TEST

/* Ancestors of processes with calls are rows without calls. */
START_TEST(ancestors_are_rows_without_calls)
{
	struct engine_row *without = NULL;
	size_t plain = engine_sums(
		engine, &(struct engine_query){ .one_syscall = true, .nr = 202 /* futex */ },
		&without);
	size_t children = 0;

	ask((struct engine_query){ .one_syscall = true, .nr = 202, .parents = true });
	ck_assert_uint_ge(count, plain);
	for (size_t i = 0; i < count; i++) {
		ck_assert(!rows[i].bare || !rows[i].calls);
		children += rows[i].parent_pid && row_of(rows[i].parent_pid);
	}
	for (size_t i = 0; i < plain; i++)
		ck_assert(!without[i].bare && row_of(without[i].pid));
	ck_assert_uint_gt(children, 0);
	free(without);
}
END_TEST

START_TEST(totals_of_one_process_add_up)
{
	uint64_t all;
	uint32_t pid;

	ask((struct engine_query){ .group = ENGINE_BY_PROCESS });
	all = rows[0].calls;
	pid = rows[0].pid;
	ask((struct engine_query){ .group = ENGINE_BY_SYSCALL, .pid = pid });
	ck_assert_uint_eq(calls(), all);
	ck_assert_uint_eq(rows[0].pid, pid);
	ask((struct engine_query){ .group = ENGINE_BY_THREAD, .pid = pid });
	ck_assert_uint_eq(calls(), all);
}
END_TEST

Suite *suite_engine_totals(void);

Suite *suite_engine_totals(void)
{
	Suite *suite = suite_create("engine_totals");
	TCase *tcase = tcase_create("engine_sums");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, every_group_has_all_calls);
	tcase_add_test(tcase, one_syscall_is_a_part_of_each_group);
	tcase_add_test(tcase, comm_groups_have_unique_names);
	tcase_add_test(tcase, ancestors_are_rows_without_calls);
	tcase_add_test(tcase, totals_of_one_process_add_up);
	suite_add_tcase(suite, tcase);
	return suite;
}
