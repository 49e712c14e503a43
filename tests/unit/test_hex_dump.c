#include "tui/calls/hex_dump.h"

#include "tests/unit/runner.h"

#include <string.h>

static const char text[] = "/etc/hosts\0\033[2J\177\377xyz";

static const struct {
	size_t offset, row;
	const char *line;
} cases[] = {
	{ 0, 16, "0000  2f 65 74 63 2f 68 6f 73  74 73 00 1b 5b 32 4a 7f  /etc/hosts..[2J." },
	{ 16, 16, "0010  ff 78 79 7a 00                                    .xyz." },
	{ 0, 8, "0000  2f 65 74 63 2f 68 6f 73  /etc/hos" },
	{ 8, 8, "0008  74 73 00 1b 5b 32 4a 7f  ts..[2J." },
	{ 99, 8, "0063                           " },
};

START_TEST(lines_have_their_columns)
{
	struct str out = STR_INIT;

	hex_dump_line(&out, (const uint8_t *)text, sizeof(text), cases[_i].offset, cases[_i].row);
	ck_assert_str_eq(out.data, cases[_i].line);
	if (cases[_i].row == HEX_DUMP_ROW)
		ck_assert_uint_lt(out.len, HEX_DUMP_ROW_COLS);
	str_release(&out);
}
END_TEST

Suite *suite_hex_dump(void);

Suite *suite_hex_dump(void)
{
	Suite *suite = suite_create("hex_dump");
	TCase *tcase = tcase_create("hex_dump");

	tcase_add_loop_test(tcase, lines_have_their_columns, 0, sizeof(cases) / sizeof(cases[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
