/*
 * bench_stacks - cost of callchains: to intern them, to resolve symbols, memory for a million.
 *
 * The chains are synthetic. Symbols are those of this program, its libraries and this kernel.
 * Prints a table.
 */
#include "engine/base/clock.h"
#include "engine/export/call_tree.h"
#include "engine/process/kallsyms.h"
#include "engine/stack/spaces.h"
#include "engine/stack/stacks.h"
#include "engine/stack/symbols.h"

#include <execinfo.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ADDS 1000000u
#define DISTINCT 10000u
#define KERNEL_FRAMES 14u
#define USER_FRAMES 10u
#define CHAIN (KERNEL_FRAMES + USER_FRAMES + 2)

static double seconds_since(uint64_t start_ns)
{
	return (double)(clock_now_ns() - start_ns) / NS_PER_S;
}

/* Make a chain that differs from the other chains in one middle frame. */
static void make_chain(uint64_t chain[CHAIN], uint32_t which)
{
	unsigned int at = 0;

	chain[at++] = (uint64_t)PERF_CONTEXT_KERNEL;
	for (unsigned int i = 0; i < KERNEL_FRAMES; i++)
		chain[at++] = 0xffffffff81000000ULL + i * 0x1230;
	chain[at++] = (uint64_t)PERF_CONTEXT_USER;
	for (unsigned int i = 0; i < USER_FRAMES; i++)
		chain[at++] = 0x555555554000ULL + i * 0x777 + (i == 4 ? which * 16ULL : 0);
}

static void bench_interning(void)
{
	uint64_t(*chains)[CHAIN] = malloc(DISTINCT * sizeof(*chains));
	struct stacks *stacks = stacks_new((size_t)1 << 30);
	struct spaces *spaces = spaces_new();
	uint32_t generations = 0;
	uint64_t start;

	for (uint32_t i = 0; i < DISTINCT; i++)
		make_chain(chains[i], i);
	start = clock_now_ns();
	for (uint32_t i = 0; i < ADDS; i++) {
		/* Use a pseudo-random order, so that the CPU cannot prefetch the next chain. */
		struct record_stack stack = {
			.ips = chains[i * 2654435761U % DISTINCT],
			.count = CHAIN,
		};

		stacks_add(stacks, 42, 1, &stack);
	}
	printf("  %-44s %8.0f ns\n", "intern a stack of 24 frames",
	       seconds_since(start) / ADDS * 1e9);
	printf("  %-44s %8u\n", "distinct stacks of 1,000,000 added", stacks_count(stacks));
	printf("  %-44s %8.1f MiB\n", "their memory", (double)stacks_bytes(stacks) / (1 << 20));
	start = clock_now_ns();
	for (uint32_t i = 0; i < ADDS; i++)
		generations += spaces_generation(spaces, i % 300);
	printf("  %-44s %8.0f ns\n", "generation of a process",
	       seconds_since(start) / ADDS * 1e9 + (double)generations);
	spaces_free(spaces);
	stacks_free(stacks);
	free(chains);
}

static void bench_kallsyms(void)
{
	const char *symbol, *module;
	struct kallsyms *kallsyms;
	uint64_t start = clock_now_ns(), function, found = 0;
	struct err err;

	if (kallsyms_read(&kallsyms, &err)) {
		printf("  %s\n", err.text);
		return;
	}
	printf("  %-44s %8.1f ms (%zu functions)\n", "read /proc/kallsyms",
	       seconds_since(start) * 1e3, kallsyms_count(kallsyms));
	start = clock_now_ns();
	for (uint32_t i = 0; i < ADDS; i++)
		found += kallsyms_find(kallsyms, 0xffffffff81000000ULL + i * 16ULL, &symbol,
				       &function, &module);
	printf("  %-44s %8.0f ns (%.0f %% found)\n", "name a kernel address",
	       seconds_since(start) / ADDS * 1e9, 100.0 * (double)found / ADDS);
	kallsyms_free(kallsyms);
}

static void bench_tree(const struct frame *frames, size_t count)
{
	struct call_tree *tree = call_tree_new(true);
	uint64_t start = clock_now_ns();

	for (unsigned int i = 0; i < 10000; i++)
		call_tree_add(tree, frames + i % count, count - i % count, i, 1);
	call_tree_finish(tree);
	printf("  %-44s %8.1f ms\n", "tree of 10,000 stacks", seconds_since(start) * 1e3);
	call_tree_free(tree);
}

static void bench_naming(void)
{
	static const size_t rounds = 20000;
	struct spaces *spaces = spaces_new();
	struct stacks *stacks = stacks_new(1 << 20);
	struct symbols *symbols;
	struct frame frames[128];
	struct stack stack;
	uint64_t ips[64], start;
	void *here[60];
	struct record_stack chain = { .ips = ips };
	struct err err;
	size_t count = 0;
	int depth = backtrace(here, 60);

	start = clock_now_ns();
	if (symbols_new(&symbols, spaces, &err) || symbols_start(symbols, &err)) {
		printf("  %s\n", err.text);
		return;
	}
	printf("  %-44s %8.2f ms\n", "fork the stack worker", seconds_since(start) * 1e3);
	ips[chain.count++] = (uint64_t)PERF_CONTEXT_USER;
	for (int i = 0; i < depth; i++)
		ips[chain.count++] = (uintptr_t)here[i];
	stacks_get(stacks, stacks_add(stacks, (uint32_t)getpid(), 0, &chain), &stack);
	start = clock_now_ns();
	for (int round = 0; round < 3; round++) {
		count = symbols_frames(symbols, &stack, frames, 128);
		symbols_settle(symbols, 10000);
	}
	printf("  %-44s %8.1f ms (%zu frames, libc's debug file too)\n",
	       "name a stack, no file read yet", seconds_since(start) * 1e3, count);
	start = clock_now_ns();
	for (size_t i = 0; i < rounds; i++)
		count = symbols_frames(symbols, &stack, frames, 128);
	printf("  %-44s %8.0f ns a frame\n", "name it again",
	       seconds_since(start) / (double)(rounds * count) * 1e9);
	bench_tree(frames, count);
	symbols_free(symbols);
	stacks_free(stacks);
	spaces_free(spaces);
}

int main(void)
{
	printf("Stacks\n");
	bench_naming(); /* first, as it forks the worker */
	bench_interning();
	bench_kallsyms();
	return 0;
}
