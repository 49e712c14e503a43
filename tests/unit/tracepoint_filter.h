/*
 * tracepoint_filter - what the kernel makes of a tracepoint's filter string.
 *
 * Written from Documentation/trace/events.rst, "Event filtering", and
 * kernel/trace/trace_events_filter.c, not from what writes such strings: numbers alone,
 * && before ||, ! and parentheses.
 */
#ifndef UNIT_TRACEPOINT_FILTER_H
#define UNIT_TRACEPOINT_FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct tracepoint_field {
	const char *name;
	long value;
};

/* Aborts the test where the kernel would refuse the string. "" takes everything. */
bool tracepoint_filter_passes(const char *filter, const struct tracepoint_field *fields,
			      size_t field_count);

#endif
