/*
 * event_attributes - how an event of perf was opened, in the words of perf_event_open(2).
 *
 * Constant tables; any thread.
 */
#ifndef REPORT_EVENT_ATTRIBUTES_H
#define REPORT_EVENT_ATTRIBUTES_H

#include "engine/base/str.h"

#include <linux/perf_event.h>

/* "tracepoint", or NULL. */
const char *event_attributes_type(const struct perf_event_attr *attr);
/* "monotonic", or NULL. */
const char *event_attributes_clock(const struct perf_event_attr *attr);
/* Names of bits that are set, each in front of the separator of the one before; appended. */
void event_attributes_add_sample(struct str *out, const struct perf_event_attr *attr,
				 const char *separator);
void event_attributes_add_flags(struct str *out, const struct perf_event_attr *attr,
				const char *separator);

#endif
