/*
 * bench_unwind - cost of a user stack that a worker with warm caches unwinds for the first time,
 * and of one that is in the table of unwound stacks.
 *
 * Samples its own stack. Prints a table.
 */
#include "engine/base/clock.h"
#include "engine/stack/stacks.h"
#include "engine/stack/symbols.h"
#include "engine/stack/unwinder.h"

#include <asm/perf_regs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_BYTES 8192u
#define DEPTH 10
#define WORKER_STACKS 20000u
#define FOUND_STACKS 1000000u

struct bench {
	uint64_t regs[3];
	unsigned char stack[STACK_BYTES];
	uint16_t frames;
};

static void take_reply(void *ctx, uint32_t tag, const struct unwound *unwound)
{
	struct bench *bench = ctx;

	(void)tag;
	bench->frames = unwound->count;
}

/* Sample rbp, rsp and rip, which are enough to unwind code that gcc compiled. */
__attribute__((noinline)) static int take_sample(struct bench *bench, int depth)
{
	ucontext_t context;
	volatile int room = depth;

	if (depth)
		room += take_sample(bench, depth - 1);
	if (depth)
		return room;
	getcontext(&context);
	bench->regs[0] = (uint64_t)context.uc_mcontext.gregs[REG_RBP];
	bench->regs[1] = (uint64_t)context.uc_mcontext.gregs[REG_RSP];
	bench->regs[2] = (uint64_t)context.uc_mcontext.gregs[REG_RIP];
	memcpy(bench->stack, (const void *)bench->regs[1], sizeof(bench->stack));
	return room;
}

static double us_since(uint64_t start_ns, uint32_t count)
{
	return (double)(clock_now_ns() - start_ns) / 1000.0 / count;
}

static void push(struct unwinder *unwinder, const struct unwinder_sample *sample)
{
	while (!unwinder_has_room(unwinder, sample))
		usleep(100);
	unwinder_push(unwinder, sample, 0);
}

int main(void)
{
	static struct bench bench;
	struct record_stack stack = {
		.user_regs = bench.regs,
		.user_regs_mask = 1ULL << PERF_REG_X86_BP | 1ULL << PERF_REG_X86_SP |
				  1ULL << PERF_REG_X86_IP,
		.user_stack = bench.stack,
		.user_stack_bytes = sizeof(bench.stack),
	};
	struct spaces *spaces = spaces_new();
	struct stacks *stacks = stacks_new((size_t)64 << 20);
	struct unwinder_options options = { .spaces = spaces, .done = take_reply, .ctx = &bench };
	struct unwinder_sample sample;
	struct unwinder *unwinder;
	struct symbols *symbols;
	struct unwound unwound;
	struct err err = { "" };
	uint32_t found = 0;
	uint64_t start;

	/* main() is near the end of the stack. Make STACK_BYTES above the sample readable. */
	volatile unsigned char above[STACK_BYTES];

	above[0] = 0;
	if (symbols_new(&symbols, spaces, &err))
		goto fail;
	options.fork_server = symbols_fork_server(symbols);
	if (unwinder_new(&unwinder, &options, &err))
		goto fail;
	take_sample(&bench, DEPTH + above[0]);
	unwinder_prepare(unwinder, (uint32_t)getpid(), &stack, &sample);
	start = clock_now_ns();
	push(unwinder, &sample);
	unwinder_settle(unwinder, 10000);
	printf("%-44s %9.2f us\n", "first stack of a process, files opened", us_since(start, 1));
	unwinder_prepare(unwinder, (uint32_t)getpid(), &stack, &sample);
	start = clock_now_ns();
	for (uint32_t i = 0; i < WORKER_STACKS; i++)
		push(unwinder, &sample);
	unwinder_settle(unwinder, 10000);
	printf("%-44s %9.2f us\n", "unwound by the worker, its caches warm",
	       us_since(start, WORKER_STACKS));
	start = clock_now_ns();
	for (uint32_t i = 0; i < FOUND_STACKS; i++) {
		unwinder_prepare(unwinder, (uint32_t)getpid(), &stack, &sample);
		if (!unwinder_find(unwinder, &sample, &unwound))
			continue;
		found++;
		stacks_add_unwound(stacks, (uint32_t)getpid(), 0, &stack, unwound.ips,
				   unwound.count, unwound.flags);
	}
	printf("%-44s %9.2f us\n", "found in the memo, and interned",
	       us_since(start, FOUND_STACKS));
	printf("%u frames; %u of %u found\n", bench.frames, found, FOUND_STACKS);
	unwinder_free(unwinder);
	symbols_free(symbols);
	stacks_free(stacks);
	spaces_free(spaces);
	return 0;
fail:
	fprintf(stderr, "bench_unwind: %s\n", err.text);
	return 1;
}
