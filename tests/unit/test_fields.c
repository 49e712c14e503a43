#include "engine/export/fields.h"

#include "tests/unit/runner.h"

#include <string.h>

static void add(struct str *out, enum fields_format format, const char *text)
{
	static const uint64_t counts[] = { 0, 7, UINT64_MAX };
	struct fields fields = fields_begin(out, format, "row");

	fields_text(&fields, "text", text);
	fields_text(&fields, "absent", NULL);
	fields_whole(&fields, "total_ns", UINT64_MAX);
	fields_signed(&fields, "ret", -2);
	fields_real(&fields, "share", 0.5);
	fields_bool(&fields, "ended", true);
	fields_hex(&fields, "uaddr", 0x7f00);
	fields_none(&fields, "pid");
	fields_counts(&fields, "counts", counts, 3);
	fields_end(&fields);
}

START_TEST(an_object_has_its_type_first)
{
	struct str out = STR_INIT;

	add(&out, FIELDS_JSON, "a \"b\", c");
	ck_assert_str_eq(out.data, "{\"type\":\"row\",\"text\":\"a \\\"b\\\", c\",\"absent\":null,"
				   "\"total_ns\":18446744073709551615,\"ret\":-2,\"share\":0.500,"
				   "\"ended\":true,\"uaddr\":\"0x7f00\",\"pid\":null,"
				   "\"counts\":[0,7,18446744073709551615]}\n");
	str_release(&out);
}
END_TEST

START_TEST(csv_header_has_the_field_names)
{
	struct str out = STR_INIT;

	add(&out, FIELDS_CSV_NAMES, "x");
	ck_assert_str_eq(out.data, "text,absent,total_ns,ret,share,ended,uaddr,pid,counts\r\n");
	str_release(&out);
}
END_TEST

struct csv_case {
	const char *text, *field;
};

static const struct csv_case csv_cases[] = {
	{ "plain", "plain" },
	{ "", "\"\"" },
	{ " blanks ", " blanks " },
	{ "a,b", "\"a,b\"" },
	{ "say \"no\"", "\"say \"\"no\"\"\"" },
	{ "two\nlines", "\"two\nlines\"" },
	{ "cr\r", "\"cr\r\"" },
	{ "a;=b", "\"a;=b\"" },
	{ "=1+1", "'=1+1" },
	{ "+1", "'+1" },
	{ "-1", "'-1" },
	{ "@SUM(A1,A2)", "\"'@SUM(A1,A2)\"" },
	{ "\t=1", "\"'\t=1\"" },
	{ "\xef\xbc\x9d"
	  "1",
	  "'\xef\xbc\x9d"
	  "1" },
	{ "\xef\xbc\x9c", "\xef\xbc\x9c" },
	{ "'quoted'", "''quoted'" },
};

START_TEST(csv_fields_are_quoted_if_needed)
{
	const struct csv_case *c = &csv_cases[_i];
	struct str out = STR_INIT, expected = STR_INIT;

	add(&out, FIELDS_CSV, c->text);
	str_addf(&expected,
		 "%s,,18446744073709551615,-2,0.500,true,0x7f00,,"
		 "0 7 18446744073709551615\r\n",
		 c->field);
	ck_assert_msg(!strcmp(out.data, expected.data), "%s: %s", c->text, out.data);
	str_release(&out);
	str_release(&expected);
}
END_TEST

Suite *suite_fields(void);
Suite *suite_fields(void)
{
	Suite *suite = suite_create("fields");
	TCase *tests = tcase_create("fields");

	tcase_add_test(tests, an_object_has_its_type_first);
	tcase_add_test(tests, csv_header_has_the_field_names);
	tcase_add_loop_test(tests, csv_fields_are_quoted_if_needed, 0,
			    sizeof(csv_cases) / sizeof(csv_cases[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
