/* Navigation in the demo recording: at one time, the engine always reports the same data. */
#include "tests/unit/runner.h"

#include "engine/base/clock.h"
#include "engine/collector/playhead.h"
#include "engine/demo.h"
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAIT_NS (20 * NS_PER_S)
#define CALLS 4096

static struct demo demo;
static struct engine *engine;

static struct engine *open_engine(uint64_t from_ns, uint64_t until_ns, size_t history_bytes)
{
	struct engine_options options = {
		.recording = DEMO_NAME,
		.recording_fd = demo.fd,
		.names = demo.names,
		.interactive = true,
		.from_ns = from_ns,
		.until_ns = until_ns,
		.history_bytes = history_bytes,
	};
	struct engine *opened;
	struct err err;

	target_init(&options.target);
	ck_assert_msg(!engine_new(&opened, &err), "%s", err.text);
	ck_assert_msg(!engine_start(opened, &options, &err), "%s", err.text);
	return opened;
}

/* Wait until the requests have been started and completed. */
static void settle_of(struct engine *of, struct play_status *status)
{
	uint64_t until_ns = clock_now_ns() + WAIT_NS;
	struct engine_status all;

	do {
		usleep(2000);
		/* Query the filter first: an applied filter can have started a move. */
		engine_status(of, &all);
		engine_play_status(of, status);
		ck_assert_msg(clock_now_ns() < until_ns, "playback never came to rest");
	} while (status->asked || status->moving || (!status->paused && !status->at_end) ||
		 all.model.refilling || all.filter_pending);
}

static void settle(struct play_status *status)
{
	settle_of(engine, status);
}

/* Wait for the index: a scan thread builds it, also while playback is paused. */
static void settle_index(struct play_status *status)
{
	uint64_t until_ns = clock_now_ns() + WAIT_NS;

	for (;;) {
		engine_play_status(engine, status);
		if (status->bytes_indexed == status->bytes) {
			ck_assert(!status->indexing);
			return;
		}
		ck_assert_msg(clock_now_ns() < until_ns, "%llu of %llu bytes are in the index",
			      (unsigned long long)status->bytes_indexed,
			      (unsigned long long)status->bytes);
		usleep(2000);
	}
}

static void go(uint64_t at_ns, struct play_status *status)
{
	engine_play_go(engine, at_ns);
	settle(status);
}

static void setup(void)
{
	struct play_status status;
	struct err err;

	ck_assert_msg(!demo_open(&demo, &err), "%s", err.text);
	engine = open_engine(0, 0, 0);
	settle(&status);
}

static void teardown(void)
{
	engine_free(engine);
	demo_close(&demo);
}

static int compare_rows(const void *a, const void *b)
{
	return memcmp(a, b, offsetof(struct engine_row, name));
}

/* Return all reported data as text, for the caller to free(). */
static char *picture(struct engine *of)
{
	struct call *calls = calloc(CALLS, sizeof(*calls));
	uint64_t *seqs = calloc(CALLS, sizeof(*seqs));
	struct engine_row *rows = NULL;
	struct engine_status status;
	uint64_t first, end;
	size_t len, count;
	char *text = NULL;
	FILE *out = open_memstream(&text, &len);

	engine_status(of, &status);
	fprintf(out, "now %llu seen %llu matched %llu in flight %llu lost %llu orphans %llu\n",
		(unsigned long long)status.now_ns, (unsigned long long)status.model.calls_seen,
		(unsigned long long)status.model.calls_matched,
		(unsigned long long)status.model.in_flight,
		(unsigned long long)status.model.records_lost,
		(unsigned long long)status.model.orphans);
	count = engine_process_syscalls(of, &rows);
	qsort(rows, count, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%u %u %s %llu %llu %llu %llu %llu\n", rows[i].pid, rows[i].nr,
			rows[i].name, (unsigned long long)rows[i].calls,
			(unsigned long long)rows[i].errors, (unsigned long long)rows[i].total_ns,
			(unsigned long long)rows[i].blocked_ns, (unsigned long long)rows[i].max_ns);
	free(rows);
	engine_calls_range(of, &first, &end);
	while ((count = engine_calls_before(of, &end, NULL, calls, seqs, CALLS)))
		for (size_t i = 0; i < count; i++) {
			char name[ENGINE_NAME_BYTES];

			fprintf(out, "%llu %lld %u %u %s %u %d %lld %u\n",
				(unsigned long long)calls[i].enter_ns, (long long)calls[i].dur_ns,
				calls[i].pid, calls[i].tid, engine_comm(of, &calls[i], name),
				calls[i].nr, calls[i].state, (long long)calls[i].ret,
				calls[i].waker_tid);
		}
	count = engine_in_flight(of, calls, CALLS);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "in flight %llu %lld %u %u\n", (unsigned long long)calls[i].enter_ns,
			(long long)calls[i].dur_ns, calls[i].tid, calls[i].nr);
	fclose(out);
	free(calls);
	free(seqs);
	return text;
}

static void check_same(char *a, char *b)
{
	if (strcmp(a, b) != 0) {
		size_t at = 0;

		while (a[at] == b[at])
			at++;
		at = at > 60 ? at - 60 : 0;
		ck_abort_msg("they differ: %.200s | %.200s", a + at, b + at);
	}
	free(a);
	free(b);
}

START_TEST(a_recording_reports_its_position)
{
	struct play_status status;
	uint32_t records[50];
	uint64_t sum = 0;

	settle(&status);
	ck_assert(status.recorded && status.possible && status.whole && status.at_end);
	ck_assert(status.last_known && status.first_ns < status.last_ns);
	ck_assert_uint_eq(status.at_ns, status.last_ns);
	ck_assert_uint_eq(status.from_ns, status.first_ns);
	ck_assert(status.bytes && status.bytes_read == status.bytes);
	settle_index(&status);
	ck_assert_uint_eq(
		engine_play_density(engine, status.first_ns, status.last_ns + 1, records, 50), 50);
	for (int i = 0; i < 50; i++)
		sum += records[i];
	ck_assert_uint_gt(sum, 1000);
}
END_TEST

START_TEST(a_time_visited_twice_shows_the_same)
{
	struct play_status status;
	uint64_t middle, version;
	char *whole, *half;

	settle(&status);
	whole = picture(engine);
	middle = status.first_ns + (status.last_ns - status.first_ns) / 2;
	version = status.version;
	go(middle, &status);
	ck_assert(status.at_ns == middle && status.paused && !status.at_end);
	ck_assert_uint_ne(status.version, version);
	half = picture(engine);
	ck_assert_str_ne(whole, half);
	go(status.first_ns + (status.last_ns - status.first_ns) / 5, &status);
	/* Go to the middle from an earlier time, and then from a later one. */
	go(middle, &status);
	check_same(half, picture(engine));
	half = picture(engine);
	go(PLAY_TO_END, &status);
	ck_assert(status.at_end);
	check_same(whole, picture(engine));
	go(middle, &status);
	check_same(half, picture(engine));
}
END_TEST

START_TEST(a_span_equals_a_recording_opened_for_it)
{
	struct play_status status;
	struct engine *other;
	uint64_t length, from, until;

	settle(&status);
	length = status.last_ns - status.first_ns;
	from = length / 3;
	until = length / 3 * 2;
	engine_play_span(engine, status.first_ns + from, status.first_ns + until, PLAY_TO_END);
	settle(&status);
	ck_assert(status.at_end && !status.whole);
	ck_assert_uint_eq(status.at_ns, status.first_ns + until);
	other = open_engine(from, until, 0);
	settle_of(other, &status);
	check_same(picture(engine), picture(other));
	engine_free(other);
}
END_TEST

START_TEST(steps_are_of_one_call_and_of_time)
{
	struct play_status status;
	struct engine_status before, after;
	uint64_t at_ns;

	settle(&status);
	go(status.first_ns + (status.last_ns - status.first_ns) / 2, &status);
	for (int i = 0; i < 5; i++) {
		engine_status(engine, &before);
		engine_play_step_call(engine);
		settle(&status);
		engine_status(engine, &after);
		ck_assert_uint_eq(after.model.calls_matched, before.model.calls_matched + 1);
		ck_assert(status.paused);
	}
	/* The collector can read these requests one by one or together. */
	engine_status(engine, &before);
	for (int i = 0; i < 7; i++)
		engine_play_step_call(engine);
	settle(&status);
	engine_status(engine, &after);
	ck_assert_uint_eq(after.model.calls_matched, before.model.calls_matched + 7);
	at_ns = status.at_ns;
	engine_play_step(engine, 1000000);
	settle(&status);
	ck_assert_uint_eq(status.at_ns, at_ns + 1000000);
	engine_play_step(engine, -2000000);
	settle(&status);
	ck_assert_uint_eq(status.at_ns, at_ns - 1000000);
}
END_TEST

START_TEST(a_filter_finds_evicted_calls)
{
	struct play_status status;
	struct filter_error error;
	struct engine_status all;
	struct filter *filter;
	struct engine *small;
	uint64_t first, end, matched;
	struct call call;
	uint64_t seq;

	ck_assert(!filter_parse(&filter, "syscall == execve || syscall == clone3",
				engine_filter_names(engine), &error));
	engine_set_filter(engine, filter);
	settle(&status);
	engine_status(engine, &all);
	matched = all.model.calls_matched;
	ck_assert_uint_gt(matched, 2);
	/* A small history has evicted those calls when the end is reached. */
	small = open_engine(0, 0, 64 << 10);
	settle_of(small, &status);
	engine_calls_range(small, &first, &end);
	ck_assert_uint_gt(first, 0);
	engine_set_filter(small, filter);
	settle_of(small, &status);
	engine_status(small, &all);
	ck_assert_uint_eq(all.model.calls_matched, matched);
	engine_calls_range(small, &first, &end);
	ck_assert_uint_eq(end - first, matched);
	seq = first;
	ck_assert_uint_eq(engine_calls_after(small, &seq, filter, &call, &first, 1), 1);
	/* Without the filter, all calls match again. */
	engine_set_filter(small, NULL);
	settle_of(small, &status);
	engine_status(small, &all);
	ck_assert_uint_eq(all.model.calls_matched, all.model.calls_seen);
	engine_calls_range(small, &first, &end);
	ck_assert_uint_gt(end - first, matched);
	engine_free(small);
	filter_free(filter);
}
END_TEST

static long resident_pages(void)
{
	long size = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	ck_assert(file && fscanf(file, "%ld %ld", &size, &resident) == 2);
	fclose(file);
	return resident;
}

START_TEST(going_back_a_hundred_times_takes_no_more_memory)
{
	struct play_status status;
	uint64_t length, first;
	long before = 0;

	/* The history has a fixed size: use one that is soon full. */
	engine_free(engine);
	engine = open_engine(0, 0, 1 << 20);
	settle(&status);
	first = status.first_ns;
	length = status.last_ns - first;
	/* After some moves, the heaps of the threads have reached their final size. */
	for (int i = 0; i < 220; i++) {
		go(first + length / (uint64_t)(2 + i % 7), &status);
		if (i == 119)
			before = resident_pages();
	}
	ck_assert_int_gt(before, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	/* Sanitizers retain freed memory. */
	ck_assert_int_lt(resident_pages(), before + before / 10);
#endif
}
END_TEST

Suite *suite_play(void);
Suite *suite_play(void)
{
	Suite *suite = suite_create("play");
	TCase *tcase = tcase_create("play");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_recording_reports_its_position);
	tcase_add_test(tcase, a_time_visited_twice_shows_the_same);
	tcase_add_test(tcase, a_span_equals_a_recording_opened_for_it);
	tcase_add_test(tcase, steps_are_of_one_call_and_of_time);
	tcase_add_test(tcase, a_filter_finds_evicted_calls);
	tcase_add_test(tcase, going_back_a_hundred_times_takes_no_more_memory);
	suite_add_tcase(suite, tcase);
	return suite;
}
