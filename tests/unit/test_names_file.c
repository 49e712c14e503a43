#include "engine/stack/names_file.h"

#include "tests/unit/runner.h"

#include <string.h>

static const char text[] = "7\t4010\tuser\t0\t12\t1\tinner\tshop\tshop.c\n"
			   "7\t4010\tuser\t16\t40\t0\touter\tshop\tshop.c\n"
			   "0\tffffffff81000010\tkernel\t5\t0\t0\tschedule\t[kernel]\t\n"
			   "8\t4010\tuser\t3\t0\t0\t\t\t\n"
			   "not a line\n"
			   "9\t1\t2\t3\t4\t5\t6\t7\t8\ttoo many\n"
			   "9\t4020\tuser\t0\t0\t0\tlast\tx\ty";

START_TEST(frames_are_found_by_pid_and_address)
{
	struct names_file *reported = names_file_new(text, strlen(text));
	struct frame frames[4];

	ck_assert_uint_eq(names_file_find(reported, 7, 0x4010, frames, 4), 2);
	ck_assert_str_eq(frames[0].symbol, "inner");
	ck_assert(frames[0].inlined && frames[0].line == 12 && frames[0].kind == FRAME_USER);
	ck_assert_str_eq(frames[1].symbol, "outer");
	ck_assert_str_eq(frames[1].file, "shop.c");
	ck_assert(!frames[1].inlined && frames[1].offset == 16 && frames[1].ip == 0x4010);
	ck_assert_uint_eq(names_file_find(reported, 7, 0x4010, frames, 1), 1);
	ck_assert_uint_eq(names_file_find(reported, 7, 0x4011, frames, 4), 0);
	ck_assert_uint_eq(names_file_find(reported, 0, 0xffffffff81000010, frames, 4), 1);
	ck_assert(frames[0].kind == FRAME_KERNEL && !frames[0].file);
	ck_assert_uint_eq(names_file_find(reported, 8, 0x4010, frames, 4), 1);
	ck_assert_ptr_null(frames[0].symbol);
	ck_assert_str_eq(frames[0].dso, "");
	ck_assert_uint_eq(names_file_find(reported, 9, 1, frames, 4), 0);
	ck_assert_uint_eq(names_file_find(reported, 9, 0x4020, frames, 4), 1);
	names_file_free(reported);
	reported = names_file_new("", 0);
	ck_assert_uint_eq(names_file_find(reported, 7, 0x4010, frames, 4), 0);
	names_file_free(reported);
}
END_TEST

Suite *suite_names_file(void);
Suite *suite_names_file(void)
{
	Suite *suite = suite_create("names_file");
	TCase *tcase = tcase_create("names_file");

	tcase_add_test(tcase, frames_are_found_by_pid_and_address);
	suite_add_tcase(suite, tcase);
	return suite;
}
