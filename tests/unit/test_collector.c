#include "engine/collector/collector.h"

#include "engine/record/capture_chunks.h"
#include "tests/unit/records.h"

#include <check.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

/* A source without records: waits for its wake descriptor only, without a timeout. */
struct quiet_source {
	struct source source;
	int wake_fd;
	atomic_uint waits, user_stack_pid;
	atomic_bool running;
};

static struct quiet_source *from(struct source *source)
{
	return (struct quiet_source *)source;
}

static void quiet_close(struct source *source)
{
	(void)source;
}

static int quiet_wait(struct source *source, int timeout_ms)
{
	struct pollfd wanted = { .fd = from(source)->wake_fd, .events = POLLIN };

	(void)timeout_ms;
	atomic_fetch_add(&from(source)->waits, 1);
	return poll(&wanted, 1, -1);
}

static int quiet_drain(struct source *source, record_fn *take, void *ctx, struct err *err)
{
	(void)source;
	(void)take;
	(void)ctx;
	(void)err;
	return 0;
}

static int quiet_set_filter(struct source *source, const struct kernel_filter *filter,
			    struct err *err)
{
	(void)source;
	(void)filter;
	(void)err;
	return 0;
}

static int quiet_set_running(struct source *source, bool running, struct err *err)
{
	(void)err;
	atomic_store(&from(source)->running, running);
	return 0;
}

static int quiet_set_user_stacks(struct source *source, const uint32_t *pids, size_t count,
				 struct err *err)
{
	(void)err;
	atomic_store(&from(source)->user_stack_pid, count ? pids[0] : 0);
	return 0;
}

static void quiet_status(struct source *source, struct source_status *status)
{
	(void)source;
	memset(status, 0, sizeof(*status));
	status->name = "quiet";
}

static const struct source_ops quiet_ops = {
	.name = "quiet",
	.close = quiet_close,
	.wait = quiet_wait,
	.drain = quiet_drain,
	.set_filter = quiet_set_filter,
	.set_running = quiet_set_running,
	.set_user_stacks = quiet_set_user_stacks,
	.status = quiet_status,
};

/* Return once the collector has handled its requests and waits again. */
static void wait_for_next(struct quiet_source *source, unsigned int waits)
{
	while (atomic_load(&source->waits) == waits)
		poll(NULL, 0, 1);
}

/* Only the descriptor ends the source's wait: each request must wake the collector. */
START_TEST(requests_wake_the_collector)
{
	struct quiet_source source = { .source.ops = &quiet_ops, .running = true };
	struct model_options model_options = { .history_bytes = 1 << 20 };
	struct collector_options options = { .interactive = true };
	struct collector_status status;
	struct collector *collector;
	struct model *model;
	unsigned int waits;
	struct err err;

	ck_assert_int_eq(model_new(&model, &model_options, &err), 0);
	options.model = model;
	options.spaces = spaces_new();
	ck_assert_int_eq(collector_new(&collector, &options, &err), 0);
	source.wake_fd = collector_wake_fd(collector);
	collector_begin(collector, &source.source);
	wait_for_next(&source, 0);

	waits = atomic_load(&source.waits);
	collector_set_filter(collector, NULL);
	wait_for_next(&source, waits);
	collector_status(collector, &status);
	ck_assert(!status.filter_pending);
	ck_assert_uint_eq(status.filter_version, 1);

	waits = atomic_load(&source.waits);
	collector_zero(collector);
	wait_for_next(&source, waits);
	collector_status(collector, &status);
	ck_assert_uint_eq(status.filter_version, 2);

	waits = atomic_load(&source.waits);
	collector_set_user_stacks(collector, 42);
	wait_for_next(&source, waits);
	ck_assert_uint_eq(atomic_load(&source.user_stack_pid), 42);

	waits = atomic_load(&source.waits);
	collector_set_running(collector, false);
	wait_for_next(&source, waits);
	ck_assert(!atomic_load(&source.running));

	collector_stop(collector);
	collector_wait_end(collector);
	/* A collector that is freed during its wait ends, too. */
	collector_free(collector);
	ck_assert_int_eq(collector_new(&collector, &options, &err), 0);
	source.wake_fd = collector_wake_fd(collector);
	waits = atomic_load(&source.waits);
	collector_begin(collector, &source.source);
	wait_for_next(&source, waits);
	collector_free(collector);
	model_free(model);
	spaces_free(options.spaces);
}
END_TEST

/* -- The lossless reader ------------------------------------------------------------ */

/* A source of calls with argument bytes copied at their enters; never ends by itself. */
struct busy_source {
	struct source source;
	uint32_t calls; /* total calls */
	uint32_t each; /* calls per drain */
	uint32_t done;
	bool restarts; /* each call is made by a new thread and waits for its restart */
};

#define POINTED_BYTES 4096

struct pointed {
	struct capture_chunk chunk;
	unsigned char bytes[POINTED_BYTES];
};

static struct busy_source *busy_from(struct source *source)
{
	return (struct busy_source *)source;
}

static int busy_wait(struct source *source, int timeout_ms)
{
	if (busy_from(source)->done == busy_from(source)->calls)
		nanosleep(&(struct timespec){ .tv_nsec = timeout_ms * 1000000L }, NULL);
	return 0;
}

static void make_busy_call(struct busy_source *source, record_fn *take, void *ctx)
{
	uint32_t number = ++source->done, tid = source->restarts ? number + 10 : 10;
	struct pointed pointed = { .chunk = { .address = number, .len = POINTED_BYTES } };
	struct record enter = record_enter(number * 10, tid, SYS_openat, number);
	struct record exit = record_exit(number * 10 + 5, tid, SYS_openat,
					 source->restarts ? -512 : (int64_t)number);

	memset(pointed.bytes, (int)(number % 251), sizeof(pointed.bytes));
	enter.enter.entered_ns = enter.time_ns;
	enter.enter.bytes = (struct record_bytes){ .chunks = &pointed, .len = sizeof(pointed) };
	take(ctx, &enter);
	take(ctx, &exit);
}

static int busy_drain(struct source *source, record_fn *take, void *ctx, struct err *err)
{
	struct busy_source *busy = busy_from(source);

	(void)err;
	for (uint32_t i = 0; i < busy->each && busy->done < busy->calls; i++)
		make_busy_call(busy, take, ctx);
	return 0;
}

static int busy_set_running(struct source *source, bool running, struct err *err)
{
	(void)source;
	(void)running;
	(void)err;
	return 0;
}

static const struct source_ops busy_ops = {
	.name = "busy",
	.close = quiet_close,
	.wait = busy_wait,
	.drain = busy_drain,
	.set_filter = quiet_set_filter,
	.set_running = busy_set_running,
	.set_user_stacks = quiet_set_user_stacks,
	.status = quiet_status,
};

/* Match every n-th call, where n is *ctx; 0: none. */
static enum model_answer match_some(void *ctx, const struct call *call, const struct model *model)
{
	uint32_t every = *(const uint32_t *)ctx;

	(void)model;
	return every && (uint64_t)call->args[0] % every == 0 ? MODEL_YES : MODEL_NO;
}

static bool has_its_bytes(struct model *model, const struct call *call)
{
	struct capture_chunk chunk;
	const uint8_t *bytes;
	const void *chunks;
	size_t len;
	bool same;

	model_lock(model);
	chunks = history_bytes(model_history(model), call, &len);
	same = capture_chunks_find(chunks, len, call->args[0], false, &chunk, &bytes) &&
	       chunk.len == POINTED_BYTES && bytes[0] == call->args[0] % 251 &&
	       bytes[POINTED_BYTES - 1] == call->args[0] % 251;
	model_unlock(model);
	return same;
}

/* Read until the end; stop the collector once all calls are collected. */
static uint32_t read_until_end(struct collector *collector, struct model *model,
			       const struct busy_source *source, uint32_t every)
{
	struct model_status status;
	uint32_t count = 0;
	struct call calls[16];
	int got;

	while ((got = collector_read(collector, calls, 16, 10)) != -ENODATA) {
		for (int i = 0; i < got; i++) {
			count++;
			ck_assert_uint_eq(calls[i].args[0], (uint64_t)count * every);
			ck_assert_msg(has_its_bytes(model, &calls[i]), "bytes of call %u", count);
		}
		model_lock(model);
		model_status(model, &status);
		model_unlock(model);
		if (status.calls_seen == source->calls)
			collector_stop(collector);
	}
	return count;
}

/*
 * Calls that do not match need several times the memory of the history. A reader that waits for a
 * match must still get it, with its argument bytes.
 */
static const struct {
	const char *name;
	uint32_t calls, each, every;
	bool restarts;
} reader_cases[] = {
	{ "none matches", 20000, 20000, 0, false },
	{ "none matches, in small drains", 20000, 7, 0, false },
	{ "few match", 20000, 20000, 5000, false },
	{ "some match", 20000, 300, 100, false },
	{ "all match", 20000, 20000, 1, false },
	{ "more calls wait for a restart than fit", 5000, 5000, 1, true },
	{ "calls wait for a restart, none matches", 5000, 5000, 0, true },
};

START_TEST(a_reader_that_has_caught_up_holds_nothing)
{
	struct busy_source source = { .source.ops = &busy_ops,
				      .calls = reader_cases[_i].calls,
				      .each = reader_cases[_i].each,
				      .restarts = reader_cases[_i].restarts };
	struct model_options model_options = { .history_bytes = HISTORY_BYTES_MIN,
					       .pointed_bytes = HISTORY_POINTED_MIN,
					       .hold_for_reader = true };
	struct collector_options options = { .lossless = true };
	uint32_t every = reader_cases[_i].every, count;
	struct collector *collector;
	struct model *model;
	struct err err;

	ck_assert_int_eq(model_new(&model, &model_options, &err), 0);
	options.model = model;
	options.spaces = spaces_new();
	ck_assert_int_eq(collector_new(&collector, &options, &err), 0);
	model_lock(model);
	model_set_match(model, match_some, &every);
	model_unlock(model);
	collector_begin(collector, &source.source);
	count = read_until_end(collector, model, &source, every);
	ck_assert_msg(count == (every ? source.calls / every : 0), "%s: %u calls",
		      reader_cases[_i].name, count);
	collector_free(collector);
	model_free(model);
	spaces_free(options.spaces);
}
END_TEST

Suite *suite_collector(void);
Suite *suite_collector(void)
{
	Suite *suite = suite_create("collector");
	TCase *tc = tcase_create("collector");

	tcase_set_timeout(tc, 60); /* ends the test if the collector waits forever */
	tcase_add_test(tc, requests_wake_the_collector);
	tcase_add_loop_test(tc, a_reader_that_has_caught_up_holds_nothing, 0,
			    sizeof(reader_cases) / sizeof(*reader_cases));
	suite_add_tcase(suite, tc);
	return suite;
}
