#include "engine/source/event_formats.h"

#include "tests/unit/runner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEAD(id) \
	"name: thing\n" \
	"ID: " #id "\n" \
	"format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELDS \
	"\tfield:int number;\toffset:8;\tsize:4;\tsigned:1;\n" \
	"\tfield:char comm[8];\toffset:12;\tsize:8;\tsigned:0;\n" \
	"\tfield:__data_loc char[] name;\toffset:20;\tsize:4;\tsigned:0;\n" \
	"\tfield:unsigned long where;\toffset:24;\tsize:8;\tsigned:0;\n" \
	"\tfield:__data_loc u16[] words;\toffset:32;\tsize:4;\tsigned:0;\n"

/* A record as the kernel writes it, with id 7 as in HEAD(7). */
struct raw {
	uint16_t type;
	uint8_t flags, count;
	int32_t pid;
	int32_t number;
	char comm[8];
	uint32_t name;
	uint64_t where;
	uint32_t words;
	uint16_t three[3];
	char text[22];
} __attribute__((packed));

static const struct raw sample = {
	.type = 7,
	.pid = 42,
	.number = -3,
	.comm = "a\tb",
	.name = 42 | 22u << 16,
	.where = 0xffff800000001234,
	.words = 36 | 6u << 16,
	.three = { 1, 2, 0xffff },
	.text = "/tmp/x\033[31m\xff",
};

struct bench {
	struct event_names *names;
	struct event_formats *formats;
	struct str text;
};

static void bench_init(struct bench *bench)
{
	bench->names = event_names_new();
	bench->formats = event_formats_new(bench->names);
	str_init(&bench->text);
}

static void bench_release(struct bench *bench)
{
	str_release(&bench->text);
	event_formats_free(bench->formats);
	event_names_free(bench->names);
}

static int add(struct bench *bench, const char *text, bool foreign)
{
	struct err err = { .text = "" };
	int number = event_formats_add(bench->formats, "test", "thing", text, strlen(text), foreign,
				       NULL, &err);

	ck_assert_msg(number >= 0, "%s", err.text);
	return number;
}

static const char *text_of(struct bench *bench, int number, const void *raw, size_t bytes)
{
	str_clear(&bench->text);
	return event_formats_text(bench->formats, (uint64_t)number, raw, bytes, 0, &bench->text)
		       ? bench->text.data
		       : NULL;
}

#define ALL_FIELDS \
	"number=-3 comm=a\\tb name=/tmp/x\\33[31m\\377 where=0xffff800000001234 words={1,2,65535}"

static const struct {
	const char *print;
	const char *own, *foreign; /* text with a format of this or another machine; NULL: as own */
} prints[] = {
	{ "print fmt: \"n=%d c=%s\", REC->number, REC->comm\n", "n=-3 c=a\\tb", NULL },
	{ "print fmt: \"%s (%lx)\", __get_str(name), REC->where\n",
	  "/tmp/x\\33[31m\\377 (ffff800000001234)", NULL },
	{ "print fmt: \"%s\", __print_symbolic(REC->common_pid, { 41, \"a\" }, { 42, \"b\" })\n",
	  "b", NULL },
	{ "print fmt: \"%d\", REC->common_pid * 2 + 1\n", "85", NULL },
	{ "print fmt: \"%d\", REC->common_pid * REC->absent\n", "0", ALL_FIELDS },
	{ "print fmt: \"%d\", REC->common_pid / 3\n", "14", ALL_FIELDS },
	{ "print fmt: \"%s\", __print_hex(REC->comm, 3)\n", "61 09 62", ALL_FIELDS },
	/* no print format */
	{ "", ALL_FIELDS, NULL },
};

START_TEST(texts_follow_the_print_format)
{
	struct str format = STR_INIT;
	struct bench bench;
	const char *foreign = prints[_i].foreign ? prints[_i].foreign : prints[_i].own;

	for (int i = 0; i < 2; i++) {
		bench_init(&bench);
		str_clear(&format);
		str_addf(&format, "%s\n%s", HEAD(7) FIELDS, prints[_i].print);
		ck_assert_str_eq(
			text_of(&bench, add(&bench, format.data, i), &sample, sizeof(sample)),
			i ? foreign : prints[_i].own);
		bench_release(&bench);
	}
	str_release(&format);
}
END_TEST

static void append_field(void *ctx, const char *name, const char *value)
{
	str_addf(ctx, "%s:%s\n", name, value);
}

START_TEST(fields_are_listed_one_by_one)
{
	struct str fields = STR_INIT;
	struct bench bench;
	int number;

	bench_init(&bench);
	number = add(&bench, HEAD(7) FIELDS "\nprint fmt: \"\"\n", false);
	ck_assert(event_formats_fields(bench.formats, (uint64_t)number, &sample, sizeof(sample),
				       append_field, &fields));
	ck_assert_str_eq(fields.data, "number:-3\ncomm:a\\tb\nname:/tmp/x\\33[31m\\377\n"
				      "where:0xffff800000001234\nwords:{1,2,65535}\n");
	str_release(&fields);
	bench_release(&bench);
}
END_TEST

START_TEST(a_tracepoint_has_one_number_while_its_format_is_the_same)
{
	static const char first[] = HEAD(7) FIELDS "\nprint fmt: \"\"\n";
	static const char later[] = HEAD(8) FIELDS "\nprint fmt: \"\"\n";
	struct bench bench;
	uint64_t id = 0;

	bench_init(&bench);
	ck_assert_int_eq(add(&bench, first, false), 0);
	ck_assert_int_eq(add(&bench, first, false), 0);
	ck_assert_int_eq(add(&bench, later, false), 1);
	ck_assert_int_eq(event_formats_add(bench.formats, "test", "thing", later, strlen(later),
					   false, &id, NULL),
			 1);
	ck_assert_uint_eq(id, 8);
	ck_assert_int_eq(event_formats_add(bench.formats, "other\033", "thing", first,
					   strlen(first), true, NULL, NULL),
			 2);
	ck_assert_str_eq(event_names_get(bench.names, 1), "test:thing");
	ck_assert_str_eq(event_names_get(bench.names, 2), "other\\33:thing");
	ck_assert_ptr_null(event_names_get(bench.names, 3));
	ck_assert_ptr_null(event_names_get(bench.names, UINT64_MAX));
	ck_assert_uint_eq(event_names_count(bench.names), 3);
	bench_release(&bench);
}
END_TEST

/* Nothing is read outside the record if it is too short or has a wrong offset of a field. */
START_TEST(truncated_record_has_no_text)
{
	struct bench bench;
	struct raw raw = sample;
	int number;

	bench_init(&bench);
	number = add(&bench, HEAD(7) FIELDS "\nprint fmt: \"%s\", __get_str(name)\n", false);
	for (size_t bytes = 0; bytes < sizeof(raw); bytes++) {
		/* Allocated to size, so that a memory checker reports reads beyond it. */
		void *cut = malloc(bytes + 1);

		memcpy(cut, &raw, bytes);
		ck_assert_msg(!text_of(&bench, number, cut, bytes), "%zu bytes", bytes);
		free(cut);
	}
	raw.name = 42 | 23u << 16;
	ck_assert(!text_of(&bench, number, &raw, sizeof(raw)));
	raw.name = 0xffffffff;
	ck_assert(!text_of(&bench, number, &raw, sizeof(raw)));
	ck_assert(!text_of(&bench, number, NULL, sizeof(raw)));
	ck_assert(!text_of(&bench, number + 1, &sample, sizeof(sample)));
	ck_assert(text_of(&bench, number, &sample, sizeof(sample)));
	bench_release(&bench);
}
END_TEST

START_TEST(a_field_outside_all_records_has_no_text)
{
	static const char *const fields[] = {
		"\tfield:int far;\toffset:70000;\tsize:4;\tsigned:1;\n",
		"\tfield:int far;\toffset:2147483647;\tsize:2147483647;\tsigned:1;\n",
		"\tfield:__data_loc char[] far;\toffset:8;\tsize:8;\tsigned:1;\n",
	};
	struct str format = STR_INIT;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct bench bench;

		bench_init(&bench);
		str_clear(&format);
		str_addf(&format, "%s%s\nprint fmt: \"%%d\", REC->far\n", HEAD(7), fields[i]);
		ck_assert_msg(
			!text_of(&bench, add(&bench, format.data, true), &sample, sizeof(sample)),
			"%s%s", fields[i], bench.text.data);
		bench_release(&bench);
	}
	str_release(&format);
}
END_TEST

START_TEST(long_texts_are_cut)
{
	static const char format[] =
		HEAD(7) "\tfield:char all[60000];\toffset:8;\tsize:60000;\tsigned:0;\n\n"
			"print fmt: \"%s\", REC->all\n";
	char *raw = calloc(1, 60008);
	struct bench bench;
	const char *text;

	bench_init(&bench);
	raw[0] = 7;
	memset(raw + 8, 'x', 60000);
	text = text_of(&bench, add(&bench, format, false), raw, 60008);
	ck_assert_ptr_nonnull(text);
	ck_assert_uint_eq(strlen(text), EVENT_TEXT_BYTES + 3);
	ck_assert_str_eq(text + EVENT_TEXT_BYTES - 1, "x...");
	/* The next text contains nothing of this text. */
	memset(raw + 8, 0, 60000);
	raw[8] = 'y';
	ck_assert_str_eq(text_of(&bench, 0, raw, 60008), "y");
	free(raw);
	bench_release(&bench);
}
END_TEST

START_TEST(invalid_format_is_rejected)
{
	struct bench bench;
	struct err err = { .text = "" };

	bench_init(&bench);
	ck_assert_int_eq(event_formats_add(bench.formats, "a", "b", "name:", 5, true, NULL, &err),
			 -EINVAL);
	ck_assert(err.text[0]);
	ck_assert_uint_eq(event_names_count(bench.names), 0);
	bench_release(&bench);
}
END_TEST

START_TEST(number_of_names_is_bounded)
{
	struct event_names *names = event_names_new();

	for (int i = 0; i < EVENT_NAMES_MAX; i++)
		ck_assert_int_eq(event_names_add(names, "a:b"), i);
	ck_assert_int_eq(event_names_add(names, "a:b"), -ENOSPC);
	event_names_free(names);
}
END_TEST

Suite *suite_event_formats(void);
Suite *suite_event_formats(void)
{
	Suite *suite = suite_create("event_formats");
	TCase *tests = tcase_create("all");

	tcase_add_loop_test(tests, texts_follow_the_print_format, 0,
			    sizeof(prints) / sizeof(prints[0]));
	tcase_add_test(tests, fields_are_listed_one_by_one);
	tcase_add_test(tests, a_tracepoint_has_one_number_while_its_format_is_the_same);
	tcase_add_test(tests, truncated_record_has_no_text);
	tcase_add_test(tests, a_field_outside_all_records_has_no_text);
	tcase_add_test(tests, long_texts_are_cut);
	tcase_add_test(tests, invalid_format_is_rejected);
	tcase_add_test(tests, number_of_names_is_bounded);
	suite_add_tcase(suite, tests);
	return suite;
}
