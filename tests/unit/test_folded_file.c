/* Blocked time of the calls of a recording, summed and written to a file. */
#include "tui/report/folded_file.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS_MAX 1000

static struct engine *engine;
static struct folded_file folded;
static struct call calls[CALLS_MAX];
static size_t count;
static char path[TEMPORARY_PATH_MAX];

static void setup(void)
{
	uint64_t seqs[CALLS_MAX];
	int fd = temporary_file(path, "folded");

	close(fd);
	engine = recorded_engine("tests/replay/contention.data");
	count = recorded_calls(engine, calls, seqs, CALLS_MAX);
	folded_file_init(&folded, engine);
}

static void teardown(void)
{
	unlink(path);
	folded_file_release(&folded);
	engine_free(engine);
}

START_TEST(lines_sum_up_to_the_blocked_time)
{
	unsigned long long expected = 0, sum = 0;
	char line[8192];
	struct err err;
	FILE *file;
	int lines = 0;

	for (size_t i = 0; i < count; i++)
		expected += calls[i].blocked_ns;
	folded_file_add(&folded, calls, count / 2);
	folded_file_add(&folded, calls + count / 2, count - count / 2);
	ck_assert_msg(!folded_file_write(&folded, path, &err), "%s", err.text);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		const char *number = strrchr(line, ' ');

		ck_assert_ptr_nonnull(number);
		sum += strtoull(number, NULL, 10);
		lines++;
	}
	fclose(file);
	ck_assert_int_gt(lines, 3);
	ck_assert_uint_eq(sum, expected);
}
END_TEST

START_TEST(a_file_that_cannot_be_written_is_named)
{
	struct err err;

	folded_file_add(&folded, calls, count);
	ck_assert_int_lt(folded_file_write(&folded, "/nonexistent/folded", &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent/folded"));
}
END_TEST

Suite *suite_folded_file(void);

Suite *suite_folded_file(void)
{
	Suite *suite = suite_create("folded_file");
	TCase *tcase = tcase_create("folded_file");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, lines_sum_up_to_the_blocked_time);
	tcase_add_test(tcase, a_file_that_cannot_be_written_is_named);
	tcase_set_timeout(tcase, 20);
	suite_add_tcase(suite, tcase);
	return suite;
}
