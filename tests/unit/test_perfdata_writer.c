/* A written file can be opened, however the writing ends. */
#include "engine/recorder/perfdata_writer.h"

#include "engine/recording/perfdata_encode.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/recording/read/perfdata_file.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define BATCHES 40
#define CALLS 20 /* calls per batch */

static struct perfdata_machine machine;
static const char *const argv[] = { "stxtop", "-o", "file", NULL };
static char path[TEMPORARY_PATH_MAX];

static void setup(void)
{
	int fd = temporary_file(path, "writer");

	close(fd);
	perfdata_machine_read(&machine);
}

static void teardown(void)
{
	unlink(path);
	perfdata_machine_release(&machine);
}

/* Add calls in order, each with its own time. */
static void add_calls(struct perfdata_encode *encode, unsigned batch)
{
	for (unsigned i = 0; i < CALLS; i++) {
		uint64_t ns = 1000 + (batch * CALLS + i) * 10;
		struct record record = record_call(ns, ns + 5, 7, 39, 0, 0);

		record.call.ret = (int64_t)(batch * CALLS + i);
		perfdata_encode_record(encode, &record);
	}
}

/* Write all batches, even after a failure. Return -errno of the first failed write, or 0. */
static int write_all(int level, bool finish)
{
	struct perfdata_writer_options options = {
		.machine = &machine, .argv = argv, .level = level, .stack_bytes = 512
	};
	struct perfdata_writer *writer =
		perfdata_writer_new(open(path, O_RDWR | O_TRUNC | O_CLOEXEC), &options);
	struct perfdata_encode encode;
	int rc = perfdata_writer_begin(writer);

	perfdata_encode_init(&encode);
	perfdata_encode_begin(&encode, true, 1);
	for (unsigned i = 0; i < BATCHES; i++) {
		int failed;

		add_calls(&encode, i);
		failed = perfdata_writer_put(writer, encode.out.data, encode.out.len);
		str_clear(&encode.out);
		perfdata_writer_set_times(writer, encode.first_ns, encode.last_ns);
		if (!failed && i % 3 == 2)
			failed = perfdata_writer_checkpoint(writer);
		rc = rc ? rc : failed;
	}
	if (finish) {
		int failed = perfdata_writer_finish(writer);

		rc = rc ? rc : failed;
	}
	perfdata_writer_free(writer);
	perfdata_encode_release(&encode);
	return rc;
}

struct seen {
	int64_t calls;
	bool in_order;
};

static void see(void *ctx, const struct record *record)
{
	struct seen *seen = ctx;

	if (record->kind != RECORD_CALL)
		return;
	seen->in_order &= record->call.ret == seen->calls;
	seen->calls++;
}

/* Check the order of the calls in the file, and return their number; -1: cannot be opened. */
static int64_t read_back(bool *damaged, char trouble[ERR_TEXT_BYTES])
{
	struct perfdata_ext_decode *decode = perfdata_ext_decode_new(NULL);
	const struct perf_event_header *record;
	struct seen seen = { .in_order = true };
	struct perfdata_file *file;
	struct err err = { .text = "" };
	uint64_t ns;

	*damaged = false;
	trouble[0] = '\0';
	if (perfdata_file_open(&file, &(struct perfdata_file_options){ .path = path }, &err)) {
		perfdata_ext_decode_free(decode);
		return -1;
	}
	while (perfdata_file_next(file, &record) == PERFDATA_FILE_READY)
		perfdata_ext_decode(decode, record, see, &seen, &ns);
	ck_assert_uint_eq(perfdata_ext_decode_malformed(decode), 0);
	ck_assert(seen.in_order);
	if (perfdata_file_trouble(file, damaged))
		snprintf(trouble, ERR_TEXT_BYTES, "%s", perfdata_file_trouble(file, NULL));
	perfdata_file_close(file);
	perfdata_ext_decode_free(decode);
	return seen.calls;
}

START_TEST(a_finished_file_is_read_whole)
{
	char trouble[ERR_TEXT_BYTES];
	bool damaged;

	for (int level = 0; level <= 3; level += 3) {
		ck_assert_int_eq(write_all(level, true), 0);
		ck_assert_int_eq(read_back(&damaged, trouble), BATCHES * CALLS);
		ck_assert_msg(!damaged && !trouble[0], "%s", trouble);
	}
}
END_TEST

/* As if the writer were killed. */
START_TEST(an_unfinished_file_is_read_whole)
{
	char trouble[ERR_TEXT_BYTES];
	bool damaged;

	for (int level = 0; level <= 3; level += 3) {
		ck_assert_int_eq(write_all(level, false), 0);
		ck_assert_int_eq(read_back(&damaged, trouble), BATCHES * CALLS);
		ck_assert(!damaged);
		ck_assert_ptr_nonnull(strstr(trouble, "never finished"));
	}
}
END_TEST

/* Write with a limit of `bytes` bytes per file, which does not apply to libcheck. */
static int write_within(off_t bytes, int level)
{
	struct rlimit limit, before;
	int rc;

	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = (rlim_t)bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
	rc = write_all(level, true);
	setrlimit(RLIMIT_FSIZE, &before);
	return rc;
}

/* Wherever the disk becomes full, the file can be opened, undamaged and in order. */
START_TEST(a_file_on_a_full_disk_is_readable)
{
	char trouble[ERR_TEXT_BYTES];
	int64_t most[4] = { -1, -1, -1, -1 };
	bool damaged;
	off_t whole;
	int fd;

	signal(SIGXFSZ, SIG_IGN);
	for (int level = 0; level <= 3; level += 3) {
		ck_assert_int_eq(write_all(level, true), 0);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		whole = lseek(fd, 0, SEEK_END);
		close(fd);
		for (off_t size = 8; size < whole; size += size % 1000 < 16 ? 1 : 113) {
			int64_t calls;

			ck_assert_int_eq(write_within(size, level), -EFBIG);
			calls = read_back(&damaged, trouble);
			ck_assert_msg(!damaged, "%jd bytes: %s", (intmax_t)size, trouble);
			/* A file with more room never has fewer calls. */
			ck_assert_msg(calls >= most[level], "%jd bytes: %lld calls, then %lld",
				      (intmax_t)size, (long long)most[level], (long long)calls);
			if (calls > most[level])
				most[level] = calls;
		}
		ck_assert_int_eq(most[level], BATCHES * CALLS);
	}
}
END_TEST

Suite *suite_perfdata_writer(void);

Suite *suite_perfdata_writer(void)
{
	Suite *suite = suite_create("perfdata_writer");
	TCase *tcase = tcase_create("perfdata_writer");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_finished_file_is_read_whole);
	tcase_add_test(tcase, an_unfinished_file_is_read_whole);
	tcase_add_test(tcase, a_file_on_a_full_disk_is_readable);
	suite_add_tcase(suite, tcase);
	return suite;
}
