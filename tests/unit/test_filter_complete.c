#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct syscalls *syscalls;
static struct filter_names names;

static void setup(void)
{
	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
}

static void teardown(void)
{
	syscalls_free(syscalls);
}

static void collect(void *ctx, const char *candidate, const char *help)
{
	struct str *all = ctx;

	ck_assert(help && help[0]);
	str_addc(all, ' ');
	str_add(all, candidate);
	str_addc(all, ' ');
}

/* "|" is the cursor. `holds`, unless "", must be a candidate; `lacks` must not be. */
static const struct {
	const char *text;
	size_t begin;
	const char *holds, *lacks;
} cases[] = {
	{ "|", 0, "pid", "futex" },
	{ "sys|", 0, "syscall", "pid" },
	{ "fut|", 0, "futex", "read" },
	{ "%fi|", 0, "%file", "%net" },
	{ "pid |", 4, "==", "~" },
	{ "pid =|", 4, "==", "<" },
	{ "comm |", 5, "!~", "<" },
	{ "syscall == |", 11, "epoll_wait", "pid" },
	{ "syscall == ep|", 11, "epoll_wait", "read" },
	{ "syscall in {read, ep|", 18, "epoll_wait", "read" },
	{ "errno == EAG|", 9, "EAGAIN", "ENOENT" },
	{ "pid == 3 |", 9, "&&", "pid" },
	{ "pid == 3 a|", 9, "and", "or" },
	{ "pid == 3 && d|", 12, "dur", "pid" },
	{ "pid == 3 && (d|", 13, "dur", "pid" },
	{ "pid in {1, 2} |", 14, "||", "pid" },
	{ "failed |", 7, "and", "==" },
	{ "!fa|", 1, "failed", "pid" },
	{ "not |", 4, "tid", "&&" },
	{ "dur|blocked", 0, "dur", "blocked" },
	{ "comm == \"fut|", 8, "", "futex" },
	{ "arg|", 0, "args.", "args.NAME" },
	{ "args.fl|", 0, "args.flags", "args.fd" },
	{ "args.flags |", 11, "&", "of" },
	{ "args.flags & O_CR|", 13, "O_CREAT", "O_EXCL" },
	{ "args.op == FUTEX_WA|", 11, "FUTEX_WAIT", "FUTEX_LOCK_PI" },
	{ "args.op in {FUTEX_WAIT, FUTEX_WA|", 24, "FUTEX_WAKE", "pid" },
	{ "args.op == FUTEX_WAIT |", 22, "&&", "FUTEX_WAKE" },
	{ "pid |", 4, "&", "!~" },
	{ "dur |", 4, ">=", "&" },
	{ "waker |", 6, "~", "&" },
	{ "desc|", 0, "descendant", "pid" },
	{ "descendant |", 11, "of", "==" },
	{ "descendant of 3 |", 16, "and", "of" },
	{ "stack |", 6, "~", "<" },
};

START_TEST(candidates_fit_the_place)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t column = strcspn(cases[i].text, "|"), begin;
		struct str text = STR_INIT, all = STR_INIT, word = STR_INIT;

		str_addn(&text, cases[i].text, column);
		str_add(&text, cases[i].text + column + 1);
		begin = filter_complete(text.data, column, &names, collect, &all);
		ck_assert_msg(begin == cases[i].begin, "%s: begins at %zu", cases[i].text, begin);
		str_addf(&word, " %s ", cases[i].holds);
		if (cases[i].holds[0])
			ck_assert_msg(strstr(all.data, word.data), "%s: no%s", cases[i].text,
				      word.data);
		str_clear(&word);
		str_addf(&word, " %s ", cases[i].lacks);
		ck_assert_msg(!strstr(all.data, word.data), "%s: offers%s", cases[i].text,
			      word.data);
		str_release(&text);
		str_release(&all);
		str_release(&word);
	}
}
END_TEST

START_TEST(a_column_beyond_the_end_is_the_end)
{
	struct str all = STR_INIT;

	ck_assert_uint_eq(filter_complete("pi", 99, &names, collect, &all), 0);
	ck_assert_msg(strstr(all.data, " pid "), "%s", all.data);
	str_release(&all);
}
END_TEST

Suite *suite_filter_complete(void);
Suite *suite_filter_complete(void)
{
	Suite *suite = suite_create("filter_complete");
	TCase *tests = tcase_create("filter_complete");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, candidates_fit_the_place);
	tcase_add_test(tests, a_column_beyond_the_end_is_the_end);
	suite_add_tcase(suite, tests);
	return suite;
}
