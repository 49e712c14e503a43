#include "engine/tasks/futex_table.h"

#include "tests/unit/runner.h"

static struct futex *make(struct futex_table *table, uint64_t uaddr)
{
	return futex_table_get(table, &(struct futex_key){ .uaddr = uaddr, .generation = 1 });
}

START_TEST(each_part_of_the_key_matters)
{
	const struct futex_key key = { .uaddr = 64, .generation = 3 };
	const struct futex_key others[] = {
		{ .uaddr = 68, .generation = 3 },
		{ .uaddr = 64, .generation = 4 },
		{ .uaddr = 64, .generation = 3, .shared = true },
	};
	struct futex_table table;
	struct futex *futex;

	futex_table_init(&table);
	ck_assert_ptr_null(futex_table_find(&table, &key));
	futex = futex_table_get(&table, &key);
	ck_assert_ptr_eq(futex_table_get(&table, &key), futex);
	ck_assert_ptr_eq(futex_table_find(&table, &key), futex);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_ptr_null(futex_table_find(&table, &others[i]));
		ck_assert_ptr_ne(futex_table_get(&table, &others[i]), futex);
	}
	ck_assert_uint_eq(table.count, 4);
	/* Different keys are distinguished, also in one hash chain. */
	for (uint32_t i = 5; i < 500; i++) {
		const struct futex_key keys[] = {
			{ .uaddr = 64, .generation = i },
			{ .uaddr = 64, .generation = i, .shared = true },
			{ .uaddr = 4 * i + 100, .generation = 3 },
		};

		for (size_t j = 0; j < 3; j++)
			ck_assert_ptr_null(futex_table_find(&table, &keys[j]));
		for (size_t j = 0; j < 3; j++)
			futex_table_get(&table, &keys[j]);
	}
	ck_assert_uint_eq(table.count, 4 + 3 * 495);
	futex_table_release(&table);
}
END_TEST

START_TEST(number_is_bounded_and_evicted_futexes_are_counted)
{
	struct futex_table table;
	struct futex *busy, *held;
	uint64_t busy_id, held_id;
	const uint64_t total = FUTEX_TABLE_MAX + 10000;

	futex_table_init(&table);
	busy = make(&table, 4);
	busy->uses = 1u << 30;
	busy_id = busy->id;
	held = make(&table, 8);
	held->holds = 1;
	held_id = held->id;
	for (uint64_t i = 3; i <= total; i++) {
		struct futex *futex = make(&table, 4 * i);

		futex->uses = 1;
		futex->waits = 2;
		futex->total_ns = 10;
	}
	ck_assert_uint_eq(table.count, FUTEX_TABLE_MAX);
	ck_assert_uint_eq(table.folded.futexes, total - FUTEX_TABLE_MAX);
	ck_assert_uint_eq(table.folded.waits, 2 * table.folded.futexes);
	ck_assert_uint_eq(table.folded.total_ns, 10 * table.folded.futexes);
	ck_assert_uint_eq(make(&table, 4)->id, busy_id);
	ck_assert_uint_eq(make(&table, 8)->id, held_id);
	/* The newest are present, although older ones were removed from their chains. */
	for (uint64_t i = total; i > total - 16; i--)
		ck_assert_uint_eq(make(&table, 4 * i)->waits, 2);
	futex_table_release(&table);
}
END_TEST

START_TEST(futexes_with_waiters_are_never_evicted)
{
	struct futex_table table;

	futex_table_init(&table);
	for (uint64_t i = 1; i <= FUTEX_TABLE_MAX + 100; i++)
		make(&table, 4 * i)->holds = 1;
	ck_assert_uint_eq(table.count, FUTEX_TABLE_MAX + 100);
	ck_assert_uint_eq(table.folded.futexes, 0);
	futex_table_release(&table);
}
END_TEST

START_TEST(memory_is_shared_by_futexes_at_one_address)
{
	struct futex_table table;
	struct futex *one, *other, *third;

	futex_table_init(&table);
	one = make(&table, 4);
	other = make(&table, 8);
	third = make(&table, 12);
	futex_table_place(&table, one, 1, 2, 64);
	futex_table_place(&table, other, 1, 2, 64);
	futex_table_place(&table, third, 1, 2, 68);
	ck_assert_ptr_eq(one->memory, other->memory);
	ck_assert_ptr_ne(one->memory, third->memory);
	ck_assert_ptr_eq(futex_recent(one), futex_recent(other));
	futex_table_place(&table, one, 1, 2, 68);
	ck_assert_ptr_eq(one->memory, third->memory);
	ck_assert_uint_eq(other->memory->users, 1);
	ck_assert_uint_eq(table.memories.count, 2);
	futex_table_place(&table, other, 1, 2, 68);
	ck_assert_uint_eq(table.memories.count, 1);
	ck_assert_uint_eq(one->memory->users, 3);
	futex_table_release(&table);
}
END_TEST

Suite *suite_futex_table(void);
Suite *suite_futex_table(void)
{
	Suite *suite = suite_create("futex_table");
	TCase *tcase = tcase_create("futex_table");

	tcase_add_test(tcase, each_part_of_the_key_matters);
	tcase_add_test(tcase, number_is_bounded_and_evicted_futexes_are_counted);
	tcase_add_test(tcase, memory_is_shared_by_futexes_at_one_address);
	tcase_add_test(tcase, futexes_with_waiters_are_never_evicted);
	suite_add_tcase(suite, tcase);
	return suite;
}
