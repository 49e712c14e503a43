/*
 * chrome_trace - calls as a trace for Perfetto, chrome://tracing and other viewers.
 *
 * The output has the array form of the Trace Event Format (Duca and Sinclair, 2016), with one event
 * per line. Calls are complete events ("X") on the track of their thread. Wakeups are flows ("s",
 * "f") from the waker to the call that continued. Processes and threads have names ("M"). Other
 * tracepoints and losses are instants ("i"). Times are microseconds of CLOCK_MONOTONIC, with the
 * nanoseconds as decimals. A truncated file can be opened, too, as the format requires no closing
 * bracket. Events are in the order in which calls return; viewers sort them.
 *
 * Viewers drop a flow unless both ends lie within slices. A flow is therefore emitted after the
 * waker's call. If the waker was not in a call, a slice "wake" of at most 1 ns replaces the call.
 *
 * Stores the name and the last calls of each thread, and wakeups that wait for the waker's call;
 * both are bounded. One thread.
 */
#ifndef EXPORT_CHROME_TRACE_H
#define EXPORT_CHROME_TRACE_H

#include "engine/base/idmap.h"
#include "engine/decode/call_text.h"

struct chrome_wake;

struct chrome_trace {
	struct idmap threads; /* by tid: struct chrome_thread */
	struct idmap processes; /* by pid: processes that have a name */
	uint64_t flows; /* number of flows so far */
	struct chrome_wake *wakes; /* wakeups that wait for the waker's call */
	size_t wake_count;
	bool any;
};

/* Data that is not in struct call. All texts are escaped. */
struct chrome_call {
	const char *comm;
	const char *process; /* name of the process; NULL: that of the thread */
	const char *event, *event_text; /* of a CALL_EVENT; event_text NULL: unknown */
	uint32_t waker_pid; /* 0: unknown */
	const char *waker; /* name of the waker; NULL: unknown */
	const struct call_text_options *text; /* NULL is allowed */
};

void chrome_trace_init(struct chrome_trace *trace);
void chrome_trace_release(struct chrome_trace *trace);

void chrome_trace_begin(struct chrome_trace *trace, struct str *out);
void chrome_trace_add(struct chrome_trace *trace, struct str *out, const struct syscalls *syscalls,
		      const struct call *call, const struct chrome_call *more);
void chrome_trace_end(struct chrome_trace *trace, struct str *out);

#endif
