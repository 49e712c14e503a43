#include "engine/source/tracepoint.h"

#include "tests/unit/runner.h"

#include <errno.h>
#include <stdlib.h>

/* The format of Linux 6.18, with fields moved: no offset may be assumed. */
static const char enter_format[] =
	"name: sys_enter\n"
	"ID: 391\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:unsigned long args[6];\toffset:8;\tsize:48;\tsigned:0;\n"
	"\tfield:long id;\toffset:56;\tsize:8;\tsigned:1;\n"
	"\tfield:short small;\toffset:64;\tsize:2;\tsigned:1;\n"
	"\tfield:char comm[16];\toffset:66;\tsize:16;\tsigned:0;\n"
	"\n"
	"print fmt: \"NR %ld\", REC->id\n";

START_TEST(fields_are_where_the_format_says)
{
	static const struct {
		const char *name;
		uint16_t offset, bytes, count;
		bool is_signed;
	} cases[] = {
		{ "common_flags", 2, 1, 1, false }, { "common_pid", 4, 4, 1, true },
		{ "args", 8, 8, 6, false },         { "id", 56, 8, 1, true },
		{ "small", 64, 2, 1, true },        { "comm", 66, 1, 16, false },
	};
	struct tracepoint *tracepoint;
	struct err err = { "" };

	ck_assert_msg(!tracepoint_parse(&tracepoint, "raw_syscalls", enter_format,
					sizeof(enter_format) - 1, &err),
		      "%s", err.text);
	ck_assert_uint_eq(tracepoint_id(tracepoint), 391);
	ck_assert_str_eq(tracepoint_name(tracepoint), "sys_enter");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tracepoint_field field;

		ck_assert_msg(!tracepoint_field(tracepoint, cases[i].name, &field, &err), "%s",
			      err.text);
		ck_assert_msg(field.offset == cases[i].offset && field.bytes == cases[i].bytes &&
				      field.count == cases[i].count &&
				      field.is_signed == cases[i].is_signed,
			      "%s: %u %u %u %d", cases[i].name, field.offset, field.bytes,
			      field.count, field.is_signed);
	}
	tracepoint_free(tracepoint);
}
END_TEST

START_TEST(a_missing_field_is_named)
{
	struct tracepoint *tracepoint;
	struct tracepoint_field field = { .bytes = 3 };
	struct err err = { "" };

	ck_assert(!tracepoint_parse(&tracepoint, "raw_syscalls", enter_format,
				    sizeof(enter_format) - 1, NULL));
	ck_assert_int_eq(tracepoint_field(tracepoint, "ret", &field, &err), -ENOENT);
	ck_assert_uint_eq(field.bytes, 0);
	ck_assert_str_eq(err.text, "the tracepoint raw_syscalls:sys_enter of this kernel has no "
				   "field ret");
	tracepoint_free(tracepoint);
}
END_TEST

START_TEST(invalid_format_is_rejected)
{
	static const char *const texts[] = { "", "name:", "not a format at all\n" };
	struct tracepoint *tracepoint = NULL;
	struct err err;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_msg(tracepoint_parse(&tracepoint, "s", texts[i], strlen(texts[i]),
					       &err) == -EINVAL,
			      "text %zu", i);
	ck_assert_ptr_null(tracepoint);
}
END_TEST

START_TEST(values_are_widened_with_their_sign)
{
	static const unsigned char raw[] = { 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f };
	static const struct {
		struct tracepoint_field field;
		size_t index;
		uint64_t value;
	} cases[] = {
		{ { 0, 1, 1, true }, 0, UINT64_MAX },
		{ { 0, 1, 1, false }, 0, 0xff },
		{ { 1, 2, 1, true }, 0, (uint64_t)-2 },
		{ { 1, 2, 1, false }, 0, 0xfffe },
		{ { 1, 4, 1, true }, 0, (uint64_t)-2 },
		{ { 1, 4, 1, false }, 0, 0xfffffffe },
		{ { 1, 8, 1, true }, 0, 0x7ffffffffffffffeULL },
		{ { 0, 1, 9, false }, 8, 0x7f },
		{ { 0, 0, 0, false }, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(
			tracepoint_value(&cases[i].field, raw, cases[i].index) == cases[i].value,
			"case %zu: %llx", i,
			(unsigned long long)tracepoint_value(&cases[i].field, raw, cases[i].index));
}
END_TEST

Suite *suite_tracepoint(void);
Suite *suite_tracepoint(void)
{
	Suite *suite = suite_create("tracepoint");
	TCase *tc = tcase_create("tracepoint");

	tcase_add_test(tc, fields_are_where_the_format_says);
	tcase_add_test(tc, a_missing_field_is_named);
	tcase_add_test(tc, invalid_format_is_rejected);
	tcase_add_test(tc, values_are_widened_with_their_sign);
	suite_add_tcase(suite, tc);
	return suite;
}
