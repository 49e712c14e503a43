/*
 * chrome_trace - calls as a trace that Perfetto, chrome://tracing and others open.
 *
 * The array form of the Trace Event Format (Duca and Sinclair, 2016), a line for each event:
 * calls are complete events ("X") on the track of their thread, wake-ups flows ("s", "f") from the
 * waker to the call that went on, processes and threads have names ("M"), other tracepoints and
 * losses are instants ("i"). Times are microseconds of CLOCK_MONOTONIC, with the nanoseconds
 * behind the point. A file that breaks off is opened too, as the format asks for no end. Events
 * come as calls return; viewers sort them.
 *
 * Both ends of a flow lie within slices, as viewers drop it otherwise: it is told once the
 * waker's call is, and where there was none, a slice "wake" of a nanosecond stands for it.
 *
 * Remembers of each thread its name and its last calls, and wake-ups whose waker's call is not
 * there yet, so many at most. One thread.
 */
#ifndef EXPORT_CHROME_TRACE_H
#define EXPORT_CHROME_TRACE_H

#include "engine/base/idmap.h"
#include "engine/decode/call_text.h"

struct chrome_wake;

struct chrome_trace {
	struct idmap threads; /* by tid: struct chrome_thread */
	struct idmap processes; /* by pid, of those that were named */
	uint64_t flows; /* so many so far */
	struct chrome_wake *wakes; /* those that wait for the waker's call */
	size_t wake_count;
	bool any;
};

/* What a call alone does not say. All escaped. */
struct chrome_call {
	const char *comm;
	const char *process; /* what its process is called; NULL: as the thread */
	const char *event, *event_text; /* of a CALL_EVENT; the text may be NULL */
	uint32_t waker_pid; /* 0: not known */
	const char *waker; /* what it is called; NULL: not known */
	const struct call_text_options *text; /* may be NULL */
};

void chrome_trace_init(struct chrome_trace *trace);
void chrome_trace_release(struct chrome_trace *trace);

void chrome_trace_begin(struct chrome_trace *trace, struct str *out);
void chrome_trace_add(struct chrome_trace *trace, struct str *out, const struct syscalls *syscalls,
		      const struct call *call, const struct chrome_call *more);
void chrome_trace_end(struct chrome_trace *trace, struct str *out);

#endif
