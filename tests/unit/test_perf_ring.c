#include "engine/source/perf/perf_ring.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

#define RING_BYTES 4096

/* A ring buffer as the kernel maps it. */
struct fabricated {
	struct perf_event_mmap_page page;
	_Alignas(8) unsigned char data[RING_BYTES];
	struct perf_ring ring;
};

static void fabricate(struct fabricated *f, uint64_t start)
{
	memset(f, 0, sizeof(*f));
	f->page.data_head = f->page.data_tail = start;
	perf_ring_init(&f->ring, &f->page, f->data, RING_BYTES);
}

/* Write as the kernel does, wrapping at the end; every byte of the body is `mark`. */
static void write_record(struct fabricated *f, uint16_t size, unsigned char mark)
{
	unsigned char bytes[RING_BYTES];
	struct perf_event_header header = { .type = mark, .size = size };

	memset(bytes, mark, size);
	memcpy(bytes, &header, sizeof(header));
	for (uint16_t i = 0; i < size; i++)
		f->data[(f->page.data_head + i) % RING_BYTES] = bytes[i];
	f->page.data_head += size;
}

static void expect_record(struct fabricated *f, uint16_t size, unsigned char mark)
{
	const struct perf_event_header *header = perf_ring_peek(&f->ring);
	const unsigned char *body = (const unsigned char *)(header + 1);

	ck_assert_ptr_nonnull(header);
	ck_assert_uint_eq(header->size, size);
	ck_assert_uint_eq(header->type, mark);
	for (size_t i = 0; i < size - sizeof(*header); i++)
		ck_assert_msg(body[i] == mark, "byte %zu of record %u", i, mark);
	perf_ring_advance(&f->ring, header);
}

START_TEST(ring_looks_empty_before_a_refresh)
{
	struct fabricated f;

	fabricate(&f, 0);
	ck_assert_ptr_null(perf_ring_peek(&f.ring));
	write_record(&f, 16, 1);
	ck_assert_ptr_null(perf_ring_peek(&f.ring));
	perf_ring_refresh(&f.ring);
	expect_record(&f, 16, 1);
	ck_assert_ptr_null(perf_ring_peek(&f.ring));
	perf_ring_release(&f.ring);
}
END_TEST

START_TEST(records_wrap_at_every_place)
{
	/* The first record begins at each of the last eight words in turn; six times, it wraps. */
	for (uint64_t start = RING_BYTES - 64; start < RING_BYTES; start += 8) {
		struct fabricated f;

		fabricate(&f, 5 * RING_BYTES + start);
		write_record(&f, 56, 1);
		write_record(&f, 8, 2);
		write_record(&f, 64, 3);
		perf_ring_refresh(&f.ring);
		expect_record(&f, 56, 1);
		expect_record(&f, 8, 2);
		expect_record(&f, 64, 3);
		ck_assert_ptr_null(perf_ring_peek(&f.ring));
		perf_ring_commit(&f.ring);
		ck_assert_uint_eq(f.page.data_tail, f.page.data_head);
		ck_assert_uint_eq(f.ring.malformed, 0);
		perf_ring_release(&f.ring);
	}
}
END_TEST

START_TEST(a_full_ring_is_read_whole)
{
	struct fabricated f;

	fabricate(&f, 24);
	for (int i = 0; i < RING_BYTES / 32; i++)
		write_record(&f, 32, (unsigned char)i);
	perf_ring_refresh(&f.ring);
	for (int i = 0; i < RING_BYTES / 32; i++)
		expect_record(&f, 32, (unsigned char)i);
	ck_assert_uint_eq(f.ring.malformed, 0);
	perf_ring_release(&f.ring);
}
END_TEST

START_TEST(space_is_released_while_draining)
{
	struct fabricated f;

	fabricate(&f, 0);
	for (int i = 0; i < RING_BYTES / 32; i++)
		write_record(&f, 32, 7);
	perf_ring_refresh(&f.ring);
	for (int i = 0; i < RING_BYTES / 64; i++)
		expect_record(&f, 32, 7);
	ck_assert_uint_ge(f.page.data_tail, RING_BYTES / 4);
	perf_ring_release(&f.ring);
}
END_TEST

START_TEST(an_impossible_size_skips_to_the_head)
{
	static const uint16_t sizes[] = { 0, 4, 7, 9, 12, 4096 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct fabricated f;

		fabricate(&f, 0);
		write_record(&f, 32, 1);
		write_record(&f, 32, 2);
		((struct perf_event_header *)(void *)f.data)->size = sizes[i];
		perf_ring_refresh(&f.ring);
		ck_assert_msg(!perf_ring_peek(&f.ring), "size %u", sizes[i]);
		ck_assert_uint_eq(f.ring.malformed, 1);
		write_record(&f, 32, 3);
		perf_ring_refresh(&f.ring);
		expect_record(&f, 32, 3);
		perf_ring_release(&f.ring);
	}
}
END_TEST

START_TEST(a_record_cut_by_the_head_is_malformed)
{
	struct fabricated f;

	fabricate(&f, RING_BYTES - 16);
	write_record(&f, 64, 1);
	f.page.data_head -= 8;
	perf_ring_refresh(&f.ring);
	ck_assert_ptr_null(perf_ring_peek(&f.ring));
	ck_assert_uint_eq(f.ring.malformed, 1);
	perf_ring_release(&f.ring);
}
END_TEST

START_TEST(head_out_of_reach_resets_the_ring)
{
	struct fabricated f;

	fabricate(&f, 0);
	f.page.data_head = 3 * RING_BYTES;
	perf_ring_refresh(&f.ring);
	ck_assert_ptr_null(perf_ring_peek(&f.ring));
	ck_assert_uint_eq(f.ring.malformed, 1);
	write_record(&f, 16, 4);
	perf_ring_refresh(&f.ring);
	expect_record(&f, 16, 4);
	perf_ring_release(&f.ring);
}
END_TEST

Suite *suite_perf_ring(void);
Suite *suite_perf_ring(void)
{
	Suite *suite = suite_create("perf_ring");
	TCase *tc = tcase_create("perf_ring");

	tcase_add_test(tc, ring_looks_empty_before_a_refresh);
	tcase_add_test(tc, records_wrap_at_every_place);
	tcase_add_test(tc, a_full_ring_is_read_whole);
	tcase_add_test(tc, space_is_released_while_draining);
	tcase_add_test(tc, an_impossible_size_skips_to_the_head);
	tcase_add_test(tc, a_record_cut_by_the_head_is_malformed);
	tcase_add_test(tc, head_out_of_reach_resets_the_ring);
	suite_add_tcase(suite, tc);
	return suite;
}
