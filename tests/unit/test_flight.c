/* The ring of the flight recorder: contents of its files, wherever the ring wrapped. */
#include "engine/recorder/flight_private.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/recording/read/recording.h"
#include "tests/unit/records.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEP_NS 1000

static struct flight *flight;
static struct model *model;
static struct spaces *spaces;
static struct event_formats *formats;
static struct event_names *names;
static char directory[TEMPORARY_PATH_MAX], pattern[sizeof(directory) + 32];
static uint64_t now_ns;

/* The start of a file: two tasks, one of them in a call. */
static void snapshot(void *ctx, record_fn *take, void *to)
{
	struct record record = record_task(0, 7, 7, "seven");

	(void)ctx;
	take(to, &record);
	record = record_task(0, 8, 8, "eight");
	take(to, &record);
	record = record_enter(1, 8, 35, 0);
	take(to, &record);
}

static void setup(void)
{
	struct model_options options = { .history_bytes = 1 << 20 };
	struct flight_options wanted;
	struct err err;

	temporary_folder(directory, "flight");
	snprintf(pattern, sizeof(pattern), "%s/f-%%N", directory);
	ck_assert(!model_new(&model, &options, &err));
	spaces = spaces_new();
	names = event_names_new();
	formats = event_formats_new(names);
	wanted = (struct flight_options){ .formats = formats,
					  .spaces = spaces,
					  .snapshot = snapshot };
	ck_assert(!flight_new(&flight, &wanted, &err));
	now_ns = clock_now_ns();
}

static void teardown(void)
{
	char command[160];

	flight_free(flight);
	event_formats_free(formats);
	event_names_free(names);
	spaces_free(spaces);
	model_free(model);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	ck_assert(!system(command));
}

static void arm_with(struct filter *filter, uint64_t before_ns, uint64_t after_ns,
		     uint64_t again_ns)
{
	struct flight_request request;
	struct flight_arming *arming;
	struct err err = { .text = "" };

	flight_request_init(&request);
	request.filter = filter;
	request.pattern = pattern;
	request.bytes = FLIGHT_BYTES_MIN;
	request.before_ns = before_ns;
	request.after_ns = after_ns;
	request.again_ns = again_ns;
	ck_assert_msg(!flight_prepare(flight, &request, &arming, &err), "%s", err.text);
	ck_assert_msg(!flight_arm(flight, arming, model, &err), "%s", err.text);
	flight_arming_free(arming);
	flight_drained(flight, now_ns);
}

/* Take a call as the collector does; its first argument is `number`. */
static void put_call(uint64_t number)
{
	struct record record = record_call(now_ns, now_ns + STEP_NS / 2, 7, 39, number, 0);

	now_ns += STEP_NS;
	if (flight_is_due(flight))
		flight_begin(flight, record.time_ns);
	flight_take(flight, &record);
}

static void save_by_hand(struct flight_save *save)
{
	flight_freeze(flight, FLIGHT_SIGNAL);
	flight_drained(flight, now_ns);
	flight_drained(flight, now_ns + 1);
	flight_wait(flight);
	ck_assert(flight_next(flight, save));
	ck_assert_msg(!save->failure, "%s", save->error);
}

struct content {
	uint64_t first, last, calls; /* numbers of the first and last call; count */
	bool gapless;
	uint64_t lost;
	unsigned int tasks, enters;
};

static void read_record(void *ctx, const struct record *record)
{
	struct content *content = ctx;

	content->tasks += record->kind == RECORD_TASK;
	content->enters += record->kind == RECORD_ENTER;
	if (record->kind == RECORD_LOST)
		content->lost += record->lost.count;
	if (record->kind != RECORD_CALL)
		return;
	if (!content->calls++)
		content->first = record->call.args[0];
	else if (record->call.args[0] != content->last + 1)
		content->gapless = false;
	content->last = record->call.args[0];
}

static struct content read_file(const char *path)
{
	struct recording_options options = { .file = { .path = path }, .formats = formats };
	struct content content = { .gapless = true };
	struct source_status *status = mem_zalloc(1, sizeof(*status));
	struct source *source;
	struct err err = { .text = "" };

	ck_assert_msg(!source_open_recording(&source, &options, &err), "%s", err.text);
	do {
		source_wait(source, 10);
		ck_assert_int_ge(source_drain(source, read_record, &content, &err), 0);
		source_status(source, status);
	} while (!status->finished);
	source_close(source);
	free(status);
	return content;
}

START_TEST(file_has_all_calls_since_arming)
{
	struct flight_save save;
	struct content content;

	arm_with(NULL, NS_PER_S, 0, 0);
	for (uint64_t i = 0; i < 1000; i++)
		put_call(i);
	save_by_hand(&save);
	ck_assert_int_eq(save.mark.reason, FLIGHT_SIGNAL);
	content = read_file(save.path);
	ck_assert_uint_eq(content.calls, 1000);
	ck_assert_uint_eq(content.first, 0);
	ck_assert(content.gapless);
	ck_assert_uint_eq(content.tasks, 2);
	ck_assert_uint_eq(content.enters, 1);
}
END_TEST

/* Each run wraps the ring at another offset in a record, as records have several sizes. */
START_TEST(newest_calls_survive_every_wrap)
{
	for (unsigned int i = 0; i < 24; i++) {
		struct record owner = {
			.kind = RECORD_OWNER,
			.time_ns = now_ns,
			.pid = 7,
			.tid = 7,
			.owner = { .uid = 1, .cgroup = "0123456789abcdefghijklmnop" + i % 26 }
		};
		uint64_t count = 9000 + 37 * i;
		struct flight_save save;
		struct content content;

		arm_with(NULL, 3600 * NS_PER_S, 0, 0);
		for (uint64_t n = 0; n < count; n++) {
			put_call(n);
			if (n % (i + 2) == 0)
				flight_take(flight, &owner);
			if (n % 100 == 0)
				flight_drained(flight, now_ns);
		}
		save_by_hand(&save);
		content = read_file(save.path);
		ck_assert_msg(content.gapless && content.last == count - 1, "%u: %llu", i,
			      (unsigned long long)content.last);
		/* At least half of the 1 MiB is used; a record has 150 to 250 bytes. */
		ck_assert_msg(content.calls > 2000 && content.calls < 8000, "%u: %llu", i,
			      (unsigned long long)content.calls);
		ck_assert_uint_eq(content.lost, 0);
		/* Each file begins with one snapshot. */
		ck_assert_uint_eq(content.tasks, 2);
		ck_assert_uint_eq(content.enters, 1);
	}
}
END_TEST

START_TEST(file_covers_about_the_requested_time)
{
	struct flight_save save;
	struct content content;

	arm_with(NULL, 400 * NS_PER_MS, 0, 0);
	/* 1.5 s of calls, 1 ms apart. */
	for (uint64_t n = 0; n < 1500; n++) {
		now_ns += NS_PER_MS - STEP_NS;
		put_call(n);
		flight_drained(flight, now_ns);
	}
	save_by_hand(&save);
	content = read_file(save.path);
	ck_assert_uint_eq(content.last, 1499);
	ck_assert_msg(content.calls >= 400 && content.calls <= 505, "%llu",
		      (unsigned long long)content.calls);
}
END_TEST

START_TEST(file_ends_after_the_requested_time)
{
	struct flight_save save;
	struct content content;

	arm_with(NULL, NS_PER_S, 100 * NS_PER_MS, 0);
	put_call(0);
	flight_freeze(flight, FLIGHT_KEY);
	flight_drained(flight, now_ns);
	for (uint64_t n = 1; n < 1000; n++) {
		now_ns += NS_PER_MS - STEP_NS;
		put_call(n);
		flight_drained(flight, now_ns);
	}
	flight_wait(flight);
	ck_assert(flight_next(flight, &save));
	content = read_file(save.path);
	ck_assert_uint_eq(content.first, 0);
	ck_assert_msg(content.last >= 99 && content.last <= 101, "%llu",
		      (unsigned long long)content.last);
	ck_assert(content.gapless);
}
END_TEST

START_TEST(files_may_overlap)
{
	struct flight_save save;
	struct content content;

	arm_with(NULL, NS_PER_S, 0, 0);
	for (uint64_t n = 0; n < 500; n++)
		put_call(n);
	save_by_hand(&save);
	for (uint64_t n = 500; n < 700; n++)
		put_call(n);
	save_by_hand(&save);
	content = read_file(save.path);
	ck_assert_uint_eq(content.calls, 700);
	ck_assert(content.gapless);
}
END_TEST

START_TEST(records_without_room_are_counted_as_missed)
{
	struct flight_save save;
	struct content content;

	arm_with(NULL, NS_PER_S, 3600 * NS_PER_S, 0);
	put_call(0);
	/* This thread is faster than the writing thread: some calls are missed. */
	flight_freeze(flight, FLIGHT_KEY);
	flight_drained(flight, now_ns);
	for (uint64_t n = 1; n < 200000; n++)
		put_call(n);
	flight_end(flight);
	flight_wait(flight);
	ck_assert(flight_next(flight, &save));
	content = read_file(save.path);
	ck_assert_uint_eq(content.first, 0);
	/* Each call is written or missed. No lost record follows the last missed calls. */
	ck_assert_uint_le(content.calls + content.lost, 200000);
	ck_assert_msg(content.calls + save.missed == 200000, "%llu + %llu",
		      (unsigned long long)content.calls, (unsigned long long)save.missed);
	ck_assert(content.gapless || content.lost);
}
END_TEST

START_TEST(rearming_retains_recorded_calls)
{
	struct flight_save save;
	struct content content;
	struct flight_status status;

	arm_with(NULL, NS_PER_S, 0, 0);
	for (uint64_t n = 0; n < 300; n++)
		put_call(n);
	arm_with(NULL, 2 * NS_PER_S, 0, 0);
	for (uint64_t n = 300; n < 400; n++)
		put_call(n);
	save_by_hand(&save);
	content = read_file(save.path);
	ck_assert_uint_eq(content.calls, 400);
	flight_disarm(flight, model);
	ck_assert(!flight_is_on(flight));
	flight_get_status(flight, &status);
	ck_assert_int_eq(status.state, FLIGHT_OFF);
	ck_assert_uint_eq(status.saved, 1);
}
END_TEST

START_TEST(file_names_follow_the_pattern)
{
	static const struct {
		const char *pattern, *name;
		uint32_t number;
	} cases[] = {
		{ "a-%N.data", "a-1.data", 1 },
		{ "a-%N-%N", "a-3-3", 3 },
		{ "a.data", "a.data", 1 },
		{ "a.data", "a.data.2", 2 },
		{ "%Y%%N", "1970%N", 1 },
		{ "", NULL, 1 },
		{ "dir/", NULL, 1 },
	};
	char path[FLIGHT_PATH_BYTES];
	struct err err;

	setenv("TZ", "UTC", 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int rc = flight_file_name(cases[i].pattern, 0, cases[i].number, path, &err);

		ck_assert_msg(!cases[i].name == !!rc, "%s: %d", cases[i].pattern, rc);
		if (!rc)
			ck_assert_str_eq(path, cases[i].name);
	}
}
END_TEST

Suite *suite_flight(void);

Suite *suite_flight(void)
{
	Suite *suite = suite_create("flight");
	TCase *ring = tcase_create("ring");

	tcase_add_checked_fixture(ring, setup, teardown);
	tcase_set_timeout(ring, 30);
	tcase_add_test(ring, file_has_all_calls_since_arming);
	tcase_add_test(ring, newest_calls_survive_every_wrap);
	tcase_add_test(ring, file_covers_about_the_requested_time);
	tcase_add_test(ring, file_ends_after_the_requested_time);
	tcase_add_test(ring, files_may_overlap);
	tcase_add_test(ring, records_without_room_are_counted_as_missed);
	tcase_add_test(ring, rearming_retains_recorded_calls);
	tcase_add_test(ring, file_names_follow_the_pattern);
	suite_add_tcase(suite, ring);
	return suite;
}
