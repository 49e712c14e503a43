/*
 * perf_syscall_events - events for a few system calls alone.
 *
 * Of whole CPUs or of threads; why, and for how many, is in syscall_events.h. Their records
 * have the layout of struct syscall_trace_enter and syscall_trace_exit
 * (include/trace/syscall.h of the kernel): the number, then as many arguments as the call has,
 * or the result.
 * The source's thread; prepare may be on another one.
 */
#ifndef LIVE_PERF_SYSCALL_EVENTS_H
#define LIVE_PERF_SYSCALL_EVENTS_H

#include "engine/record/kernel_filter.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/perf/perf_event_set.h"
#include "engine/source/perf/syscall_events.h"
#include "engine/source/source.h"

struct perf_syscall_events {
	struct perf_recipe recipes[SYSCALL_EVENTS_MAX + 2];
	size_t count; /* 0: raw_syscalls it is */
	size_t wanted; /* of them; those behind are told in silence, see RESUME_SILENT */
};

/*
 * The events for the calls that the filter wants; count is 0 if these are too many, or one of
 * them has no events that tell all of it. name: of a call's events, see source.h.
 */
void perf_syscall_events_prepare(struct perf_syscall_events *singles,
				 const struct kernel_filter *filter, syscall_event_fn *name,
				 struct perf_decode *decode);

#endif
