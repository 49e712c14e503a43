#include "engine/source/bpf/bpf_ring.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

#define RING_BYTES 4096
#define KEY 0x8123456789abcdefULL

/* A ring as the kernel maps it. */
struct fabricated {
	struct bpf_cpu cpu;
	_Alignas(8) unsigned char data[RING_BYTES + BPF_RECORD_BYTES_MAX];
	struct bpf_ring ring;
};

static struct fabricated *fabricate(uint64_t start)
{
	struct fabricated *f = aligned_alloc(64, (sizeof(*f) + 63) / 64 * 64);

	memset(f, 0, sizeof(*f));
	f->cpu.reserved = f->cpu.consumed = start;
	bpf_ring_init(&f->ring, &f->cpu, f->data, RING_BYTES, KEY);
	return f;
}

/* Reserve room before the contents are written, as BPF programs do. */
static struct bpf_record *reserve(struct fabricated *f, uint16_t bytes, uint64_t *position)
{
	struct bpf_record *emit = (void *)(f->data + f->cpu.reserved % RING_BYTES);

	*position = f->cpu.reserved;
	f->cpu.reserved += bytes;
	return emit;
}

static void write_emit(struct fabricated *f, uint16_t bytes, uint32_t tid)
{
	uint64_t position;
	struct bpf_record *emit = reserve(f, bytes, &position);

	memset(emit, 0x5a, bytes);
	emit->tid = tid;
	emit->bytes = bytes;
	emit->mark = BPF_MARK(position, KEY);
}

static void expect_emit(struct fabricated *f, uint16_t bytes, uint32_t tid)
{
	const struct bpf_record *emit = bpf_ring_peek(&f->ring);

	ck_assert_ptr_nonnull(emit);
	ck_assert_uint_eq(emit->bytes, bytes);
	ck_assert_uint_eq(emit->tid, tid);
	bpf_ring_advance(&f->ring, emit);
}

START_TEST(ring_looks_empty_before_a_refresh)
{
	struct fabricated *f = fabricate(0);

	ck_assert_ptr_null(bpf_ring_peek(&f->ring));
	write_emit(f, sizeof(struct bpf_record), 1);
	ck_assert_ptr_null(bpf_ring_peek(&f->ring));
	ck_assert_uint_eq(bpf_ring_waiting(&f->ring), sizeof(struct bpf_record));
	bpf_ring_refresh(&f->ring);
	expect_emit(f, sizeof(struct bpf_record), 1);
	ck_assert_ptr_null(bpf_ring_peek(&f->ring));
	free(f);
}
END_TEST

START_TEST(a_record_that_is_being_written_holds_up_the_next)
{
	struct fabricated *f = fabricate(0);
	struct bpf_record *unfinished;
	uint64_t position;

	unfinished = reserve(f, sizeof(*unfinished), &position);
	write_emit(f, sizeof(struct bpf_record), 2);
	bpf_ring_refresh(&f->ring);
	ck_assert_ptr_null(bpf_ring_peek(&f->ring));
	unfinished->tid = 1;
	unfinished->bytes = sizeof(*unfinished);
	unfinished->mark = BPF_MARK(position, KEY);
	expect_emit(f, sizeof(*unfinished), 1);
	expect_emit(f, sizeof(*unfinished), 2);
	free(f);
}
END_TEST

/* Many rounds, so that records of several sizes begin at every offset and cross the end. */
START_TEST(records_wrap_at_every_place)
{
	struct fabricated *f = fabricate((1ULL << 32) - 5 * RING_BYTES);
	uint32_t written = 0, read = 0;

	for (unsigned round = 0; round < 2000; round++) {
		while (bpf_ring_waiting(&f->ring) < RING_BYTES - 512)
			write_emit(f, (uint16_t)(sizeof(struct bpf_record) + written % 7 * 8),
				   written),
				written++;
		bpf_ring_refresh(&f->ring);
		for (unsigned i = 0; i < 1 + round % 11 && read < written; i++, read++)
			expect_emit(f, (uint16_t)(sizeof(struct bpf_record) + read % 7 * 8), read);
		bpf_ring_commit(&f->ring);
		ck_assert_uint_eq(f->cpu.consumed, f->ring.cursor);
	}
	ck_assert_uint_gt(read, 10000);
	ck_assert_uint_eq(f->ring.malformed, 0);
	free(f);
}
END_TEST

/* Stale data where the next record will be is not a record. */
START_TEST(marks_of_another_key_do_not_count)
{
	struct fabricated *f = fabricate(0);
	uint64_t position;
	struct bpf_record *emit = reserve(f, sizeof(*emit), &position);

	emit->bytes = sizeof(*emit);
	emit->mark = BPF_MARK(position, KEY + 1);
	bpf_ring_refresh(&f->ring);
	ck_assert_ptr_null(bpf_ring_peek(&f->ring));
	emit->mark = BPF_MARK(position, KEY);
	ck_assert_ptr_eq(bpf_ring_peek(&f->ring), emit);
	free(f);
}
END_TEST

START_TEST(marks_of_the_last_lap_do_not_count)
{
	struct fabricated *f = fabricate(0);
	uint64_t position;

	for (int i = 0; i < RING_BYTES / 128; i++)
		write_emit(f, 128, 1);
	bpf_ring_refresh(&f->ring);
	for (int i = 0; i < RING_BYTES / 128; i++)
		expect_emit(f, 128, 1);
	bpf_ring_commit(&f->ring);
	reserve(f, 128, &position);
	bpf_ring_refresh(&f->ring);
	ck_assert_ptr_null(bpf_ring_peek(&f->ring));
	free(f);
}
END_TEST

START_TEST(space_is_released_while_draining)
{
	struct fabricated *f = fabricate(0);

	for (int i = 0; i < RING_BYTES / 128; i++)
		write_emit(f, 128, 1);
	bpf_ring_refresh(&f->ring);
	for (int i = 0; i < RING_BYTES / 256; i++)
		expect_emit(f, 128, 1);
	ck_assert_uint_gt(f->cpu.consumed, RING_BYTES / 4);
	free(f);
}
END_TEST

START_TEST(impossible_sizes_skip_to_the_head)
{
	static const uint16_t sizes[] = { 0,
					  8,
					  sizeof(struct bpf_record) - 8,
					  sizeof(struct bpf_record) + 1,
					  BPF_RECORD_BYTES_MAX + 8,
					  65528,
					  256 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct fabricated *f = fabricate(0);

		write_emit(f, 128, 1);
		((struct bpf_record *)f->data)->bytes = sizes[i];
		bpf_ring_refresh(&f->ring);
		ck_assert_msg(!bpf_ring_peek(&f->ring), "%u bytes", sizes[i]);
		ck_assert_uint_eq(f->ring.malformed, 1);
		write_emit(f, 128, 2);
		bpf_ring_refresh(&f->ring);
		expect_emit(f, 128, 2);
		free(f);
	}
}
END_TEST

START_TEST(head_out_of_reach_resets_the_ring)
{
	struct fabricated *f = fabricate(0);

	f->cpu.reserved = 10 * RING_BYTES;
	bpf_ring_refresh(&f->ring);
	ck_assert_ptr_null(bpf_ring_peek(&f->ring));
	ck_assert_uint_eq(f->ring.malformed, 1);
	write_emit(f, 128, 3);
	bpf_ring_refresh(&f->ring);
	expect_emit(f, 128, 3);
	free(f);
}
END_TEST

Suite *suite_bpf_ring(void);
Suite *suite_bpf_ring(void)
{
	Suite *suite = suite_create("bpf_ring");
	TCase *tc = tcase_create("fabricated");

	tcase_add_test(tc, ring_looks_empty_before_a_refresh);
	tcase_add_test(tc, a_record_that_is_being_written_holds_up_the_next);
	tcase_add_test(tc, records_wrap_at_every_place);
	tcase_add_test(tc, marks_of_another_key_do_not_count);
	tcase_add_test(tc, marks_of_the_last_lap_do_not_count);
	tcase_add_test(tc, space_is_released_while_draining);
	tcase_add_test(tc, impossible_sizes_skip_to_the_head);
	tcase_add_test(tc, head_out_of_reach_resets_the_ring);
	suite_add_tcase(suite, tc);
	return suite;
}
