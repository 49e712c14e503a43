#include "tui/calls/history_scan.h"

#include "tests/unit/runner.h"

#include <string.h>

/* clang-format off */
START_TEST(skipped_calls_are_estimated)
{
	static const struct {
		struct history_scan scan;
		double share;
		uint64_t of_23;
		const char *sign, *text;
	} cases[] = {
		{ { .newer_seq = 0 }, 1, 23, "", "" },
		{ { .older_seq = 50, .newer_seq = 1050 }, 1, 23, "", "" },
		{ { .older_seq = 50, .newer_seq = 1050, .skipped = 770 }, 0.23, 100, "~",
		  " (rows: a sample of 23 %)" },
		{ { .newer_seq = 1000, .skipped = 990 }, 0.01, 2300, "~",
		  " (rows: a sample of 1.0 %)" },
		{ { .newer_seq = 1000, .skipped = 1000 }, 0, 23, "~",
		  " (rows: a sample of 0.0 %)" },
	};

	/* clang-format on */
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct history_scan *scan = &cases[i].scan;
		struct str text = STR_INIT;

		ck_assert(history_scan_share(scan) > cases[i].share - 1e-9 &&
			  history_scan_share(scan) < cases[i].share + 1e-9);
		ck_assert_uint_eq(history_scan_scale(scan, 23), cases[i].of_23);
		ck_assert_str_eq(history_scan_sign(scan), cases[i].sign);
		str_add(&text, "");
		history_scan_add_sample(scan, &text);
		ck_assert_str_eq(text.data ? text.data : "", cases[i].text);
		str_release(&text);
	}
}
END_TEST

Suite *suite_history_scan(void);
Suite *suite_history_scan(void)
{
	Suite *suite = suite_create("history_scan");
	TCase *tests = tcase_create("history_scan");

	tcase_add_test(tests, skipped_calls_are_estimated);
	suite_add_tcase(suite, tests);
	return suite;
}
