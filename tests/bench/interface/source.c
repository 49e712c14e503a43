/*
 * source - replaces the live source of the measured program by synthetic records (traffic.h).
 *
 * Makes BENCH_CALLS_PER_S calls per second of BENCH_PROCESSES processes. If BENCH_PIDS is set, the
 * pids are the lines of that file. The rest of the program is unchanged.
 */
#include "engine/source/source.h"
#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "tests/bench/interface/report.h"
#include "tests/bench/interface/traffic.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Time that the rings hold: after a longer delay of the collector, the kernel would lose calls. */
#define BEHIND_NS (NS_PER_S / 4)
/* Interval at which the kernel wakes the collector. */
#define WAKE_MS 10
/* Span of traffic that time_making() makes to measure the cost. */
#define TRIAL_NS (NS_PER_S / 2)

int __wrap_source_open_live(struct source **source, const struct source_options *options,
			    struct err *err);

struct made_source {
	struct source source;
	struct traffic *traffic;
	uint32_t *pids;
	uint32_t processes;
	int wake_fd;
	bool begun, stopped;
};

static struct made_source *from(struct source *source)
{
	return (struct made_source *)source;
}

static uint64_t number(const char *name, uint64_t fallback)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : fallback;
}

static void drop(void *ctx, const struct record *record)
{
	(void)ctx;
	(void)record;
}

static uint64_t own_time_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

/* Measure the CPU time to make a call. Called at the end of the run. */
static void time_making(struct made_source *made)
{
	uint64_t began_ns = own_time_ns(), until_ns = traffic_now(made->traffic) + TRIAL_NS;
	uint64_t calls = traffic_until(made->traffic, until_ns, drop, NULL);

	if (calls)
		report_get()->made_ps = (own_time_ns() - began_ns) * 1000 / calls;
}

static void made_close(struct source *source)
{
	struct made_source *made = from(source);

	time_making(made);
	traffic_free(made->traffic);
	free(made->pids);
	free(made);
}

static int made_start(struct source *source, struct err *err)
{
	(void)source;
	(void)err;
	return 0;
}

static int made_wait(struct source *source, int timeout_ms)
{
	struct pollfd fd = { .fd = from(source)->wake_fd, .events = POLLIN };

	poll(&fd, 1, timeout_ms < WAKE_MS ? timeout_ms : WAKE_MS);
	return 1;
}

static int made_drain(struct source *source, record_fn *take, void *ctx, struct err *err)
{
	struct made_source *made = from(source);
	struct report *report = report_get();
	uint64_t now_ns = clock_now_ns();

	(void)err;
	if (!made->begun) {
		traffic_begin(made->traffic, take, ctx);
		made->begun = true;
	}
	if (made->stopped) {
		traffic_skip(made->traffic, now_ns);
		return 0;
	}
	if (now_ns > traffic_now(made->traffic) + BEHIND_NS) {
		report->behind++;
		traffic_skip(made->traffic, now_ns - BEHIND_NS);
	}
	report->calls += traffic_until(made->traffic, now_ns, take, ctx);
	return 0;
}

/* Refuse the pushdown: the filter then has to test every call, its worst case. */
static int made_set_filter(struct source *source, const struct kernel_filter *filter,
			   struct err *err)
{
	(void)source;
	(void)filter;
	return err_set(err, -EOPNOTSUPP, "made-up calls are not filtered");
}

static int made_set_running(struct source *source, bool running, struct err *err)
{
	(void)err;
	from(source)->stopped = !running;
	return 0;
}

static void made_status(struct source *source, struct source_status *status)
{
	(void)source;
	memset(status, 0, sizeof(*status));
	status->name = "bpf";
	status->has_waits = status->has_wakers = true;
}

static const struct source_ops ops = {
	.name = "bpf",
	.close = made_close,
	.start = made_start,
	.wait = made_wait,
	.drain = made_drain,
	.set_filter = made_set_filter,
	.set_running = made_set_running,
	.status = made_status,
};

static void read_pids(struct made_source *made)
{
	const char *path = getenv("BENCH_PIDS");
	FILE *file = path ? fopen(path, "re") : NULL;
	uint32_t count = 0;

	if (!file)
		return;
	made->pids = mem_zalloc(made->processes, sizeof(*made->pids));
	while (count < made->processes && fscanf(file, "%u", &made->pids[count]) == 1)
		count++;
	fclose(file);
	made->processes = count;
}

int __wrap_source_open_live(struct source **source, const struct source_options *options,
			    struct err *err)
{
	struct made_source *made = mem_zalloc(1, sizeof(*made));
	struct traffic_options traffic = { .calls_per_s = number("BENCH_CALLS_PER_S", 500000) };

	(void)err;
	made->source.ops = &ops;
	made->processes = (uint32_t)number("BENCH_PROCESSES", 5000);
	made->wake_fd = options->wake_fd;
	read_pids(made);
	traffic.processes = made->processes;
	traffic.pids = made->pids;
	made->traffic = traffic_new(&traffic, clock_now_ns());
	*source = &made->source;
	return 0;
}
