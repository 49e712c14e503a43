/*
 * perf_filter - a kernel_filter as the filter string of a tracepoint.
 *
 * The language is that of Documentation/trace/events.rst, "Event filtering". The kernel accepts at
 * most one page of text. A longer condition is coarsened: it can pass more calls, never fewer. Any
 * thread.
 */
#ifndef PERF_PERF_FILTER_H
#define PERF_PERF_FILTER_H

#include "engine/base/str.h"
#include "engine/record/kernel_filter.h"

#include <stddef.h>
#include <stdint.h>

#define PERF_FILTER_BYTES 4096 /* with the terminating NUL */

/*
 * Replace text by the condition for raw_syscalls:sys_enter and sys_exit; empty: no condition. It
 * passes the system calls that `filter` names, except calls of the threads in not_tids. If the text
 * gets too long, the last of these are omitted. The pids and tids of `filter` are not part of the
 * condition: they decide where events are opened, see live/perf_calls.h.
 */
void perf_filter_format(struct str *text, const struct kernel_filter *filter,
			const uint32_t *not_tids, size_t not_tid_count);

#endif
