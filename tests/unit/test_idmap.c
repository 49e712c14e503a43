#include "engine/base/idmap.h"

#include "tests/unit/runner.h"

#include <stdbool.h>
#include <stdlib.h>

#define KEYS 257
#define STEPS 200000

/* Small keys, keys with equal low bits, and keys with equal low and high bits. */
static uint64_t key_of(unsigned int i)
{
	switch (i % 3) {
	case 0:
		return i;
	case 1:
		return (uint64_t)i << 40;
	default:
		return (uint64_t)i << 20 | 0xfff;
	}
}

/* The map must equal a plain array. */
static void compare(const struct idmap *map, char *const *naive)
{
	size_t cursor = 0, seen = 0, expected = 0;
	struct idmap_slot *slot;

	for (unsigned int i = 0; i < KEYS; i++) {
		ck_assert_ptr_eq(idmap_get(map, key_of(i)), naive[i]);
		expected += naive[i] != NULL;
	}
	ck_assert_uint_eq(map->count, expected);
	while ((slot = idmap_next(map, &cursor))) {
		ck_assert_ptr_eq(idmap_get(map, slot->key), slot->value);
		seen++;
	}
	ck_assert_uint_eq(seen, expected);
}

START_TEST(random_operations_match_an_array)
{
	static char values[STEPS];
	char *naive[KEYS] = { NULL };
	struct idmap map = IDMAP_INIT;
	unsigned int seed = 1;

	for (unsigned int step = 0; step < STEPS; step++) {
		unsigned int i = (unsigned int)rand_r(&seed) % KEYS;
		/* Long phases of growth and of shrinking, so that runs form and break. */
		bool grow = step / 5000 % 2 == 0;
		bool put = rand_r(&seed) % 10 < (grow ? 8 : 2);
		void *old;

		if (put)
			old = idmap_put(&map, key_of(i), &values[step]);
		else
			old = idmap_remove(&map, key_of(i));
		/* Not an assertion: 200,000 assertions of libcheck would take seconds. */
		if (old != naive[i])
			ck_abort_msg("step %u, key %u", step, i);
		naive[i] = put ? &values[step] : NULL;
		if (step % 4999 == 0)
			compare(&map, naive);
	}
	compare(&map, naive);
	idmap_release(&map);
}
END_TEST

START_TEST(an_empty_map_finds_nothing)
{
	struct idmap map = IDMAP_INIT;
	size_t cursor = 0;

	ck_assert_ptr_null(idmap_get(&map, 0));
	ck_assert_ptr_null(idmap_remove(&map, 0));
	ck_assert_ptr_null(idmap_next(&map, &cursor));
	idmap_clear(&map);
	idmap_release(&map);
}
END_TEST

START_TEST(clear_keeps_the_memory_and_forgets_the_keys)
{
	struct idmap map = IDMAP_INIT;
	int value = 0;
	size_t capacity;

	for (uint64_t key = 0; key < 1000; key++)
		idmap_put(&map, key, &value);
	capacity = map.capacity;
	idmap_clear(&map);
	ck_assert_uint_eq(map.count, 0);
	ck_assert_uint_eq(map.capacity, capacity);
	for (uint64_t key = 0; key < 1000; key++)
		ck_assert_ptr_null(idmap_get(&map, key));
	idmap_put(&map, 7, &value);
	ck_assert_ptr_eq(idmap_get(&map, 7), &value);
	idmap_release(&map);
}
END_TEST

START_TEST(map_is_never_full)
{
	/* A full table would make a search for an absent key endless. */
	struct idmap map = IDMAP_INIT;
	int value = 0;

	for (uint64_t key = 0; key < 5000; key++) {
		idmap_put(&map, key * 0x10001, &value);
		ck_assert_uint_lt(map.count, map.capacity);
	}
	ck_assert_ptr_null(idmap_get(&map, 0xdeadbeefdeadULL));
	idmap_release(&map);
}
END_TEST

Suite *suite_idmap(void);
Suite *suite_idmap(void)
{
	Suite *suite = suite_create("idmap");
	TCase *tests = tcase_create("idmap");

	tcase_add_test(tests, random_operations_match_an_array);
	tcase_add_test(tests, an_empty_map_finds_nothing);
	tcase_add_test(tests, clear_keeps_the_memory_and_forgets_the_keys);
	tcase_add_test(tests, map_is_never_full);
	suite_add_tcase(suite, tests);
	return suite;
}
