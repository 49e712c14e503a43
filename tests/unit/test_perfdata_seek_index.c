/* The seek index of a file is the same whether its writer or a scan builds it. */
#include "engine/recording/read/perfdata_seek_index.h"

#include "engine/base/mem.h"
#include "engine/recorder/perfdata_writer.h"
#include "engine/recording/perfdata_encode.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/read/perfdata_scan.h"
#include "engine/recording/read/perfdata_seek_index_bytes.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MB ((uint64_t)1 << 20)
#define PUTS 300
#define CALLS 400 /* calls per put */

static const char *const argv[] = { "stxtop", "-o", "file", NULL };
static struct perfdata_machine machine;
static char path[TEMPORARY_PATH_MAX];

static void setup(void)
{
	int fd = temporary_file(path, "seek-index");

	close(fd);
	perfdata_machine_read(&machine);
}

static void teardown(void)
{
	unlink(path);
	perfdata_machine_release(&machine);
}

/* -- Records of a file too large for a test ---------------------------------------------------- */

static void look(struct perfdata_seek_index *seek_index, uint64_t at, enum perf_step step,
		 uint32_t tid)
{
	perfdata_seek_index_add(seek_index,
				&(struct perfdata_record_info){ .at = at,
								.time_ns = 1 + at / 1024,
								.entry = true,
								.step = step,
								.tid = tid });
}

static void look_until(struct perfdata_seek_index *seek_index, uint64_t from, uint64_t until)
{
	for (uint64_t at = from; at < until; at += 16384)
		look(seek_index, at, PERF_STEP_NONE, 0);
}

/* Index 300 MB. One call, whose records begin at byte 64, is in flight until 250 MB. */
static void seek_index_large(struct perfdata_seek_index *seek_index)
{
	perfdata_seek_index_init(seek_index, 300 * MB);
	perfdata_seek_index_add(seek_index,
				&(struct perfdata_record_info){ .side = true, .entry = true });
	look(seek_index, 64, PERF_STEP_BEFORE, 0);
	look(seek_index, 128, PERF_STEP_BEGINS, 7);
	look(seek_index, 192, PERF_STEP_BEFORE, 0);
	look(seek_index, 256, PERF_STEP_GOES_ON, 9);
	look_until(seek_index, 16384, 30 * MB);
	look(seek_index, 30 * MB, PERF_STEP_GOES_ON, 7);
	look_until(seek_index, 30 * MB + 16384, 250 * MB);
	look(seek_index, 250 * MB, PERF_STEP_ENDS, 7);
	look_until(seek_index, 250 * MB + 16384, 300 * MB);
	seek_index->index.whole = true;
}

static void seek_release(struct perfdata_file_seek *seek)
{
	free(seek->stretches);
	free(seek->places);
}

START_TEST(calls_in_flight_are_read_from_their_enter)
{
	struct perfdata_seek_index seek_index;
	struct perfdata_file_seek seek;

	seek_index_large(&seek_index);
	ck_assert(perfdata_seek_index_find(&seek_index, 200 * MB / 1024, &seek));
	ck_assert_uint_le(seek.at, 200 * MB - PERFDATA_SEEK_INDEX_LOOK_BACK);
	ck_assert_uint_gt(seek.at, 199 * MB - PERFDATA_SEEK_INDEX_LOOK_BACK);
	/* The call's arguments, its enter, and a later record of its thread. */
	ck_assert_uint_eq(seek.place_count, 3);
	ck_assert_uint_eq(place_at(seek.places[0]), 64);
	ck_assert_uint_eq(place_at(seek.places[1]), 128);
	ck_assert_uint_eq(place_at(seek.places[2]), 30 * MB);
	ck_assert_uint_eq(seek.stretch_count, 2);
	ck_assert_uint_eq(seek.stretches[0].begin, 0);
	ck_assert_uint_lt(seek.stretches[0].end, MB);
	ck_assert_uint_le(seek.stretches[1].begin, 30 * MB);
	ck_assert_uint_gt(seek.stretches[1].end, 30 * MB);
	ck_assert_uint_lt(seek.stretches[1].end, 31 * MB);
	ck_assert(!seek.incomplete);
	seek_release(&seek);
	/* After its end, the call is not in flight. */
	ck_assert(perfdata_seek_index_find(&seek_index, 299 * MB / 1024, &seek));
	ck_assert_uint_eq(seek.place_count, 0);
	ck_assert_uint_eq(seek.stretch_count, 1);
	seek_release(&seek);
	perfdata_seek_index_release(&seek_index);
}
END_TEST

START_TEST(compressed_files_are_read_from_a_frame_start)
{
	struct perfdata_seek_index seek_index;
	struct perfdata_file_seek seek;

	perfdata_seek_index_init(&seek_index, 100 * MB);
	for (uint64_t i = 0; i < 1600; i++)
		perfdata_seek_index_add(&seek_index,
					&(struct perfdata_record_info){
						.at = i * 65536,
						.which = 1,
						.time_ns = 10 + i,
						.packed = true,
						.entry = i % 16 == 0,
						.step = i == 40 ? PERF_STEP_BEGINS : PERF_STEP_NONE,
						.tid = 7 });
	seek_index.index.whole = true;
	ck_assert(perfdata_seek_index_find(&seek_index, 10 + 1000, &seek));
	ck_assert_uint_le(seek.at, 1000 * 65536 - PERFDATA_SEEK_INDEX_LOOK_BACK_PACKED);
	ck_assert_uint_eq(seek.place_count, 1);
	ck_assert_uint_eq(seek.places[0], place_of(40 * 65536, 1));
	ck_assert_uint_eq(seek.stretch_count, 2);
	ck_assert_uint_eq(seek.stretches[0].begin, 32 * 65536);
	ck_assert_uint_eq(seek.stretches[0].end, 41 * 65536);
	ck_assert_uint_eq(seek.stretches[1].begin % (16 * 65536), 0);
	ck_assert_uint_eq(seek.stretches[1].end, seek.at);
	seek_release(&seek);
	perfdata_seek_index_release(&seek_index);
}
END_TEST

/* -- As bytes ---------------------------------------------------------------------------------- */

static void check_same(const struct perfdata_seek_index *seek_index,
		       const struct perfdata_seek_index *other)
{
	ck_assert_uint_eq(seek_index->index.count, other->index.count);
	for (size_t i = 0; i < seek_index->index.count; i++) {
		const struct perfdata_time_index_piece *a = &seek_index->index.pieces[i];
		const struct perfdata_time_index_piece *b = &other->index.pieces[i];

		ck_assert(a->at == b->at && a->before_ns == b->before_ns &&
			  a->oldest_ns == b->oldest_ns && a->newest_ns == b->newest_ns &&
			  a->records == b->records && a->side == b->side && a->entry == b->entry);
	}
	ck_assert_uint_eq(seek_index->calls.count, other->calls.count);
	ck_assert_uint_eq(seek_index->calls.place_count, other->calls.place_count);
	ck_assert_uint_eq(seek_index->index.newest_ns, other->index.newest_ns);
}

static bool read_records(struct perfdata_seek_index *seek_index, const char *bytes, size_t len)
{
	struct perfdata_ext_index head;

	for (size_t at = 0; at < len; at += head.own.header.size)
		if (!perfdata_seek_index_read_head(bytes + at, len - at, &head) ||
		    !perfdata_seek_index_read(seek_index, bytes + at, len - at, 0, true))
			return false;
	return true;
}

START_TEST(an_encoded_index_is_read_back)
{
	struct perfdata_seek_index seek_index, other;
	struct str bytes = STR_INIT;
	uint64_t last = 0;

	seek_index_large(&seek_index);
	look(&seek_index, 300 * MB, PERF_STEP_BEGINS, 11);
	perfdata_seek_index_write(&seek_index, 400 * MB, 350 * MB, &last, &bytes);
	ck_assert_uint_gt(bytes.len, UINT16_MAX);
	ck_assert_uint_gt(last, 400 * MB);
	perfdata_seek_index_init(&other, 300 * MB);
	ck_assert(read_records(&other, bytes.data, bytes.len));
	check_same(&seek_index, &other);
	ck_assert_uint_eq(other.calls.threads.count, 1);
	perfdata_seek_index_release(&seek_index);
	perfdata_seek_index_release(&other);
	str_release(&bytes);
}
END_TEST

/* An index with a flipped bit is refused or can still be used. */
START_TEST(wrong_bytes_are_refused_or_harmless)
{
	struct perfdata_seek_index seek_index;
	struct str bytes = STR_INIT;
	uint64_t last = 0;
	bool ascends = true, found = true;
	unsigned int refused = 0;

	perfdata_seek_index_init(&seek_index, MB);
	look(&seek_index, 0, PERF_STEP_NONE, 0);
	look(&seek_index, 64, PERF_STEP_BEGINS, 7);
	look_until(&seek_index, 16384, 60 * MB);
	look(&seek_index, 60 * MB, PERF_STEP_ENDS, 7);
	look(&seek_index, 60 * MB + 64, PERF_STEP_BEGINS, 8);
	seek_index.index.count = 20;
	perfdata_seek_index_write(&seek_index, 100 * MB, 90 * MB, &last, &bytes);
	perfdata_seek_index_release(&seek_index);
	for (size_t i = 0; i < bytes.len * 8; i++) {
		char kept = bytes.data[i / 8];
		struct perfdata_file_seek seek;

		bytes.data[i / 8] = (char)(kept ^ 1 << i % 8);
		perfdata_seek_index_init(&seek_index, MB);
		refused += !read_records(&seek_index, bytes.data, bytes.len);
		seek_index.index.whole = true;
		for (size_t j = 1; j < seek_index.index.count; j++)
			ascends = ascends &&
				  seek_index.index.pieces[j - 1].at < seek_index.index.pieces[j].at;
		for (uint64_t ns = 1; ns < 100000; ns += 20000) {
			found = found && perfdata_seek_index_find(&seek_index, ns, &seek);
			seek_release(&seek);
		}
		perfdata_seek_index_release(&seek_index);
		bytes.data[i / 8] = kept;
	}
	ck_assert(ascends && found);
	ck_assert_uint_gt(refused, bytes.len);
	for (size_t len = 0; len < bytes.len; len += 8) {
		perfdata_seek_index_init(&seek_index, MB);
		ck_assert(!len || !read_records(&seek_index, bytes.data, len));
		perfdata_seek_index_release(&seek_index);
	}
	str_release(&bytes);
}
END_TEST

/* -- In a file --------------------------------------------------------------------------------- */

static void put_calls(struct perfdata_encode *encode, struct perfdata_writer *writer,
		      unsigned int put)
{
	for (unsigned int i = 0; i < CALLS; i++) {
		uint64_t ns = 1000 + ((uint64_t)put * CALLS + i) * 1000;
		struct record call = record_call(ns, ns + 500, 7 + i % 3, 39, 0, 0);

		/* Arguments that do not compress. */
		for (int j = 0; j < SYSCALL_ARGS; j++)
			call.call.args[j] = ns * 0x9e3779b97f4a7c15ULL * (uint64_t)(j + 1);
		perfdata_encode_record(encode, &call);
	}
	ck_assert_int_eq(perfdata_writer_put(writer, encode->out.data, encode->out.len), 0);
	str_clear(&encode->out);
}

static void write_file(int level, bool finish)
{
	struct perfdata_writer_options options = {
		.machine = &machine, .argv = argv, .level = level, .stack_bytes = 512
	};
	struct perfdata_writer *writer =
		perfdata_writer_new(open(path, O_RDWR | O_TRUNC | O_CLOEXEC), &options);
	struct perfdata_encode encode;

	ck_assert_int_eq(perfdata_writer_begin(writer), 0);
	perfdata_encode_init(&encode);
	perfdata_encode_begin(&encode, true, 1);
	for (unsigned int i = 0; i < PUTS; i++) {
		put_calls(&encode, writer, i);
		if (i % 10 == 9)
			ck_assert_int_eq(perfdata_writer_checkpoint(writer), 0);
	}
	if (finish)
		ck_assert_int_eq(perfdata_writer_finish(writer), 0);
	perfdata_writer_free(writer);
	perfdata_encode_release(&encode);
}

/* Scan the file: store its final status, and the records in each hundredth of its time. */
static void scan_file(struct perfdata_scan_status *status, uint32_t density[100])
{
	struct perfdata_scan *scan;
	struct perfdata_file *file;
	struct err err = { .text = "" };

	ck_assert_msg(
		!perfdata_file_open(&file, &(struct perfdata_file_options){ .path = path }, &err),
		"%s", err.text);
	scan = perfdata_scan_start(file, NULL);
	ck_assert(scan != NULL);
	do {
		perfdata_scan_status(scan, status);
		usleep(1000);
	} while (!status->whole);
	memset(density, 0, 100 * sizeof(*density));
	ck_assert_uint_eq(
		perfdata_scan_density(scan, 1000, (uint64_t)PUTS * CALLS * 1000, density, 100),
		100);
	perfdata_scan_free(scan);
	perfdata_file_close(file);
}

/* Return the offset of the last record of that kind; -1: none. */
static off_t find_kind(enum perfdata_ext_kind kind)
{
	struct perfdata_ext own = { .header = { .type = PERFDATA_EXT_TYPE },
				    .kind = (uint16_t)kind };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	off_t found = -1;
	struct stat stat;
	char *bytes;

	memcpy(own.magic, PERFDATA_EXT_MAGIC, sizeof(own.magic));
	ck_assert(fd >= 0 && !fstat(fd, &stat));
	bytes = mem_alloc((size_t)stat.st_size);
	ck_assert(pread(fd, bytes, (size_t)stat.st_size, 0) == stat.st_size);
	for (off_t at = 0; at + (off_t)sizeof(own) <= stat.st_size; at++)
		if (!memcmp(bytes + at + 8, own.magic, sizeof(own.magic) + sizeof(own.kind)) &&
		    !memcmp(bytes + at, &own.header.type, sizeof(own.header.type)))
			found = at;
	free(bytes);
	close(fd);
	return found;
}

static void change(off_t at, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	ck_assert(fd >= 0 && pwrite(fd, bytes, len, at) == (ssize_t)len);
	close(fd);
}

static void check_dense(const uint32_t density[100])
{
	uint32_t all = 0;

	for (int i = 0; i < 100; i++) {
		ck_assert_uint_gt(density[i], PUTS * CALLS * 2 / 100 / 2);
		ck_assert_uint_lt(density[i], PUTS * CALLS * 2 / 100 * 2);
		all += density[i];
	}
	ck_assert_uint_gt(all, PUTS * CALLS * 2 / 10 * 9);
}

START_TEST(a_stored_index_agrees_with_a_scan)
{
	struct perfdata_scan_status brought, looked;
	uint32_t density[100], again[100];
	int level = _i % 2 * 3;
	off_t at;

	write_file(level, _i < 2);
	at = find_kind(PERFDATA_EXT_INDEX_AT);
	/* An unfinished file has an index up to a checkpoint, if it is long enough. */
	ck_assert(_i >= 2 || at > 0);
	scan_file(&brought, density);
	ck_assert(brought.whole && !brought.dropped);
	check_dense(density);
	if (at < 0)
		return;
	/* Without the index, the scan reads the whole file. */
	change(at, "\0\0\0\0", 4);
	change(at, &(uint32_t){ PERFDATA_EXT_ROUND_TYPE }, 4);
	scan_file(&looked, again);
	ck_assert(looked.whole && !looked.dropped);
	ck_assert_uint_eq(brought.newest_ns, looked.newest_ns);
	check_dense(again);
}
END_TEST

START_TEST(a_wrong_index_is_dropped_and_reported)
{
	struct perfdata_scan_status status;
	uint32_t density[100];
	off_t index, piece;
	uint64_t wrong;

	write_file(_i % 2 * 3, true);
	index = find_kind(PERFDATA_EXT_INDEX);
	ck_assert_int_gt(index, 0);
	piece = index + (off_t)sizeof(struct perfdata_ext_index) +
		(off_t)sizeof(struct perfdata_ext_piece) * (_i < 2 ? 1 : 0);
	if (_i < 2) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		/* An offset within a record. */
		ck_assert(pread(fd, &wrong, sizeof(wrong), piece) == sizeof(wrong));
		close(fd);
		wrong += 8;
	} else {
		wrong = 1;
	}
	change(piece, &wrong, sizeof(wrong));
	scan_file(&status, density);
	ck_assert(status.whole && status.dropped);
	ck_assert_uint_eq(status.wrong_at, _i < 2 ? wrong : (uint64_t)index);
	check_dense(density);
}
END_TEST

Suite *suite_perfdata_seek_index(void);

Suite *suite_perfdata_seek_index(void)
{
	Suite *suite = suite_create("perfdata_seek_index");
	TCase *tcase = tcase_create("perfdata_seek_index");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, calls_in_flight_are_read_from_their_enter);
	tcase_add_test(tcase, compressed_files_are_read_from_a_frame_start);
	tcase_add_test(tcase, an_encoded_index_is_read_back);
	tcase_add_test(tcase, wrong_bytes_are_refused_or_harmless);
	tcase_add_loop_test(tcase, a_stored_index_agrees_with_a_scan, 0, 4);
	tcase_add_loop_test(tcase, a_wrong_index_is_dropped_and_reported, 0, 4);
	suite_add_tcase(suite, tcase);
	return suite;
}
