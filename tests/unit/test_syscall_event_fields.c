#include "engine/source/perf/syscall_event_fields.h"

#include "engine/record/capture_chunks.h"
#include "tests/unit/runner.h"

#include <string.h>

#define COMMON \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" \
	"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"

/* The format of Linux 6.18. */
static const char bare_format[] = "name: sys_enter_access\nID: 700\nformat:\n" COMMON
				  "\tfield:const char * filename;\toffset:16;\tsize:8;\tsigned:0;\n"
				  "\tfield:int mode;\toffset:24;\tsize:8;\tsigned:0;\n"
				  "\nprint fmt: \"\"\n";

/* The format with copies, of Linux 6.19 (syscall_enter_define_fields() of trace_syscalls.c). */
static const char copying_format[] =
	"name: sys_enter_renameat2\nID: 701\nformat:\n" COMMON
	"\tfield:int olddfd;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:const char * oldname;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:int newdfd;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:const char * newname;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned int flags;\toffset:48;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] __oldname_val;\toffset:56;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc char[] __newname_val;\toffset:60;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"\"\n";

#define OLD_NAME 0x1000
#define NEW_NAME 0x2000
#define ORIGIN 4

struct sample {
	unsigned char raw[512];
	size_t bytes;
	struct syscall_event_fields fields;
	uint64_t args[SYSCALL_ARGS];
	unsigned char chunks[SINGLE_CHUNK_BYTES];
	size_t filled;
};

static void learn(struct sample *sample, const char *format)
{
	struct tracepoint *point;
	struct err err;

	memset(sample, 0, sizeof(*sample));
	ck_assert_msg(!tracepoint_parse(&point, "syscalls", format, strlen(format), &err), "%s",
		      err.text);
	syscall_event_fields_learn(&sample->fields, point, 16);
	tracepoint_free(point);
}

static void put_text(struct sample *sample, size_t loc_at, const char *text, size_t len)
{
	uint32_t loc = (uint32_t)(len << 16 | sample->bytes);

	memcpy(sample->raw + loc_at, &loc, sizeof(loc));
	memcpy(sample->raw + sample->bytes, text, len);
	sample->bytes += len;
}

static void take(struct sample *sample)
{
	syscall_event_fields_args(&sample->fields, sample->raw, sample->bytes, sample->args);
	sample->filled = syscall_event_fields_copies(&sample->fields, sample->raw, sample->bytes,
						     sample->args, ORIGIN, sample->chunks);
}

static void learn_rename(struct sample *sample)
{
	const uint64_t args[] = { 3, OLD_NAME, 4, NEW_NAME, 5 };

	learn(sample, copying_format);
	memcpy(sample->raw + 16, args, sizeof(args));
	sample->bytes = 64;
}

static const char *text_at(const struct sample *sample, uint64_t address)
{
	static char out[64];
	const char *text;
	size_t len;

	if (!capture_chunks_text(sample->chunks, sample->filled, address, false, &text, &len))
		return "";
	memcpy(out, text, len);
	out[len] = '\0';
	return out;
}

START_TEST(only_arguments_of_the_call_are_read)
{
	struct sample sample;
	const uint64_t raw[] = { OLD_NAME, 7, 99, 99, 99, 99 };

	learn(&sample, bare_format);
	ck_assert_uint_eq(sample.fields.args, 2);
	ck_assert_uint_eq(sample.fields.texts, 0);
	memcpy(sample.raw + 16, raw, sizeof(raw));
	sample.bytes = 64;
	take(&sample);
	ck_assert_uint_eq(sample.args[0], OLD_NAME);
	ck_assert_uint_eq(sample.args[1], 7);
	for (int i = 2; i < SYSCALL_ARGS; i++)
		ck_assert_uint_eq(sample.args[i], 0);
	ck_assert_uint_eq(sample.filled, 0);
	/* Truncated records. */
	sample.bytes = 24;
	take(&sample);
	ck_assert_uint_eq(sample.args[0], OLD_NAME);
	ck_assert_uint_eq(sample.args[1], 0);
	sample.bytes = 10;
	take(&sample);
	ck_assert_uint_eq(sample.args[0], 0);
}
END_TEST

START_TEST(copies_of_the_kernel_are_chunks)
{
	struct sample sample;
	struct capture_chunk chunk;
	const uint8_t *bytes;

	learn_rename(&sample);
	ck_assert_uint_eq(sample.fields.args, 5);
	ck_assert_uint_eq(sample.fields.texts, 2);
	put_text(&sample, 56, "/tmp/from", 10);
	put_text(&sample, 60, "/tmp/to", 8);
	take(&sample);
	ck_assert_uint_eq(sample.args[4], 5);
	ck_assert_uint_eq(sample.args[5], 0);
	ck_assert_str_eq(text_at(&sample, OLD_NAME), "/tmp/from");
	ck_assert_str_eq(text_at(&sample, NEW_NAME), "/tmp/to");
	ck_assert(
		capture_chunks_find(sample.chunks, sample.filled, NEW_NAME, false, &chunk, &bytes));
	ck_assert_uint_eq(chunk.arg, 3);
	ck_assert_uint_eq(chunk.origin, ORIGIN);
	ck_assert_uint_eq(chunk.flags, 0);
}
END_TEST

START_TEST(truncated_texts_are_marked)
{
	struct sample sample;
	struct capture_chunk chunk;
	const uint8_t *bytes;

	learn_rename(&sample);
	put_text(&sample, 56, "/a/long/pa...", 14);
	put_text(&sample, 60, "...", 4);
	take(&sample);
	ck_assert_str_eq(text_at(&sample, OLD_NAME), "/a/long/pa");
	ck_assert(
		capture_chunks_find(sample.chunks, sample.filled, OLD_NAME, false, &chunk, &bytes));
	ck_assert_uint_eq(chunk.flags, CAPTURE_CUT);
	ck_assert_str_eq(text_at(&sample, NEW_NAME), "");
}
END_TEST

START_TEST(invalid_places_are_ignored)
{
	static const uint32_t lies[] = {
		0, 0xffffffff, 0x00010200, 0xffff0040, 0x0000fff0, 1u << 16 | 0xffff,
	};
	struct sample sample;

	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		learn_rename(&sample);
		put_text(&sample, 60, "/tmp/to", 8);
		memcpy(sample.raw + 56, &lies[i], sizeof(lies[i]));
		take(&sample);
		ck_assert_str_eq(text_at(&sample, OLD_NAME), "");
		ck_assert_str_eq(text_at(&sample, NEW_NAME), "/tmp/to");
	}
	learn_rename(&sample);
	sample.bytes = 58;
	take(&sample);
	ck_assert_uint_eq(sample.filled, 0);
}
END_TEST

Suite *suite_syscall_event_fields(void);
Suite *suite_syscall_event_fields(void)
{
	Suite *suite = suite_create("syscall_event_fields");
	TCase *tc = tcase_create("syscall_event_fields");

	tcase_add_test(tc, only_arguments_of_the_call_are_read);
	tcase_add_test(tc, copies_of_the_kernel_are_chunks);
	tcase_add_test(tc, truncated_texts_are_marked);
	tcase_add_test(tc, invalid_places_are_ignored);
	suite_add_tcase(suite, tc);
	return suite;
}
