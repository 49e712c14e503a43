#include "engine/export/folded.h"

#include "tests/unit/runner.h"

#include <string.h>

START_TEST(outermost_first_and_kernel_frames_marked)
{
	static const struct frame frames[] = {
		{ .ip = 0xffffffff81000000, .kind = FRAME_KERNEL, .symbol = "schedule" },
		{ .ip = 0x1234, .kind = FRAME_USER },
		{ .ip = 0x2000, .kind = FRAME_USER, .symbol = "operator;()" },
		{ .ip = 0x3000, .kind = FRAME_USER, .symbol = "main" },
	};
	static const struct frame cut[] = {
		{ .ip = 0xffffffff81000000, .kind = FRAME_KERNEL, .symbol = "vfs", .cut = true },
		{ .ip = 0x2000, .kind = FRAME_USER, .symbol = "f", .cut = true },
	};
	struct str out = STR_INIT;

	folded_add_stack(&out, "a;b", frames, 4);
	ck_assert_str_eq(out.data, "a:b;main;operator:();0x1234;schedule_[k]");
	str_clear(&out);
	folded_add_stack(&out, "", frames + 3, 1);
	ck_assert_str_eq(out.data, "?;main");
	str_clear(&out);
	folded_add_stack(&out, "a", cut, 2);
	ck_assert_str_eq(out.data, "a;[cut];f;[cut];vfs_[k]");
	str_release(&out);
}
END_TEST

START_TEST(a_line_is_a_stack_and_its_weight)
{
	struct str out = STR_INIT;

	folded_add(&out, "a:b;main ", 18446744073709551615ull);
	ck_assert_str_eq(out.data, "a:b;main  18446744073709551615\n");
	folded_add(&out, "idle", 1);
	ck_assert_ptr_nonnull(strstr(out.data, "\nidle 1\n"));
	str_release(&out);
}
END_TEST

Suite *suite_folded(void);
Suite *suite_folded(void)
{
	Suite *suite = suite_create("folded");
	TCase *tests = tcase_create("folded");

	tcase_add_test(tests, outermost_first_and_kernel_frames_marked);
	tcase_add_test(tests, a_line_is_a_stack_and_its_weight);
	suite_add_tcase(suite, tests);
	return suite;
}
