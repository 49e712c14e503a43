#include "engine/base/words.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *a, *b;
	size_t distance;
} cases[] = {
	{ "", "", 0 },         { "read", "read", 0 },   { "", "abc", 3 },
	{ "read", "raed", 1 }, { "read", "red", 1 },    { "read", "bread", 1 },
	{ "read", "reed", 1 }, { "futex", "futxe", 1 }, { "kitten", "sitting", 3 },
	{ "ca", "abc", 3 },    { "abcd", "badc", 2 },
};

START_TEST(distances_count_single_edits)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *a = cases[i].a, *b = cases[i].b;
		ck_assert_msg(words_distance(a, strlen(a), b, strlen(b)) == cases[i].distance,
			      "%s %s: %zu", a, b, words_distance(a, strlen(a), b, strlen(b)));
		ck_assert_uint_eq(words_distance(b, strlen(b), a, strlen(a)), cases[i].distance);
	}
}
END_TEST

START_TEST(long_words_are_far_apart)
{
	char word[200];

	memset(word, 'a', sizeof(word));
	ck_assert_uint_eq(words_distance(word, 63, word, 63), 0);
	ck_assert_uint_eq(words_distance(word, 64, word, 64), 64);
	ck_assert_uint_eq(words_distance(word, 3, word, 200), 200);
}
END_TEST

/* A changed letter changes the distance by at most two. */
START_TEST(a_changed_letter_changes_the_distance_little)
{
	unsigned seed = 1;

	for (unsigned round = 0; round < 5000; round++) {
		char a[12], b[12];
		size_t a_len = (unsigned)rand_r(&seed) % sizeof(a);
		size_t b_len = (unsigned)rand_r(&seed) % sizeof(b), before, after;

		for (size_t i = 0; i < sizeof(a); i++) {
			a[i] = (char)('a' + rand_r(&seed) % 3);
			b[i] = (char)('a' + rand_r(&seed) % 3);
		}
		before = words_distance(a, a_len, b, b_len);
		if (!b_len)
			continue;
		b[(unsigned)rand_r(&seed) % b_len] = 'z';
		after = words_distance(a, a_len, b, b_len);
		ck_assert(after <= before + 2 && before <= after + 2);
		ck_assert(before <= (a_len > b_len ? a_len : b_len));
	}
}
END_TEST

START_TEST(the_nearest_word_is_found)
{
	struct words_nearest nearest = words_nearest_to("raed", 4);

	words_nearest_offer(&nearest, "a word that is far too long");
	ck_assert_ptr_null(nearest.found);
	words_nearest_offer(&nearest, "red");
	words_nearest_offer(&nearest, "raedxx");
	words_nearest_offer(&nearest, "write");
	ck_assert_str_eq(nearest.found, "red");
	nearest = words_nearest_to("", 0);
	words_nearest_offer(&nearest, "ab");
	ck_assert_ptr_null(nearest.found);
	words_nearest_offer(&nearest, "a");
	ck_assert_str_eq(nearest.found, "a");
}
END_TEST

START_TEST(only_whole_words_are_found)
{
	ck_assert(words_has("q q! quit", "q"));
	ck_assert(words_has("q q! quit", "q!"));
	ck_assert(words_has("wq quit", "quit"));
	ck_assert(!words_has("wq quit", "q"));
	ck_assert(!words_has("wq quit", "qui"));
	ck_assert(!words_has("", "q"));
	ck_assert(!words_has("", ""));
	ck_assert(!words_has("q quit", ""));
}
END_TEST

Suite *suite_words(void);
Suite *suite_words(void)
{
	Suite *suite = suite_create("words");
	TCase *tests = tcase_create("words");

	tcase_add_test(tests, distances_count_single_edits);
	tcase_add_test(tests, long_words_are_far_apart);
	tcase_add_test(tests, a_changed_letter_changes_the_distance_little);
	tcase_add_test(tests, the_nearest_word_is_found);
	tcase_add_test(tests, only_whole_words_are_found);
	suite_add_tcase(suite, tests);
	return suite;
}
