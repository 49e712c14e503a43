#include "tui/session/path_fit.h"

#include "engine/base/utf8.h"
#include "tests/unit/runner.h"

#include <string.h>

static const struct {
	const char *path;
	int cols;
	const char *shown;
} cases[] = {
	{ "/usr/lib/libc.so.6", 18, "/usr/lib/libc.so.6" },
	{ "/usr/lib/libc.so.6", 17, "…/lib/libc.so.6" },
	{ "/usr/lib/libc.so.6", 12, "…/libc.so.6" },
	{ "/usr/lib/libc.so.6", 10, "…libc.so.6" },
	{ "/usr/lib/libc.so.6", 1, "…" },
	{ "libc.so.6", 5, "…so.6" },
	{ "/a/b/", 4, "…/b/" },
	{ "/a/ééééé", 4, "…ééé" },
	{ "", 3, "" },
};

START_TEST(the_end_of_a_path_is_kept)
{
	struct str out = STR_INIT;

	path_fit(&out, cases[_i].path, cases[_i].cols);
	ck_assert_str_eq(out.data, cases[_i].shown);
	ck_assert_int_le(utf8_text_width(out.data, out.len), cases[_i].cols);
	str_release(&out);
}
END_TEST

Suite *suite_path_fit(void);

Suite *suite_path_fit(void)
{
	Suite *suite = suite_create("path_fit");
	TCase *tcase = tcase_create("path_fit");

	tcase_add_loop_test(tcase, the_end_of_a_path_is_kept, 0, sizeof(cases) / sizeof(cases[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
