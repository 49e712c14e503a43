/*
 * event_attributes - the attributes of a perf event, with the names of perf_event_open(2).
 *
 * Constant tables; any thread.
 */
#ifndef REPORT_EVENT_ATTRIBUTES_H
#define REPORT_EVENT_ATTRIBUTES_H

#include "engine/base/str.h"

#include <linux/perf_event.h>

/* Return the type, such as "tracepoint", or NULL. */
const char *event_attributes_type(const struct perf_event_attr *attr);
/* Return the clock, such as "monotonic", or NULL. */
const char *event_attributes_clock(const struct perf_event_attr *attr);
/* Append the names of the set bits, with the separator between them. */
void event_attributes_add_sample(struct str *out, const struct perf_event_attr *attr,
				 const char *separator);
void event_attributes_add_flags(struct str *out, const struct perf_event_attr *attr,
				const char *separator);

#endif
