#include "tests/unit/runner.h"

#include "engine/recording/read/perfdata_time_index.h"

#include <string.h>

#define PIECE PERFDATA_TIME_INDEX_PIECE_MIN

static void add(struct perfdata_time_index *index, uint64_t at, uint64_t time_ns, bool side)
{
	perfdata_time_index_add(
		index, &(struct perfdata_record_info){
			       .at = at, .time_ns = time_ns, .side = side, .entry = true });
}

/* Add one record per piece; that of piece 2 is a side record. */
static void add_pieces(struct perfdata_time_index *index, const uint64_t *times, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add(index, i * PIECE, times[i], i == 2);
}

START_TEST(pieces_in_front_of_a_found_time_are_older)
{
	static const uint64_t times[] = { 10, 20, 30, 40 };
	struct perfdata_time_index index;

	perfdata_time_index_init(&index, 4 * PIECE);
	add_pieces(&index, times, 4);
	index.whole = true;
	ck_assert_uint_eq(index.count, 4);
	ck_assert_uint_eq(perfdata_time_index_find(&index, 5), 0);
	ck_assert_uint_eq(perfdata_time_index_find(&index, 10), 0);
	ck_assert_uint_eq(perfdata_time_index_find(&index, 11), 1);
	ck_assert_uint_eq(perfdata_time_index_find(&index, 30), 2);
	ck_assert_uint_eq(perfdata_time_index_find(&index, 31), 3);
	ck_assert_uint_eq(perfdata_time_index_find(&index, UINT64_MAX), 3);
	ck_assert_uint_eq(perfdata_time_index_find_before(&index, 31, PIECE), 2);
	ck_assert_uint_eq(perfdata_time_index_find_before(&index, 31, 100 * PIECE), 0);
	ck_assert(index.pieces[2].side && !index.pieces[1].side);
	perfdata_time_index_release(&index);
}
END_TEST

/* Whatever the times, no record at or after the requested time precedes the found piece. */
START_TEST(wrong_times_never_skip_records)
{
	static const uint64_t times[][6] = {
		{ 10, UINT64_MAX, 30, 40, 50, 60 },
		{ 60, 50, 40, 30, 20, 10 },
		{ 0, 0, 0, 0, 0, 0 },
		{ 10, 1, 1, 1, 50, 1 },
		{ 5, 5, 5, 5, 5, 5 },
		{ UINT64_MAX, 0, UINT64_MAX, 1, 2, 3 },
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		struct perfdata_time_index index;

		perfdata_time_index_init(&index, 6 * PIECE);
		add_pieces(&index, times[i], 6);
		index.whole = true;
		for (uint64_t time_ns = 0; time_ns <= 70; time_ns++) {
			size_t at = perfdata_time_index_find(&index, time_ns);

			ck_assert_uint_lt(at, 6);
			for (size_t j = 0; j < at; j++)
				ck_assert_msg(times[i][j] < time_ns, "case %zu, time %d", i,
					      (int)time_ns);
		}
		perfdata_time_index_release(&index);
	}
}
END_TEST

START_TEST(a_partial_index_reaches_only_final_results)
{
	static const uint64_t times[] = { 10, 20, 30 };
	struct perfdata_time_index index;

	perfdata_time_index_init(&index, 100 * PIECE);
	ck_assert(!perfdata_time_index_reaches(&index, 1));
	add_pieces(&index, times, 3);
	ck_assert(perfdata_time_index_reaches(&index, 20));
	ck_assert(!perfdata_time_index_reaches(&index, 21));
	ck_assert(!perfdata_time_index_reaches(&index, 30));
	index.whole = true;
	ck_assert(perfdata_time_index_reaches(&index, 1000));
	perfdata_time_index_release(&index);
}
END_TEST

START_TEST(pieces_are_bounded_for_a_file_of_unknown_size)
{
	struct perfdata_time_index index;
	uint64_t records = 0;
	const size_t count = 3 * PERFDATA_TIME_INDEX_PIECES_MAX + 7;

	perfdata_time_index_init(&index, 0);
	for (size_t i = 0; i < count; i++)
		add(&index, i * PIECE, i + 1, false);
	index.whole = true;
	ck_assert_uint_le(index.count, PERFDATA_TIME_INDEX_PIECES_MAX);
	ck_assert_uint_gt(index.count, PERFDATA_TIME_INDEX_PIECES_MAX / 4);
	for (size_t i = 0; i < index.count; i++) {
		records += index.pieces[i].records;
		ck_assert(!i || index.pieces[i].at > index.pieces[i - 1].at);
		ck_assert(!i || index.pieces[i].before_ns == index.pieces[i - 1].newest_ns);
	}
	ck_assert_uint_eq(records, count);
	perfdata_time_index_release(&index);
}
END_TEST

START_TEST(a_large_file_starts_with_large_pieces)
{
	struct perfdata_time_index index;

	perfdata_time_index_init(&index, UINT64_MAX);
	ck_assert_uint_gt(index.piece_bytes, UINT64_MAX / PERFDATA_TIME_INDEX_PIECES_MAX / 2);
	perfdata_time_index_init(&index, (uint64_t)10 << 30);
	ck_assert_uint_lt(((uint64_t)10 << 30) / index.piece_bytes, PERFDATA_TIME_INDEX_PIECES_MAX);
	perfdata_time_index_release(&index);
}
END_TEST

START_TEST(records_are_spread_over_the_times_of_their_pieces)
{
	struct perfdata_time_index index;
	uint32_t records[10] = { 0 };
	uint64_t sum = 0;

	perfdata_time_index_init(&index, 0);
	for (int i = 0; i < 1000; i++)
		add(&index, 0, 1000 + (uint64_t)i, false);
	perfdata_time_index_density(&index, 1000, 2000, records, 10);
	for (int i = 0; i < 10; i++) {
		sum += records[i];
		ck_assert_uint_ge(records[i], 99);
		ck_assert_uint_le(records[i], 101);
	}
	ck_assert_uint_eq(sum, 1000);
	memset(records, 0, sizeof(records));
	perfdata_time_index_density(&index, 0, 20000, records, 10);
	ck_assert_uint_eq(records[0], 1000);
	memset(records, 0, sizeof(records));
	perfdata_time_index_density(&index, 5000, 6000, records, 10);
	for (int i = 0; i < 10; i++)
		ck_assert_uint_eq(records[i], 0);
	add(&index, PIECE, UINT64_MAX, false);
	perfdata_time_index_density(&index, 0, UINT64_MAX, records, 10);
	perfdata_time_index_density(&index, 5, 5, records, 10);
	perfdata_time_index_density(&index, 0, 100, records, 0);
	perfdata_time_index_release(&index);
}
END_TEST

Suite *suite_perfdata_time_index(void);
Suite *suite_perfdata_time_index(void)
{
	Suite *suite = suite_create("perfdata_time_index");
	TCase *tcase = tcase_create("perfdata_time_index");

	tcase_add_test(tcase, pieces_in_front_of_a_found_time_are_older);
	tcase_add_test(tcase, wrong_times_never_skip_records);
	tcase_add_test(tcase, a_partial_index_reaches_only_final_results);
	tcase_add_test(tcase, pieces_are_bounded_for_a_file_of_unknown_size);
	tcase_add_test(tcase, a_large_file_starts_with_large_pieces);
	tcase_add_test(tcase, records_are_spread_over_the_times_of_their_pieces);
	suite_add_tcase(suite, tcase);
	return suite;
}
