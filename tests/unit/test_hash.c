#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/source/perf/perf_ids.h"

#include "tests/unit/runner.h"

#include <stdlib.h>

#define KEYS 20000u
/* With half of the slots free, one run in many millions is this long. */
#define RUN_MAX 160u

#define GOLDEN 0x9e3779b97f4a7c15ULL

/* Return x with x * GOLDEN == 1: an attack on a hash that multiplies keys by GOLDEN. */
static uint64_t inverse_of_golden(void)
{
	uint64_t inverse = GOLDEN;

	for (int i = 0; i < 5; i++)
		inverse *= 2 - GOLDEN * inverse;
	return inverse;
}

static uint64_t in_a_row(uint64_t i)
{
	return i;
}

static uint64_t high_bits(uint64_t i)
{
	return i << 44;
}

static uint64_t addresses(uint64_t i)
{
	return 0x7f0000000000 + i * 64;
}

static uint64_t pages(uint64_t i)
{
	return 0x7f0000000000 + i * 4096;
}

static uint64_t against_a_product(uint64_t i)
{
	return (i << 44) * inverse_of_golden();
}

static uint64_t threads(uint64_t i)
{
	return i << 32 | i;
}

static const struct {
	const char *name;
	uint64_t (*key)(uint64_t i);
} families[] = {
	{ "one after the other", in_a_row },
	{ "in the highest bits alone", high_bits },
	{ "addresses of one array", addresses },
	{ "one on each page", pages },
	{ "chosen against a multiplication by a constant", against_a_product },
	{ "process and thread", threads },
};

static size_t longest_run(const struct idmap *map)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < map->capacity; i++) {
		run = map->slots[i].value ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

/* The limit holds for any secret. */
START_TEST(no_family_of_keys_makes_a_long_run)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		hash_seed(seed);
		for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
			struct idmap map = IDMAP_INIT;

			for (uint64_t i = 1; i <= KEYS; i++)
				idmap_put(&map, families[f].key(i), &map);
			ck_assert_msg(map.count == KEYS, "%s", families[f].name);
			ck_assert_msg(longest_run(&map) <= RUN_MAX, "%s, secret %lu: %zu in a row",
				      families[f].name, (unsigned long)seed, longest_run(&map));
			idmap_release(&map);
		}
	}
}
END_TEST

START_TEST(another_secret_is_another_hash)
{
	uint64_t one, same, other;

	hash_seed(1);
	one = hash_u64(42);
	same = hash_u64(42);
	hash_seed(2);
	other = hash_u64(42);
	ck_assert_uint_eq(one, same);
	ck_assert_uint_ne(one, other);
	hash_seed_random();
	ck_assert_uint_ne(hash_u64(42), one);
	ck_assert_uint_ne(hash_u64(42), other);
}
END_TEST

START_TEST(bytes_differ_by_their_length_and_each_of_them)
{
	static const char zeros[24];
	char bytes[24];

	for (size_t len = 0; len < sizeof(zeros); len++)
		ck_assert_uint_ne(hash_bytes(zeros, len), hash_bytes(zeros, len + 1));
	for (size_t i = 0; i < sizeof(bytes); i++) {
		memcpy(bytes, zeros, sizeof(bytes));
		bytes[i] = 1;
		ck_assert_uint_ne(hash_bytes(bytes, sizeof(bytes)),
				  hash_bytes(zeros, sizeof(zeros)));
		if (i + 1 < sizeof(bytes))
			ck_assert_uint_eq(hash_bytes(bytes, i), hash_bytes(zeros, i));
	}
}
END_TEST

/* An id that is added again must not make each search longer. */
START_TEST(id_is_stored_once_and_zero_is_ignored)
{
	struct perf_ids ids;

	perf_ids_init(&ids);
	for (uint32_t i = 0; i < 100000; i++)
		perf_ids_add(&ids, &(struct perf_id){ .id = 7, .root = i });
	perf_ids_add(&ids, &(struct perf_id){ .id = 0 });
	ck_assert_uint_eq(ids.count, 1);
	ck_assert_uint_eq(perf_ids_find(&ids, 7)->root, 0);
	ck_assert_ptr_null(perf_ids_find(&ids, 8));
	perf_ids_release(&ids);
}
END_TEST

Suite *suite_hash(void);
Suite *suite_hash(void)
{
	Suite *suite = suite_create("hash");
	TCase *tests = tcase_create("hash");

	tcase_add_test(tests, no_family_of_keys_makes_a_long_run);
	tcase_add_test(tests, another_secret_is_another_hash);
	tcase_add_test(tests, bytes_differ_by_their_length_and_each_of_them);
	tcase_add_test(tests, id_is_stored_once_and_zero_is_ignored);
	suite_add_tcase(suite, tests);
	return suite;
}
