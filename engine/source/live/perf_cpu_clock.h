/*
 * perf_cpu_clock - where threads are that are in the kernel for long without waiting.
 *
 * No switch tells of a call that computes. The clock of each CPU does: every PERF_CPU_CLOCK_NS it
 * takes the stack of who is in the kernel, so that a call that runs for 10 ms is met at least
 * once; it costs 4 us of that time. On whole CPUs whatever the targets are, of whom perf_decode
 * keeps the samples; on their threads where that is not permitted; nowhere where neither is. A
 * part of perf_plan, which see. One thread.
 */
#ifndef LIVE_PERF_CPU_CLOCK_H
#define LIVE_PERF_CPU_CLOCK_H

#include "engine/source/live/perf_plan_state.h"
#include "engine/source/perf/perf_attach.h"

#define PERF_CPU_CLOCK_NS 8000000 /* what is younger than 2 ms is not kept (model/waits.c) */

/* stack_bytes: of the user's stack, to be unwound; 0: frame pointers alone. */
void perf_cpu_clock_open(struct perf_plan *plan, uint32_t stack_bytes);

#endif
