/* The files that the thread of the recorder writes, up to their end. */
#include "engine/recorder/recorder.h"

#include "engine/base/mem.h"
#include "engine/record/event_names.h"
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
#include <sys/stat.h>
#include <unistd.h>

static char folder[TEMPORARY_PATH_MAX];
static char path[sizeof(folder) + 8];
static struct event_names *names;
static struct event_formats *formats;
static struct recorder *recorder;

static void setup(void)
{
	temporary_folder(folder, "recorder");
	snprintf(path, sizeof(path), "%s/data", folder);
	names = event_names_new();
	formats = event_formats_new(names);
	ck_assert_int_eq(
		recorder_new(&recorder,
			     &(struct recorder_options){ .formats = formats, .stack_bytes = 512 },
			     NULL),
		0);
}

static void teardown(void)
{
	recorder_free(recorder);
	event_formats_free(formats);
	event_names_free(names);
	unlink(path);
	rmdir(folder);
}

static void open_path(void)
{
	const struct recorder_request request = { .path = path };
	struct err err = { .text = "" };

	ck_assert_msg(!recorder_open(recorder, &request, &err), "%s", err.text);
}

static void finish(void)
{
	recorder_end(recorder);
	recorder_wait(recorder);
}

static void take_calls(uint64_t from, uint64_t count)
{
	for (uint64_t i = from; i < from + count; i++) {
		struct record record = record_call(1000 + i * 10, 1005 + i * 10, 7, 39, i, 0);

		recorder_take(recorder, &record);
	}
}

/* Return the start of collection that is stored in the file. */
static uint64_t began_ns(void)
{
	struct perfdata_file *file;
	struct err err = { .text = "" };
	uint64_t ns;

	ck_assert_msg(
		!perfdata_file_open(&file, &(struct perfdata_file_options){ .path = path }, &err),
		"%s", err.text);
	ck_assert_ptr_nonnull(perfdata_file_own(file));
	ns = perfdata_file_own(file)->began_ns;
	perfdata_file_close(file);
	return ns;
}

/* Without a call, the only known time is that at which the machine's clocks were read. */
START_TEST(an_empty_recording_starts_at_its_clock)
{
	struct perfdata_machine machine;

	perfdata_machine_read(&machine);
	machine.clock_ns = 5000;
	recorder_set_machine(recorder, &machine);
	open_path();
	recorder_begin(recorder, 0);
	finish();
	ck_assert_uint_eq(began_ns(), 5000);
}
END_TEST

START_TEST(a_recording_starts_at_the_time_of_its_source)
{
	struct perfdata_machine machine;

	perfdata_machine_read(&machine);
	recorder_set_machine(recorder, &machine);
	recorder_set_source(recorder, false, 700);
	open_path();
	recorder_begin(recorder, 0);
	take_calls(0, 10);
	finish();
	ck_assert_uint_eq(began_ns(), 700);
}
END_TEST

/* After a failed write, the file can be opened, and another recording can begin. */
START_TEST(a_size_limit_ends_only_one_recording)
{
	struct rlimit limit, small;
	struct recorder_status *status = mem_alloc(sizeof(*status));

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	small = (struct rlimit){ .rlim_cur = 300000, .rlim_max = limit.rlim_max };
	setrlimit(RLIMIT_FSIZE, &small);
	open_path();
	recorder_begin(recorder, 0);
	take_calls(0, 20000);
	finish();
	setrlimit(RLIMIT_FSIZE, &limit);
	recorder_get_status(recorder, status);
	ck_assert(strstr(status->error, "File too large"));
	ck_assert(!status->recording && recorder_failed(recorder));
	ck_assert_uint_gt(began_ns(), 0);
	unlink(path);
	open_path();
	ck_assert(!recorder_failed(recorder));
	recorder_begin(recorder, 0);
	take_calls(0, 20000);
	finish();
	recorder_get_status(recorder, status);
	ck_assert_str_eq(status->error, "");
	ck_assert_uint_gt(status->bytes, 20000 * 100);
	free(status);
}
END_TEST

static void no_snapshot(void *ctx, struct recorder *r)
{
	(void)ctx;
	(void)r;
}

/* If the next file cannot be created, the previous one is complete. */
START_TEST(a_removed_folder_ends_rotation)
{
	const struct recorder_request request = { .path = path, .max_bytes = 1 };
	struct recorder_status *status = mem_alloc(sizeof(*status));
	struct err err = { .text = "" };
	uint64_t now_ns = 1;
	int kept;

	recorder_free(recorder);
	ck_assert_int_eq(recorder_new(&recorder,
				      &(struct recorder_options){ .formats = formats,
								  .stack_bytes = 512,
								  .snapshot = no_snapshot },
				      NULL),
			 0);
	ck_assert_msg(!recorder_open(recorder, &request, &err), "%s", err.text);
	kept = open(path, O_RDONLY | O_CLOEXEC);
	recorder_begin(recorder, 1);
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0);
	while (!recorder_failed(recorder)) {
		take_calls(now_ns, 100);
		recorder_drained(recorder, now_ns += 100);
		usleep(1000);
	}
	finish();
	recorder_get_status(recorder, status);
	ck_assert_msg(strstr(status->error, "cannot create the next file: No such file"), "%s",
		      status->error);
	ck_assert_uint_gt(lseek(kept, 0, SEEK_END), 10000);
	close(kept);
	free(status);
}
END_TEST

/* Recordings run one at a time, and an empty one leaves no file. */
START_TEST(recordings_run_one_at_a_time)
{
	const struct recorder_request request = { .path = path };
	struct err err = { .text = "" };
	struct stat st;

	open_path();
	ck_assert_int_eq(recorder_open(recorder, &request, &err), -EBUSY);
	ck_assert(!recorder_wait_ms(recorder, 1));
	finish();
	ck_assert(recorder_wait_ms(recorder, 1));
	ck_assert(stat(path, &st) && errno == ENOENT);
}
END_TEST

Suite *suite_recorder(void);

Suite *suite_recorder(void)
{
	Suite *suite = suite_create("recorder");
	TCase *cases = tcase_create("recorder");

	tcase_add_checked_fixture(cases, setup, teardown);
	tcase_add_test(cases, an_empty_recording_starts_at_its_clock);
	tcase_add_test(cases, a_recording_starts_at_the_time_of_its_source);
	tcase_add_test(cases, a_size_limit_ends_only_one_recording);
	tcase_add_test(cases, a_removed_folder_ends_rotation);
	tcase_add_test(cases, recordings_run_one_at_a_time);
	suite_add_tcase(suite, cases);
	return suite;
}
