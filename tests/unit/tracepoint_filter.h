/*
 * tracepoint_filter - evaluates the filter string of a tracepoint as the kernel does.
 *
 * Written from Documentation/trace/events.rst, "Event filtering", and
 * kernel/trace/trace_events_filter.c, not from the code that writes such strings. Numbers only, &&
 * before ||, ! and parentheses.
 */
#ifndef UNIT_TRACEPOINT_FILTER_H
#define UNIT_TRACEPOINT_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct tracepoint_field {
	const char *name;
	long value;
};

/* Abort the test if the kernel would reject the string. "" passes everything. */
bool tracepoint_filter_passes(const char *filter, const struct tracepoint_field *fields,
			      size_t field_count);

#endif
