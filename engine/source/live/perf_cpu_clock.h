/*
 * perf_cpu_clock - stacks of threads that run in the kernel for long without waiting.
 *
 * A call that computes causes no switch record. The clock event of each CPU fires every
 * PERF_CPU_CLOCK_NS and samples the stack of a thread that is in the kernel. A call that runs for
 * 10 ms is thus sampled at least once. A sample costs 4 us.
 *
 * The events are on whole CPUs for any target, and perf_decode selects the samples of watched
 * tasks. Where that is not permitted, the events are on the target threads. If that is not
 * permitted either, there are no samples. Part of perf_plan. One thread.
 */
#ifndef LIVE_PERF_CPU_CLOCK_H
#define LIVE_PERF_CPU_CLOCK_H

#include "engine/source/live/perf_plan_state.h"
#include "engine/source/perf/perf_attach.h"

#define PERF_CPU_CLOCK_NS 8000000 /* 10 ms - YOUNG_NS: model discards samples of younger calls */

/* stack_bytes: size of the user stack to sample for unwinding; 0: frame pointers only. */
void perf_cpu_clock_open(struct perf_plan *plan, uint32_t stack_bytes);

#endif
