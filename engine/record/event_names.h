/*
 * event_names - the other tracepoints by the numbers under which their events are kept.
 *
 * Numbers count from 0 and mean the same until the end: events stay in the history when nobody
 * watches their tracepoint any more. A tracepoint that came back with other fields gets
 * another number, so two numbers may have one name. Any thread; a name that was got is good as
 * long as the table is.
 */
#ifndef RECORD_EVENT_NAMES_H
#define RECORD_EVENT_NAMES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NAMES_MAX 4096 /* in one run of the program */

struct event_names {
	_Atomic(char *) names[EVENT_NAMES_MAX];
	atomic_uint count;
};

struct event_names *event_names_new(void);
void event_names_free(struct event_names *names);

/* "sched:sched_switch", escaped; one thread at a time. -ENOSPC: there are too many. */
int event_names_add(struct event_names *names, const char *name);

static inline uint32_t event_names_count(const struct event_names *names)
{
	return atomic_load_explicit(&names->count, memory_order_acquire);
}

/* NULL: there is no such number. */
static inline const char *event_names_get(const struct event_names *names, uint64_t number)
{
	return number < EVENT_NAMES_MAX
		       ? atomic_load_explicit(&names->names[number], memory_order_acquire)
		       : NULL;
}

#endif
