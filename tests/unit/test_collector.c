#include "engine/collector.h"

#include <check.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>

/* A source to which nothing happens: it waits for its descriptor alone, however long. */
struct quiet_source {
	struct source source;
	int wake_fd;
	atomic_uint waits, deep_pid;
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

static int quiet_set_deep(struct source *source, const uint32_t *pids, size_t count,
			  struct err *err)
{
	(void)err;
	atomic_store(&from(source)->deep_pid, count ? pids[0] : 0);
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
	.set_deep = quiet_set_deep,
	.status = quiet_status,
};

/* It waits now, and has read what mail there was. */
static void wait_for_next(struct quiet_source *source, unsigned int waits)
{
	while (atomic_load(&source->waits) == waits)
		poll(NULL, 0, 1);
}

/* Nothing but the descriptor ends the source's wait: each request has to wake it. */
START_TEST(requests_wake_it)
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
	collector_set_deep(collector, 42);
	wait_for_next(&source, waits);
	ck_assert_uint_eq(atomic_load(&source.deep_pid), 42);

	waits = atomic_load(&source.waits);
	collector_set_running(collector, false);
	wait_for_next(&source, waits);
	ck_assert(!atomic_load(&source.running));

	collector_stop(collector);
	collector_wait_end(collector);
	/* One that is left in the middle of its wait ends too. */
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

Suite *suite_collector(void);
Suite *suite_collector(void)
{
	Suite *suite = suite_create("collector");
	TCase *tc = tcase_create("collector");

	tcase_add_test(tc, requests_wake_it);
	suite_add_tcase(suite, tc);
	return suite;
}
