#include "engine/demo.h"

#include "tests/unit/runner.h"

#include <string.h>
#include <unistd.h>

START_TEST(demo_is_unpacked)
{
	struct demo demo = { 0 };
	struct err err;
	char magic[8];

	demo_close(&demo);
	ck_assert_msg(!demo_open(&demo, &err), "%s", err.text);
	ck_assert_int_eq(pread(demo.fd, magic, sizeof(magic), 0), sizeof(magic));
	ck_assert_int_eq(memcmp(magic, "PERFILE2", sizeof(magic)), 0);
	ck_assert_ptr_nonnull(strstr(demo.names, "\tledger_add\t/srv/demo/shop\t"));
	/* It has no folder names of the machine that recorded it. */
	ck_assert_ptr_null(strstr(demo.names, "/tmp/"));
	ck_assert_ptr_null(strstr(demo.names, "/home/"));
	demo_close(&demo);
}
END_TEST

Suite *suite_demo(void);
Suite *suite_demo(void)
{
	Suite *suite = suite_create("demo");
	TCase *tcase = tcase_create("demo");

	tcase_add_test(tcase, demo_is_unpacked);
	suite_add_tcase(suite, tcase);
	return suite;
}
