#include "engine/recording/perfdata_order.h"

#include "engine/recording/perfdata_blocks.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

/* A record with its time and its ordinal. */
struct small {
	struct perf_event_header header;
	uint64_t time_ns, number;
};

static void add(struct perfdata_order *order, uint64_t time_ns, uint64_t number)
{
	const struct small small = {
		.header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(small) },
		.time_ns = time_ns,
		.number = number,
	};

	perfdata_order_add(order, &small.header, time_ns);
}

static struct small next(struct perfdata_order *order)
{
	const struct perf_event_header *header = perfdata_order_next(order);
	struct small small = { .number = UINT64_MAX };

	if (header)
		memcpy(&small, header, sizeof(small));
	return small;
}

/* Records up to the newest one of the previous round are released; equal times keep their order. */
START_TEST(a_round_releases_the_records_of_the_previous_one)
{
	struct perfdata_order *order = perfdata_order_new();
	static const uint64_t first[] = { 30, 40, 10, 20, 40 },
			      reported[] = { 10, 20, 25, 30, 40, 40 };

	for (size_t i = 0; i < 5; i++)
		add(order, first[i], i);
	ck_assert_ptr_null(perfdata_order_next(order));
	perfdata_order_round(order);
	ck_assert(!perfdata_order_is_ready(order));
	add(order, 25, 5);
	add(order, 50, 6);
	perfdata_order_round(order);
	ck_assert(perfdata_order_is_ready(order));
	for (size_t i = 0; i < 6; i++)
		ck_assert_uint_eq(next(order).time_ns, reported[i]);
	ck_assert_ptr_null(perfdata_order_next(order));
	add(order, 50, 7);
	perfdata_order_end(order);
	ck_assert_uint_eq(next(order).number, 6);
	ck_assert_uint_eq(next(order).number, 7);
	ck_assert_ptr_null(perfdata_order_next(order));
	perfdata_order_free(order);
}
END_TEST

/* Many rings, rounds of any size: every record is released once, intact and in order. */
START_TEST(many_records_are_released_in_order)
{
	struct perfdata_order *order = perfdata_order_new();
	uint64_t added = 0, reported = 0, last_ns = 0, sum = 0;
	unsigned seed = 1;

	for (uint64_t round = 1; round <= 300; round++) {
		unsigned rings = 1 + (unsigned)rand_r(&seed) % 8;

		for (unsigned ring = 0; ring < rings; ring++) {
			uint64_t time_ns = round * 1000;

			for (int i = rand_r(&seed) % 300; i > 0; i--) {
				time_ns += (uint64_t)rand_r(&seed) % 4;
				add(order, time_ns, added);
				sum += added++;
			}
		}
		if (round < 300)
			perfdata_order_round(order);
		else
			perfdata_order_end(order);
		while (perfdata_order_is_ready(order)) {
			struct small small = next(order);

			ck_assert_uint_ge(small.time_ns, last_ns);
			last_ns = small.time_ns;
			sum -= small.number;
			reported++;
		}
	}
	ck_assert_uint_eq(reported, added);
	ck_assert_uint_eq(sum, 0);
	add(order, 1, 1);
	perfdata_order_free(order);
}
END_TEST

/* Without rounds, the pending records are bounded. */
START_TEST(without_rounds_pending_records_are_bounded)
{
	struct perfdata_order *order = perfdata_order_new();
	const size_t size = UINT16_MAX / 8 * 8;
	struct perf_event_header *large = calloc(1, size);
	size_t added = 0, reported = 0;

	large->size = (uint16_t)size;
	for (size_t bytes = 0; bytes < PERFDATA_ORDER_BYTES_MAX * 2; bytes += size) {
		perfdata_order_add(order, large, added++);
		while (perfdata_order_next(order))
			reported++;
		ck_assert_uint_le((added - reported) * size, PERFDATA_ORDER_BYTES_MAX + size);
	}
	ck_assert_uint_gt(reported, 0);
	perfdata_order_end(order);
	while (perfdata_order_next(order))
		reported++;
	ck_assert_uint_eq(reported, added);
	perfdata_order_free(order);
	free(large);
}
END_TEST

/* Store `count` records in new blocks, `each` records in one block. */
static void keep(struct perfdata_order *order, struct perfdata_blocks *blocks, size_t count,
		 size_t each)
{
	struct perf_block *block = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct small small = {
			.header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(small) },
			/* Two ascending runs, interleaved. */
			.time_ns = i % 2 ? i : count / 2 + i,
			.number = i,
		};

		if (i % each == 0) {
			if (block)
				perf_block_filled(block);
			block = perfdata_blocks_take(blocks);
		}
		memcpy((char *)block + block->used, &small, sizeof(small));
		perfdata_order_store(order, (const void *)((char *)block + block->used),
				     small.time_ns);
		block->used += sizeof(small);
	}
	perf_block_filled(block);
}

/* Records that stay in their blocks are released like copies, and their blocks after them. */
START_TEST(stored_records_release_their_blocks)
{
	struct perfdata_order *order = perfdata_order_new();
	struct perfdata_blocks blocks = { NULL, 0, 0 };
	uint64_t before_ns = 0;
	bool seen[4000] = { false };

	keep(order, &blocks, 4000, 500);
	ck_assert_uint_eq(blocks.count, 8);
	perfdata_order_end(order);
	for (size_t i = 0; i < 4000; i++) {
		struct small small = next(order);

		ck_assert_uint_lt(small.number, 4000);
		ck_assert(!seen[small.number]);
		seen[small.number] = true;
		ck_assert_uint_ge(small.time_ns, before_ns);
		before_ns = small.time_ns;
	}
	ck_assert_ptr_null(perfdata_order_next(order));
	ck_assert_uint_eq(blocks.count, 0);
	keep(order, &blocks, 1000, 500);
	perfdata_order_clear(order);
	ck_assert_uint_eq(blocks.count, 0);
	perfdata_order_free(order);
	perfdata_blocks_release(&blocks);
}
END_TEST

/* Records of nearly empty blocks are copied, so that few blocks stay. */
START_TEST(records_alone_in_their_block_are_copied)
{
	struct perfdata_order *order = perfdata_order_new();
	struct perfdata_blocks blocks = { NULL, 0, 0 };

	keep(order, &blocks, 300, 1);
	ck_assert_uint_lt(blocks.count, 40);
	perfdata_order_end(order);
	for (size_t i = 0; i < 300; i++)
		ck_assert_uint_lt(next(order).number, 300);
	ck_assert_ptr_null(perfdata_order_next(order));
	ck_assert_uint_eq(blocks.count, 0);
	perfdata_order_free(order);
	perfdata_blocks_release(&blocks);
}
END_TEST

Suite *suite_perfdata_order(void);
Suite *suite_perfdata_order(void)
{
	Suite *suite = suite_create("perfdata_order");
	TCase *tcase = tcase_create("perfdata_order");

	tcase_add_test(tcase, a_round_releases_the_records_of_the_previous_one);
	tcase_add_test(tcase, many_records_are_released_in_order);
	tcase_add_test(tcase, without_rounds_pending_records_are_bounded);
	tcase_add_test(tcase, stored_records_release_their_blocks);
	tcase_add_test(tcase, records_alone_in_their_block_are_copied);
	suite_add_tcase(suite, tcase);
	return suite;
}
