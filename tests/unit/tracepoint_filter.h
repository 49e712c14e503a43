/*
 * tracepoint_filter - evaluates the filter string of a tracepoint as the kernel does.
 *
 * Written from Documentation/trace/events.rst, "Event filtering", and
 * kernel/trace/trace_events_filter.c, not from the code that writes such strings. Supports numbers,
 * && (which binds tighter than ||), ||, ! and parentheses.
 */
#ifndef UNIT_TRACEPOINT_FILTER_H
#define UNIT_TRACEPOINT_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct tracepoint_field {
	const char *name;
	long value;
};

/* True if the filter ("": always) passes the fields. Abort the test if the kernel rejects it. */
bool tracepoint_filter_passes(const char *filter, const struct tracepoint_field *fields,
			      size_t field_count);

#endif
