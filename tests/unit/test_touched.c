#include "engine/model/touched.h"

#include "tests/unit/chunks.h"
#include "tests/unit/runner.h"

#include <fcntl.h>
#include <string.h>

/* Two made-up calls: one as openat, one as rename. */
enum { AT_CALL, TWO_PATHS_CALL, CALL_COUNT };

static struct touched_shape shapes[CALL_COUNT] = {
	[AT_CALL] = { .fds = 1, .dirs = 1, .paths = 2, .returns_fd = true },
	[TWO_PATHS_CALL] = { .paths = 3 },
};

static const struct touched touched = { shapes, CALL_COUNT, NULL };

static bool main_path(uint16_t nr, const char *first, const char *second, char *out)
{
	struct call call = { .state = CALL_DONE, .nr = nr, .ret = 3,
			     .args = { 0x1000, 0x2000 } };
	struct chunks chunks = { .len = 0 };
	struct fd_chunks pointed[2] = { { NULL, 0 }, { NULL, 0 } };

	if (nr == AT_CALL)
		call.args[0] = (uint32_t)AT_FDCWD;
	if (first)
		chunks_add(&chunks, 0x1000, first, (uint32_t)strlen(first) + 1, 0, BYTES_KERNEL);
	if (second)
		chunks_add(&chunks, 0x2000, second, (uint32_t)strlen(second) + 1, 0,
			   BYTES_KERNEL);
	pointed[0] = (struct fd_chunks){ chunks.words, chunks.len };
	return touched_main_path(&touched, &call, pointed, out);
}

START_TEST(a_call_is_about_the_path_that_it_names)
{
	char path[TOUCHED_PATH_BYTES];

	ck_assert(main_path(AT_CALL, NULL, "/etc/hosts", path));
	ck_assert_str_eq(path, "/etc/hosts");
	/* Its directory is not known: as it was given. */
	ck_assert(main_path(AT_CALL, NULL, "hosts", path));
	ck_assert_str_eq(path, "hosts");
	ck_assert(!main_path(AT_CALL, NULL, NULL, path));
}
END_TEST

START_TEST(of_two_it_is_the_first_from_the_root)
{
	char path[TOUCHED_PATH_BYTES];

	ck_assert(main_path(TWO_PATHS_CALL, "/a", "/b", path));
	ck_assert_str_eq(path, "/a");
	ck_assert(main_path(TWO_PATHS_CALL, "a", "/b", path));
	ck_assert_str_eq(path, "/b");
	ck_assert(main_path(TWO_PATHS_CALL, "a", "b", path));
	ck_assert_str_eq(path, "a");
	ck_assert(main_path(TWO_PATHS_CALL, NULL, "b", path));
	ck_assert_str_eq(path, "b");
}
END_TEST

Suite *suite_touched(void);

Suite *suite_touched(void)
{
	Suite *suite = suite_create("touched");
	TCase *tcase = tcase_create("touched");

	tcase_add_test(tcase, a_call_is_about_the_path_that_it_names);
	tcase_add_test(tcase, of_two_it_is_the_first_from_the_root);
	suite_add_tcase(suite, tcase);
	return suite;
}
