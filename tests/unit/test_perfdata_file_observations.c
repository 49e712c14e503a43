/* Observations of a recording are stored apart from its records and read before them. */
#include "engine/recorder/perfdata_writer.h"
#include "engine/recording/perfdata_encode.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/perfdata_observations.h"
#include "engine/recording/read/perfdata_file.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOTS 3

static struct perfdata_machine machine;
static char path[TEMPORARY_PATH_MAX];

static void setup(void)
{
	int fd = temporary_file(path, "findings");

	close(fd);
	perfdata_machine_read(&machine);
}

static void teardown(void)
{
	unlink(path);
	perfdata_machine_release(&machine);
}

static struct observation bytes_of(uint32_t tid, const char *text, size_t len)
{
	return (struct observation){
		.kind = OBSERVATION_BYTES, .pid = 1, .tid = tid, .text = text, .len = len
	};
}

/* Write three records with one observation each, and calls in between. */
static void write_file(const struct observation observations[LOTS])
{
	static const char *const argv[] = { "stxtop", NULL };
	struct perfdata_writer_options options = { .machine = &machine,
						   .argv = argv,
						   .stack_bytes = 512 };
	struct perfdata_writer *writer =
		perfdata_writer_new(open(path, O_RDWR | O_TRUNC | O_CLOEXEC), &options);
	struct perfdata_encode encode;

	ck_assert(!perfdata_writer_begin(writer));
	perfdata_encode_init(&encode);
	perfdata_encode_begin(&encode, true, 1);
	for (unsigned int i = 0; i < LOTS; i++) {
		struct record record = record_call(1000 + 10 * i, 1005 + 10 * i, 7, 39, 0, 0);
		struct str reported = STR_INIT;

		perfdata_encode_record(&encode, &record);
		ck_assert(!perfdata_writer_put(writer, encode.out.data, encode.out.len));
		str_clear(&encode.out);
		ck_assert(perfdata_observations_add(&reported, &observations[i]));
		ck_assert(!perfdata_writer_put_observations(writer, &reported));
		ck_assert(!perfdata_writer_checkpoint(writer));
		str_release(&reported);
	}
	ck_assert(!perfdata_writer_finish(writer));
	perfdata_writer_free(writer);
	perfdata_encode_release(&encode);
}

static void see(void *ctx, const struct observation *observation)
{
	struct str *seen = ctx;

	str_addf(seen, "%u ", observation->tid);
}

static void expect(const char *tids)
{
	struct str seen = STR_INIT;
	struct perfdata_file *file;
	struct err err;

	ck_assert_msg(
		!perfdata_file_open(&file, &(struct perfdata_file_options){ .path = path }, &err),
		"%s", err.text);
	ck_assert(perfdata_file_observations(file, see, &seen));
	ck_assert_str_eq(seen.data, tids);
	perfdata_file_close(file);
	str_release(&seen);
}

START_TEST(observations_are_read_in_order)
{
	const struct observation observations[LOTS] = { bytes_of(1, "a", 1), bytes_of(2, "b", 1),
							bytes_of(3, "c", 1) };

	write_file(observations);
	expect("1 2 3 ");
}
END_TEST

/* Make a text that is itself a record of observations. */
static void make_record_within(struct str *text)
{
	const struct observation observation = bytes_of(9, "x", 1);
	struct str reported = STR_INIT;
	size_t at = 0;

	perfdata_observations_add(&reported, &observation);
	perfdata_observations_record(text, &reported, &at, 0);
	str_release(&reported);
}

/*
 * Make the last observations record name the one inside `text` as its previous record. Enlarge
 * the inner record beyond the start of the last one.
 */
static void lie(const struct str *text)
{
	static char bytes[1 << 20];
	int fd = open(path, O_RDWR | O_CLOEXEC);
	ssize_t len = pread(fd, bytes, sizeof(bytes), 0);
	uint64_t within, last = 0;
	uint16_t size;
	char *found;

	ck_assert_int_gt(len, 0);
	found = memmem(bytes, (size_t)len, text->data, text->len);
	ck_assert_ptr_nonnull(found);
	within = (uint64_t)(found - bytes);
	for (size_t at = within + 8; at + sizeof(struct perfdata_ext_observations) < (size_t)len;
	     at += 8) {
		struct perfdata_ext_observations head;

		memcpy(&head, bytes + at, sizeof(head));
		if (head.own.header.type == PERFDATA_EXT_TYPE &&
		    head.own.kind == PERFDATA_EXT_OBSERVATIONS &&
		    !memcmp(head.own.magic, PERFDATA_EXT_MAGIC, PERFDATA_EXT_MAGIC_BYTES))
			last = at;
	}
	ck_assert_uint_gt(last, within);
	ck_assert_uint_lt(last - within, UINT16_MAX - 8);
	size = (uint16_t)(last - within + 8);
	ck_assert_int_eq(pwrite(fd, &size, sizeof(size),
				(off_t)(within + offsetof(struct perf_event_header, size))),
			 sizeof(size));
	ck_assert_int_eq(pwrite(fd, &within, sizeof(within),
				(off_t)(last + offsetof(struct perfdata_ext_observations, before))),
			 sizeof(within));
	close(fd);
}

START_TEST(a_record_inside_another_is_rejected)
{
	struct str text = STR_INIT;

	make_record_within(&text);
	write_file((const struct observation[]){
		bytes_of(1, "a", 1), bytes_of(2, text.data, text.len), bytes_of(3, "c", 1) });
	expect("1 2 3 ");
	lie(&text);
	expect("3 ");
	str_release(&text);
}
END_TEST

Suite *suite_perfdata_file_observations(void);

Suite *suite_perfdata_file_observations(void)
{
	Suite *suite = suite_create("perfdata_file_observations");
	TCase *tcase = tcase_create("perfdata_file_observations");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, observations_are_read_in_order);
	tcase_add_test(tcase, a_record_inside_another_is_rejected);
	suite_add_tcase(suite, tcase);
	return suite;
}
