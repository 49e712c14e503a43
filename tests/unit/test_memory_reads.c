#include "tui/calls/memory_reads.h"

#include "tests/unit/chunks.h"
#include "tests/unit/runner.h"

#include <string.h>

static struct memory_reads seen;
static struct chunks chunks;

static void setup(void)
{
	memset(&chunks, 0, sizeof(chunks));
	memory_reads_init(&seen);
}

static void teardown(void)
{
	memory_reads_release(&seen);
}

static struct bytes_answer ask(uint64_t address, uint32_t len, bool text, uint64_t whole)
{
	struct bytes_ask want = { address, len, 0, BYTES_AT_ENTER, text, whole };
	struct bytes_answer answer;
	char to[8192];

	seen.provider.read(seen.provider.ctx, NULL, &want, to, &answer);
	return answer;
}

static void area_is(size_t index, uint64_t address, uint64_t whole, const char *bytes)
{
	const struct memory_area *area = &seen.areas[index];

	ck_assert_uint_lt(index, seen.count);
	ck_assert_uint_eq(area->address, address);
	ck_assert_uint_eq(area->whole, whole);
	ck_assert_uint_eq(area->known, strlen(bytes));
	ck_assert(!memcmp(seen.bytes.data + area->at, bytes, area->known));
}

START_TEST(a_cut_buffer_has_its_whole_length)
{
	chunks_add(&chunks, 0x1000, "0123456789", 10, CAPTURE_CUT, BYTES_KERNEL);
	memory_reads_begin(&seen, chunks_bytes(&chunks));
	ck_assert_uint_eq(ask(0x1000, 100, false, 65536).len, 10);
	memory_reads_end(&seen);
	ck_assert_uint_eq(seen.count, 1);
	area_is(0, 0x1000, 65536, "0123456789");
	ck_assert_int_eq(seen.areas[0].origin, BYTES_KERNEL);
}
END_TEST

START_TEST(a_text_without_a_nul_has_no_known_end)
{
	chunks_add(&chunks, 0x1000, "abc\0def", 7, 0, BYTES_LATE);
	chunks_add(&chunks, 0x2000, "abcdefg", 7, CAPTURE_CUT, BYTES_KERNEL);
	memory_reads_begin(&seen, chunks_bytes(&chunks));
	ask(0x1000, 33, true, 0);
	ask(0x2000, 33, true, 0);
	memory_reads_end(&seen);
	ck_assert_uint_eq(seen.count, 2);
	ck_assert_uint_eq(seen.areas[0].whole, 4);
	ck_assert_uint_eq(seen.areas[0].known, 4);
	area_is(1, 0x2000, 0, "abcdef");
}
END_TEST

/* The row of a truncated text shows all copied bytes except the last. */
START_TEST(a_truncated_text_is_cut_as_in_its_row)
{
	struct bytes_answer answer;

	chunks_add(&chunks, 0x1000, "abcdefg", 7, CAPTURE_CUT, BYTES_KERNEL);
	chunks_add(&chunks, 0x2000, "abcdef", 7, 0, BYTES_KERNEL);
	memory_reads_begin(&seen, chunks_bytes(&chunks));
	answer = ask(0x1000, 33, true, 0);
	ck_assert_uint_eq(answer.len, 6);
	ck_assert(answer.cut);
	/* A request for exactly the copied bytes gets the last one too. */
	ck_assert_uint_eq(ask(0x1000, 7, true, 0).len, 7);
	ck_assert_uint_eq(ask(0x2000, 33, true, 0).len, 7);
	/* A buffer that is not a text is returned with its last byte. */
	ck_assert_uint_eq(ask(0x1000, 33, false, 33).len, 7);
	memory_reads_end(&seen);
}
END_TEST

/* A struct that is read member by member, and an array that continues beyond the copied bytes. */
START_TEST(adjacent_reads_are_one_area)
{
	chunks_add(&chunks, 0x1000, "0123456789abcdef", 16, 0, BYTES_KERNEL);
	memory_reads_begin(&seen, chunks_bytes(&chunks));
	ask(0x1008, 8, false, 8);
	ask(0x5000, 4, false, 4);
	ask(0x1000, 8, false, 8);
	ask(0x1010, 8, false, 8);
	memory_reads_end(&seen);
	ck_assert_uint_eq(seen.count, 2);
	area_is(0, 0x1000, 24, "0123456789abcdef");
	area_is(1, 0x5000, 4, "");
}
END_TEST

START_TEST(bytes_read_twice_are_recorded_once)
{
	chunks_add(&chunks, 0x1000, "0123456789abcdef", 16, 0, BYTES_KERNEL);
	memory_reads_begin(&seen, chunks_bytes(&chunks));
	ask(0x1000, 4, false, 4);
	ask(0x1000, 16, false, 16);
	ask(0x1004, 4, false, 4);
	memory_reads_end(&seen);
	ck_assert_uint_eq(seen.count, 1);
	area_is(0, 0x1000, 16, "0123456789abcdef");
}
END_TEST

/* Request as many bytes as the decoder does for an array whose end it does not know. */
START_TEST(unknown_bytes_leave_the_known_ones)
{
	chunks_add(&chunks, 0x1000, "0123456789abcdef", 16, 0, BYTES_KERNEL);
	memory_reads_begin(&seen, chunks_bytes(&chunks));
	ask(0x1000, 512, false, 0);
	ask(0x1010, 512, false, 0);
	memory_reads_end(&seen);
	ck_assert_uint_eq(seen.count, 1);
	area_is(0, 0x1000, 16, "0123456789abcdef");
}
END_TEST

START_TEST(moments_and_origins_are_kept_apart)
{
	struct bytes_ask at_exit = { 0x1000, 4, 0, BYTES_AT_EXIT, false, 0 };
	struct bytes_answer answer;
	char to[16];

	chunks_add(&chunks, 0x1000, "0123", 4, 0, BYTES_KERNEL);
	chunks_add(&chunks, 0x1000, "4567", 4, CAPTURE_AT_EXIT, BYTES_KERNEL);
	chunks_add(&chunks, 0x1004, "89ab", 4, 0, BYTES_LATE);
	memory_reads_begin(&seen, chunks_bytes(&chunks));
	ask(0x1000, 4, false, 0);
	seen.provider.read(seen.provider.ctx, NULL, &at_exit, to, &answer);
	ask(0x1004, 4, false, 0);
	memory_reads_end(&seen);
	ck_assert_uint_eq(seen.count, 3);
	area_is(0, 0x1000, 4, "0123");
	area_is(1, 0x1000, 4, "4567");
	area_is(2, 0x1004, 4, "89ab");
	ck_assert_int_eq(seen.areas[2].origin, BYTES_LATE);
}
END_TEST

START_TEST(areas_and_bytes_are_bounded)
{
	char big[4000];

	memset(big, 'x', sizeof(big));
	chunks_add(&chunks, 0x10000, big, sizeof(big), 0, BYTES_KERNEL);
	memory_reads_begin(&seen, chunks_bytes(&chunks));
	for (int i = 0; i < 1000; i++)
		ck_assert_uint_eq(ask(0x10000 + (uint64_t)(i % 100), 3000, false, 0).len, 3000);
	memory_reads_end(&seen);
	ck_assert(seen.overflowed);
	ck_assert_uint_le(seen.count, MEMORY_READS_AREAS);
	memory_reads_begin(&seen, NULL);
	for (int i = 0; i < 1000; i++)
		ask((uint64_t)i * 100, 1, false, 0);
	memory_reads_end(&seen);
	ck_assert(seen.overflowed);
	ck_assert_uint_eq(seen.count, MEMORY_READS_AREAS);
}
END_TEST

Suite *suite_memory_reads(void);

Suite *suite_memory_reads(void)
{
	Suite *suite = suite_create("memory_reads");
	TCase *tcase = tcase_create("memory_reads");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_cut_buffer_has_its_whole_length);
	tcase_add_test(tcase, a_text_without_a_nul_has_no_known_end);
	tcase_add_test(tcase, a_truncated_text_is_cut_as_in_its_row);
	tcase_add_test(tcase, adjacent_reads_are_one_area);
	tcase_add_test(tcase, bytes_read_twice_are_recorded_once);
	tcase_add_test(tcase, unknown_bytes_leave_the_known_ones);
	tcase_add_test(tcase, moments_and_origins_are_kept_apart);
	tcase_add_test(tcase, areas_and_bytes_are_bounded);
	suite_add_tcase(suite, tcase);
	return suite;
}
