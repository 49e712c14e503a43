#include "engine/base/err.h"

#include "tests/unit/runner.h"

#include <errno.h>
#include <string.h>

START_TEST(set_fills_the_text_and_returns_the_code)
{
	struct err err;

	ck_assert_int_eq(err_set(&err, -ENOENT, "no %s, %d tried", "file", 3), -ENOENT);
	ck_assert_str_eq(err.text, "no file, 3 tried");
	err_prefix(&err, "%s:%d: ", "keys", 7);
	ck_assert_str_eq(err.text, "keys:7: no file, 3 tried");
}
END_TEST

START_TEST(err_may_be_null)
{
	ck_assert_int_eq(err_set(NULL, -EPERM, "%s", "unread"), -EPERM);
	err_prefix(NULL, "%s", "unread");
}
END_TEST

START_TEST(long_texts_are_cut_and_stay_terminated)
{
	char many[ERR_TEXT_BYTES * 2];
	struct err err;

	memset(many, 'x', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	err_set(&err, -E2BIG, "%s", many);
	ck_assert_uint_eq(strlen(err.text), ERR_TEXT_BYTES - 1);
	err_prefix(&err, "front ");
	ck_assert_uint_eq(strlen(err.text), ERR_TEXT_BYTES - 1);
	ck_assert_int_eq(strncmp(err.text, "front xxx", 9), 0);
	err_prefix(&err, "%s", many);
	ck_assert_uint_eq(strlen(err.text), ERR_TEXT_BYTES - 1);
}
END_TEST

Suite *suite_err(void);
Suite *suite_err(void)
{
	Suite *suite = suite_create("err");
	TCase *tests = tcase_create("err");

	tcase_add_test(tests, set_fills_the_text_and_returns_the_code);
	tcase_add_test(tests, err_may_be_null);
	tcase_add_test(tests, long_texts_are_cut_and_stay_terminated);
	suite_add_tcase(suite, tests);
	return suite;
}
