#include "engine/recording/read/recording.h"

#include "engine/recording/read/perfdata_file.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RECORDING "tests/replay/contention.data"

/* Counts of `perf script` for the same file. */
#define ENTERS (60 + 61 + 61 + 52 + 12)
#define SWITCHES (38 + 58 + 39 + 3)

struct seen {
	unsigned counts[RECORD_KIND_COUNT];
	uint64_t last_ns;
	bool sorted;
	unsigned kernel_stacks;
	bool named;
};

static void see(void *ctx, const struct record *record)
{
	struct seen *seen = ctx;

	ck_assert_uint_lt(record->kind, RECORD_KIND_COUNT);
	seen->counts[record->kind]++;
	seen->sorted &= record->time_ns >= seen->last_ns;
	seen->last_ns = record->time_ns;
	if (record->kind == RECORD_SWITCH_OUT && record->switch_out.stack.count > 4)
		seen->kernel_stacks++;
	if (record->kind == RECORD_COMM && !strcmp(record->comm.comm, "holder"))
		seen->named = true;
}

static void play(struct source *source, struct seen *seen)
{
	struct source_status status;

	memset(seen, 0, sizeof(*seen));
	seen->sorted = true;
	do {
		ck_assert_int_eq(source_drain(source, see, seen, NULL), 0);
		source_status(source, &status);
	} while (!status.finished);
	ck_assert_uint_eq(status.lost, 0);
	ck_assert(status.has_waits);
	ck_assert_uint_eq(status.until_ns, seen->last_ns);
}

static int open_recording(struct source **source, const char *path, struct event_formats *formats,
			  struct err *err)
{
	const struct recording_options options = { .file = { .path = path }, .formats = formats };

	return source_open_recording(source, &options, err);
}

START_TEST(test_record_counts_match_perf_script)
{
	struct source *source;
	struct seen seen;
	struct err err;

	ck_assert_int_eq(open_recording(&source, RECORDING, NULL, &err), 0);
	play(source, &seen);
	source_close(source);
	ck_assert_uint_eq(seen.counts[RECORD_ENTER], ENTERS);
	ck_assert_uint_eq(seen.counts[RECORD_EXIT], ENTERS);
	ck_assert_uint_eq(seen.counts[RECORD_SWITCH_OUT], SWITCHES);
	ck_assert_uint_ge(seen.counts[RECORD_FORK], 3);
	ck_assert_uint_gt(seen.counts[RECORD_MAP], 2);
	ck_assert(seen.sorted);
	ck_assert(seen.named);
	ck_assert_uint_eq(seen.kernel_stacks, SWITCHES);
}
END_TEST

/* Events as `perf script` prints them: tid relative to the first one, then the fields. */
#define OTHERS "tests/replay/events.data"
#define OTHERS_TEXT \
	"0 filename=/usr/bin/sh pid=1374 old_pid=1374\n" \
	"6 filename=/bin/true pid=1380 old_pid=1380\n" \
	"6 comm=true pid=1380 prio=120 group_dead=true\n" \
	"0 sig=28 errno=0 code=0 comm=sh pid=1374 grp=1 res=1\n" \
	"7 filename=/bin/true pid=1381 old_pid=1381\n" \
	"7 comm=true pid=1381 prio=120 group_dead=true\n" \
	"0 comm=sh pid=1374 prio=120 group_dead=true\n"

struct others {
	struct event_formats *formats;
	struct str text;
	unsigned int calls, first_tid;
};

static void see_other(void *ctx, const struct record *record)
{
	struct others *others = ctx;

	others->calls += record->kind == RECORD_ENTER;
	if (record->kind != RECORD_EVENT)
		return;
	if (!others->first_tid)
		others->first_tid = record->tid;
	str_addf(&others->text, "%u ", record->tid - others->first_tid);
	ck_assert(event_formats_text(others->formats, record->event.number,
				     record->event.bytes.chunks, record->event.bytes.len,
				     record->cpu, &others->text));
	str_addc(&others->text, '\n');
}

START_TEST(test_events_match_perf_script)
{
	struct event_names *names = event_names_new();
	struct others others = { .formats = event_formats_new(names), .text = STR_INIT };
	struct source_status status;
	struct source *source;
	struct err err;

	ck_assert_int_eq(open_recording(&source, OTHERS, others.formats, &err), 0);
	do {
		ck_assert_int_eq(source_drain(source, see_other, &others, NULL), 0);
		source_status(source, &status);
	} while (!status.finished);
	ck_assert_uint_eq(status.tracepoints, 3);
	ck_assert_uint_eq(event_names_count(names), 3);
	ck_assert_uint_eq(others.calls, 129);
	ck_assert_str_eq(others.text.data, OTHERS_TEXT);
	source_close(source);
	/* Without event_formats only the calls are read. */
	others.calls = 0;
	ck_assert_int_eq(open_recording(&source, OTHERS, NULL, &err), 0);
	str_clear(&others.text);
	ck_assert_int_eq(source_drain(source, see_other, &others, NULL), 0);
	ck_assert_uint_eq(others.text.len, 0);
	ck_assert_uint_eq(others.calls, 129);
	source_close(source);
	str_release(&others.text);
	event_formats_free(others.formats);
	event_names_free(names);
}
END_TEST

/* Create a copy of RECORDING with some bytes replaced, cut to `cut` bytes unless that is 0. */
static int variant(char path[64], size_t cut, size_t at, const void *bytes, size_t len)
{
	int fd = memfd_create("variant", 0);
	FILE *file = fopen(RECORDING, "rb");
	char *all = malloc(1 << 20);
	size_t size = fread(all, 1, 1 << 20, file);

	ck_assert_int_eq(fclose(file), 0);
	if (cut && cut < size)
		size = cut;
	memcpy(all + at, bytes, len);
	ck_assert_int_eq(write(fd, all, size), (int)size);
	free(all);
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

static const struct {
	const char *name;
	size_t cut, at;
	const char *bytes;
	size_t len;
	const char *says;
} refusals[] = {
	{ "magic", 0, 0, "PERFILE9", 8, "PERFILE2" },
	{ "the first format", 0, 0, "PERFFILE", 8, "before Linux 3.0" },
	{ "other byte order", 0, 0, "2ELIFREP", 8, "byte order" },
	{ "header cut", 50, 0, "", 0, "too short" },
	{ "events outside", 0, 24, "\377\377\377\377\377\377\377\177", 8, "outside" },
	{ "size of an event", 0, 16, "\1\0\0\0\0\0\0\0", 8, "invalid event size" },
	{ "records outside", 0, 40, "\377\377\377\377\377\377\377\177", 8, "outside" },
};

START_TEST(test_refusals_say_why)
{
	struct source *source = NULL;
	struct err err;
	char path[64];
	int fd = variant(path, refusals[_i].cut, refusals[_i].at, refusals[_i].bytes,
			 refusals[_i].len);

	ck_assert_msg(open_recording(&source, path, NULL, &err) < 0, "%s", refusals[_i].name);
	ck_assert_ptr_null(source);
	ck_assert_msg(strstr(err.text, refusals[_i].says) != NULL, "%s: %s", refusals[_i].name,
		      err.text);
	close(fd);
}
END_TEST

START_TEST(test_missing_file_and_non_recording_are_refused)
{
	struct source *source;
	struct err err;

	ck_assert_int_lt(open_recording(&source, "/nonexistent.data", NULL, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent.data"));
	ck_assert_int_lt(open_recording(&source, "/dev/null", NULL, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "neither a regular file"));
}
END_TEST

/* A file whose recorder was killed opens, if its event descriptions are complete. */
START_TEST(test_cut_recording_opens)
{
	struct perfdata_file_options options = { 0 };
	const struct perf_event_header *record;
	struct perfdata_file *file;
	struct err err;
	char path[64];
	int fd = variant(path, 40000, 48, "\0\0\0\0\0\0\0\0", 8);

	options.path = path;
	ck_assert_int_eq(perfdata_file_open(&file, &options, &err), 0);
	ck_assert_ptr_nonnull(perfdata_file_trouble(file, NULL));
	while (perfdata_file_next(file, &record) == PERFDATA_FILE_READY)
		continue;
	ck_assert_uint_gt(perfdata_file_delivered(file), 50);
	perfdata_file_close(file);
	close(fd);
}
END_TEST

/* True for the build-id of neutral.py. No file has it, so that screens are the same everywhere. */
static bool of_no_machine(const uint8_t *build_id)
{
	return !memcmp(build_id, "\xee\xee\xee\xee", 4);
}

static void see_map(void *ctx, const struct record *record)
{
	unsigned int *maps = ctx;

	if (record->kind != RECORD_MAP)
		return;
	ck_assert_msg(!record->map.inode, "%s has an inode", record->map.path);
	ck_assert_msg(!record->map.build_id || of_no_machine(record->map.build_id),
		      "%s has a build-id that a file may have", record->map.path);
	++*maps;
}

static const char *const recordings[] = { RECORDING, "tests/replay/held.data",
					  "tests/replay/shop.data" };

START_TEST(test_recordings_name_no_file_of_a_machine)
{
	struct recording_kernel kernel;
	struct source_status status;
	struct source *source;
	unsigned int maps = 0;
	struct err err;

	ck_assert_int_eq(open_recording(&source, recordings[_i], NULL, &err), 0);
	do {
		ck_assert_int_eq(source_drain(source, see_map, &maps, NULL), 0);
		source_status(source, &status);
	} while (!status.finished);
	ck_assert_uint_gt(maps, 1);
	ck_assert(source_recording_kernel(source, &kernel));
	ck_assert(of_no_machine(kernel.build_id));
	source_close(source);
}
END_TEST

Suite *suite_recording(void);
Suite *suite_recording(void)
{
	Suite *suite = suite_create("recording");
	TCase *tcase = tcase_create("recording");

	tcase_add_test(tcase, test_record_counts_match_perf_script);
	tcase_add_test(tcase, test_events_match_perf_script);
	tcase_add_loop_test(tcase, test_refusals_say_why, 0,
			    sizeof(refusals) / sizeof(refusals[0]));
	tcase_add_test(tcase, test_missing_file_and_non_recording_are_refused);
	tcase_add_test(tcase, test_cut_recording_opens);
	tcase_add_loop_test(tcase, test_recordings_name_no_file_of_a_machine, 0,
			    sizeof(recordings) / sizeof(recordings[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
