#include "engine/export/deadlock_line.h"

#include "tests/unit/runner.h"

static const struct deadlock_line_wait waits[] = {
	{ .tid = 123, .comm = "waiter", .uaddr = 0x1000, .owner = 124 },
	{ .tid = 124, .comm = "a\"b", .uaddr = 0x2000, .owner = 123 },
};

START_TEST(text_line_has_threads_and_locks)
{
	struct str out = STR_INIT;

	deadlock_line_add_text(&out, waits, 2, 0);
	ck_assert_str_eq(out.data, "deadlock: waiter/123 waits for 0x1000 held by a\"b/124, "
				   "a\"b/124 waits for 0x2000 held by waiter/123\n");
	str_clear(&out);
	deadlock_line_add_text(&out, waits, 1, 40);
	ck_assert_str_eq(out.data, "deadlock: waiter/123 waits for 0x1000 held by 124, "
				   "and 40 more\n");
	str_release(&out);
}
END_TEST

START_TEST(json_line_has_threads_and_locks)
{
	struct str out = STR_INIT;

	deadlock_line_add_json(&out, waits, 2);
	ck_assert_str_eq(out.data,
			 "{\"type\":\"deadlock\",\"threads\":["
			 "{\"tid\":123,\"comm\":\"waiter\",\"uaddr\":\"0x1000\",\"owner\":124},"
			 "{\"tid\":124,\"comm\":\"a\\\"b\",\"uaddr\":\"0x2000\","
			 "\"owner\":123}]}\n");
	str_release(&out);
}
END_TEST

Suite *suite_deadlock_line(void);
Suite *suite_deadlock_line(void)
{
	Suite *suite = suite_create("deadlock_line");
	TCase *tcase = tcase_create("deadlock_line");

	tcase_add_test(tcase, text_line_has_threads_and_locks);
	tcase_add_test(tcase, json_line_has_threads_and_locks);
	suite_add_tcase(suite, tcase);
	return suite;
}
