/*
 * bench_model - cost of one system call in the model: to pair its enter and exit, and to add the
 * call to the history and the totals.
 *
 * The records are synthetic, not from the kernel. Prints a table.
 */
#include "engine/base/clock.h"
#include "engine/model/model.h"

#include <stdio.h>
#include <stdlib.h>

#define PAIRS 2000000u
#define RUNS 5
#define HISTORY_BYTES ((size_t)64 << 20)

static const unsigned thread_counts[] = { 1, 2, 100, 3000 };
/* System calls typical of servers. run() gives them durations over about four powers of two. */
static const uint32_t numbers[] = { 0, 1, 3, 7, 9, 202, 232, 257 };
#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

static enum model_answer every_second(void *ctx, const struct call *call, const struct model *model)
{
	(void)ctx;
	(void)model;
	return call->ret & 1 ? MODEL_YES : MODEL_NO;
}

static enum model_answer every_one(void *ctx, const struct call *call, const struct model *model)
{
	(void)ctx;
	(void)call;
	(void)model;
	return MODEL_YES;
}

/* Stand in for the model, to measure the loop alone; the optimiser must not remove the loop. */
static void feed_nothing(const struct record *record)
{
	__asm__ volatile("" : : "g"(record) : "memory");
}

static double run(struct model *model, unsigned threads)
{
	struct record enter = { .kind = RECORD_ENTER }, exit = { .kind = RECORD_EXIT };
	uint64_t time_ns = 1000000, began_ns = clock_now_ns();
	unsigned burst = threads < 64 ? threads : 64;
	unsigned first = 0, number = 0;

	/* Feed a burst of enters, then their exits, as from the merged rings of two CPUs. */
	for (unsigned done = 0; done < PAIRS; done += burst) {
		for (unsigned i = 0; i < burst; i++) {
			unsigned tid = (first + i) % threads;

			enter.time_ns = time_ns += 100;
			enter.pid = 1000 + tid / 8 * 8;
			enter.tid = 1000 + tid;
			enter.cpu = tid & 1;
			enter.enter.nr = numbers[(number + i) % NUMBERS];
			if (model)
				model_feed(model, &enter);
			else
				feed_nothing(&enter);
		}
		for (unsigned i = 0; i < burst; i++) {
			unsigned tid = (first + i) % threads;

			exit.time_ns = time_ns += 50 + (done * 2654435761u >> 22);
			exit.pid = 1000 + tid / 8 * 8;
			exit.tid = 1000 + tid;
			exit.cpu = tid & 1;
			exit.exit.nr = numbers[(number + i) % NUMBERS];
			exit.exit.ret = (int64_t)(done + i);
			if (model)
				model_feed(model, &exit);
			else
				feed_nothing(&exit);
		}
		first = (first + burst) % threads;
		number++;
	}
	return (double)(clock_now_ns() - began_ns) / PAIRS;
}

static double run_once(unsigned threads, model_match_fn *match)
{
	struct model_options options = { .history_bytes = HISTORY_BYTES };
	struct model *model;
	struct err err;
	double ns;

	if (model_new(&model, &options, &err) < 0) {
		fprintf(stderr, "bench_model: %s\n", err.text);
		exit(1);
	}
	model_lock(model);
	if (match)
		model_set_match(model, match, NULL);
	ns = run(model, threads) - run(NULL, threads);
	model_unlock(model);
	model_free(model);
	return ns;
}

/* Return the best run: other load only adds time. */
static double run_with(unsigned threads, model_match_fn *match)
{
	double best = run_once(threads, match);

	for (int i = 1; i < RUNS; i++) {
		double ns = run_once(threads, match);

		if (ns < best)
			best = ns;
	}
	return best;
}

int main(void)
{
	printf("%-10s %14s %14s %14s\n", "threads", "no filter", "all match", "half match");
	for (size_t i = 0; i < sizeof(thread_counts) / sizeof(thread_counts[0]); i++) {
		unsigned threads = thread_counts[i];

		printf("%-10u %8.1f ns    %8.1f ns    %8.1f ns\n", threads, run_with(threads, NULL),
		       run_with(threads, every_one), run_with(threads, every_second));
	}
	printf("enter and exit of a call in the model\n");
	return 0;
}
