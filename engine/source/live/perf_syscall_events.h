/*
 * perf_syscall_events - events for a few system calls only.
 *
 * The events are on whole CPUs or on threads; syscall_events.h has the reasons and the maximum
 * number. Records have the layout of struct syscall_trace_enter and syscall_trace_exit
 * (include/trace/syscall.h of the kernel): the number, then the arguments of the call or its
 * result.
 *
 * Thread of the source; prepare may run on another one.
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
	size_t count; /* 0: use raw_syscalls */
	size_t wanted; /* recipes for the filter; those after them only emit RESUME_SILENT */
};

/*
 * Prepare the events for the calls that the filter wants. count is 0 if these calls are too many,
 * or if one of them lacks usable events. name: returns the name of a call's events, see source.h.
 */
void perf_syscall_events_prepare(struct perf_syscall_events *singles,
				 const struct kernel_filter *filter, syscall_event_fn *name,
				 struct perf_decode *decode);

#endif
