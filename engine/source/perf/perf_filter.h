/*
 * perf_filter - a kernel_filter as the filter string of a tracepoint.
 *
 * The language is that of Documentation/trace/events.rst, "Event filtering".
 * The kernel takes at most one page; what does not fit is written coarser:
 * it may let more through, never less. Any thread.
 */
#ifndef PERF_PERF_FILTER_H
#define PERF_PERF_FILTER_H

#include "engine/base/str.h"
#include "engine/record/kernel_filter.h"

#include <stddef.h>
#include <stdint.h>

#define PERF_FILTER_BYTES 4096 /* with the terminating NUL */

/*
 * The condition for raw_syscalls:sys_enter and sys_exit: the syscalls of `filter` and
 * none of the threads in not_tids, the most important first. Processes and threads to
 * keep are not in it: that is for the choice of events, see perf_source.c.
 * Replaces text; empty: no condition.
 */
void perf_filter_format(struct str *text, const struct kernel_filter *filter,
			const uint32_t *not_tids, size_t not_tid_count);

#endif
