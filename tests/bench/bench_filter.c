/*
 * bench_filter - cost of a filter: to parse it, to match a call, to match a history of a million
 * calls, and the time until the kernel applies the pushdown.
 *
 * The calls are synthetic. Only the last table needs permission to trace. Prints tables.
 */
#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/engine.h"
#include "engine/filter/filter_names.h"
#include "engine/filter/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CALLS 1000000u
#define RUNS 5
#define HISTORY_BYTES ((size_t)160 << 20)
#define REFILL 4096
#define CHANGES 40

static const struct {
	const char *name, *text;
} filters[] = {
	{ "a system call", "syscall == futex" },
	{ "a duration", "dur > 10ms" },
	{ "a name, equal", "comm == worker-7" },
	{ "a name, by a pattern", "comm ~ \"^worker-[0-9]*7$\"" },
	{ "bits of an argument", "args.flags & O_CREAT" },
	{ "a path argument", "args.filename ~ \"^/etc/.*[.]conf$\"" },
	{ "a descendant", "descendant of 1" },
	{ "rich",
	  "(syscall in {openat, read, %network} and not failed or dur > 1ms) and comm ~ "
	  "\"^(nginx|worker-[0-9]+)$\" and pid not in {7, 9..12} and (args.flags & O_CREAT or "
	  "ret >= 64KiB or blocked > 100us)" },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct syscalls *syscalls;
static struct filter_names names;

static struct filter *parse(const char *text)
{
	struct filter *filter = NULL;
	struct filter_error error;

	if (filter_parse(&filter, text, &names, &error)) {
		fprintf(stderr, "bench_filter: %s: %s\n", text, error.err.text);
		exit(1);
	}
	return filter;
}

/* Feed one call of a mix that is typical of servers: 64 threads in 8 processes. */
static void feed_call(struct model *model, unsigned i, uint64_t time_ns)
{
	static const uint16_t numbers[] = { SYS_read,  SYS_write,      SYS_openat, SYS_close,
					    SYS_futex, SYS_epoll_wait, SYS_fstat,  SYS_recvfrom };
	uint32_t pid = 1000 + i / 8 % 8 * 8, tid = pid + i % 8;
	uint16_t nr = numbers[(i * 2654435761u >> 16) % COUNT(numbers)];
	struct record enter = { .kind = RECORD_ENTER,
				.time_ns = time_ns,
				.pid = pid,
				.tid = tid,
				.cpu = (uint16_t)(i & 1),
				.enter = { .nr = nr,
					   .args = { 3, 0x7f0000001000 + i % 64,
						     i % 3 ? 0x80000 : 0x80041 } } };
	struct record exit = { .kind = RECORD_EXIT,
			       .time_ns = time_ns + 50 + (i * 40503u >> 8) % 5000,
			       .pid = pid,
			       .tid = tid,
			       .cpu = (uint16_t)(i & 1),
			       .exit = { .nr = nr, .ret = i % 11 ? (int64_t)(i % 100000) : -11 } };

	model_feed(model, &enter);
	model_feed(model, &exit);
}

static struct model *make_history(void)
{
	struct model_options options = { .history_bytes = HISTORY_BYTES };
	struct model *model;
	struct err err;

	if (model_new(&model, &options, &err) < 0) {
		fprintf(stderr, "bench_filter: %s\n", err.text);
		exit(1);
	}
	model_lock(model);
	for (uint32_t i = 0; i < 64; i++) {
		char name[16];
		struct record comm = { .kind = RECORD_COMM,
				       .time_ns = 1,
				       .pid = 1000 + i / 8 * 8,
				       .tid = 1000 + i,
				       .comm = { .comm = name } };

		snprintf(name, sizeof(name), i % 4 ? "worker-%u" : "nginx", i);
		model_feed(model, &comm);
	}
	for (unsigned i = 0; i < CALLS; i++)
		feed_call(model, i, 1000000 + (uint64_t)i * 10000);
	model_unlock(model);
	return model;
}

static double best_of(double (*run)(const struct filter *filter, struct model *model),
		      const struct filter *filter, struct model *model)
{
	double best = run(filter, model);

	for (int i = 1; i < RUNS; i++) {
		double again = run(filter, model);
		best = again < best ? again : best;
	}
	return best;
}

/* Match calls that are in the CPU cache, like those of the collector. Return ns per call. */
static double ask(const struct filter *filter, struct model *model)
{
	struct filter_reader reader = match_reader(model, 0);
	struct call calls[1024];
	uint64_t first = history_first(model_history(model)), began_ns;
	unsigned matched = 0;

	for (size_t i = 0; i < COUNT(calls); i++)
		history_get(model_history(model), first + i, &calls[i]);
	began_ns = clock_now_ns();
	for (unsigned i = 0; i < CALLS; i++)
		matched += filter_match(filter, &calls[i % COUNT(calls)], &reader);
	__asm__ volatile("" : : "g"(matched) : "memory");
	return (double)(clock_now_ns() - began_ns) / CALLS;
}

/* Match the whole history, as the calls pane and the count during typing do. Return ms. */
static double look(const struct filter *filter, struct model *model)
{
	struct history *history = model_history(model);
	struct filter_reader reader = match_reader(model, 0);
	uint64_t end = history_end(history), began_ns = clock_now_ns();
	struct call call;
	unsigned matched = 0;

	for (uint64_t seq = history_first(history); seq < end; seq++)
		if (history_get(history, seq, &call))
			matched += filter_match(filter, &call, &reader);
	__asm__ volatile("" : : "g"(matched) : "memory");
	return (double)(clock_now_ns() - began_ns) / 1e6;
}

static uint64_t longest_ns;

/* Rebuild the sums of all views in steps, as the collector does. Return ms. */
static double refill(const struct filter *filter, struct model *model)
{
	struct match *match = match_new((struct filter *)(uintptr_t)filter);
	uint64_t began_ns = clock_now_ns(), step_ns;
	bool more = true;

	model_set_match(model, match_call, match);
	while (more) {
		step_ns = clock_now_ns();
		more = model_refill(model, REFILL);
		step_ns = clock_now_ns() - step_ns;
		longest_ns = step_ns > longest_ns ? step_ns : longest_ns;
	}
	began_ns = clock_now_ns() - began_ns;
	model_set_match(model, NULL, NULL);
	match_free(match);
	return (double)began_ns / 1e6;
}

static void bench_calls(void)
{
	struct model *model = make_history();
	uint64_t kept = history_end(model_history(model)) - history_first(model_history(model));

	printf("%-26s %10s %12s %16s %16s\n", "filter", "parse", "a call", "1 M calls, look",
	       "1 M calls, sums");
	model_lock(model);
	for (size_t i = 0; i < COUNT(filters); i++) {
		uint64_t began_ns = clock_now_ns();
		struct filter *filter = parse(filters[i].text);
		double parse_us = (double)(clock_now_ns() - began_ns) / 1e3;

		printf("%-26s %7.0f us %9.1f ns %13.1f ms %13.1f ms\n", filters[i].name, parse_us,
		       best_of(ask, filter, model),
		       best_of(look, filter, model) * CALLS / (double)kept,
		       best_of(refill, filter, model) * CALLS / (double)kept);
		filter_free(filter);
	}
	model_unlock(model);
	printf("longest hold of the model lock for the sums: %.2f ms; %llu of %u calls in the "
	       "history\n",
	       (double)longest_ns / 1e6, (unsigned long long)kept, CALLS);
	model_free(model);
}

/* -- Pushdown ----------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

static double change_ms(struct engine *engine, struct filter *filter)
{
	uint64_t began_ns = clock_now_ns();
	struct engine_status *status = mem_alloc(sizeof(*status));

	engine_set_filter(engine, filter);
	do {
		nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
		engine_status(engine, status);
	} while (status->filter_pending);
	free(status);
	return (double)(clock_now_ns() - began_ns) / 1e6;
}

static void bench_changes(enum source_calls calls, const char *name)
{
	static const char *const texts[] = { "syscall == futex",
					     "dur > 1ms and not failed",
					     "",
					     "%network",
					     "pid == 1",
					     "uid != 0",
					     "" };
	struct engine_options options = { .calls = calls,
					  .interactive = true,
					  .stacks = STACKS_AUTO };
	double times[CHANGES];
	struct engine *engine;
	struct err err;

	target_init(&options.target);
	if (engine_new(&engine, &err) < 0 || engine_start(engine, &options, &err) < 0) {
		printf("%-8s skipped: %s\n", name, err.text);
		return;
	}
	nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
	for (size_t i = 0; i < CHANGES; i++) {
		struct filter *filter = parse(texts[i % COUNT(texts)]);

		times[i] = change_ms(engine, filter);
		filter_free(filter);
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	}
	engine_stop(engine);
	engine_free(engine);
	qsort(times, CHANGES, sizeof(times[0]), compare_times);
	printf("%-8s best %6.2f ms   median %6.2f ms   worst %6.2f ms\n", name, times[0],
	       times[CHANGES / 2], times[CHANGES - 1]);
}

int main(void)
{
	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
	bench_calls();
	printf("\nfrom Enter until the kernel has the pushdown, whole system\n");
	bench_changes(SOURCE_CALLS_BPF, "bpf");
	bench_changes(SOURCE_CALLS_PERF, "perf");
	syscalls_free(syscalls);
	return 0;
}
