/*
 * event_names - names of the tracepoints that -E adds, by event number.
 *
 * Numbers count from 0. Numbers and names stay valid until event_names_free(), because the history
 * retains events after their tracepoint is disabled. A tracepoint that is created again with other
 * fields gets a new number, so two numbers can have one name. Any thread.
 */
#ifndef RECORD_EVENT_NAMES_H
#define RECORD_EVENT_NAMES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NAMES_MAX 4096 /* maximum number of names per run of stxtop */

struct event_names {
	_Atomic(char *) names[EVENT_NAMES_MAX];
	atomic_uint count;
};

struct event_names *event_names_new(void);
void event_names_free(struct event_names *names);

/*
 * Add a name such as "sched:sched_switch", escaped, and return its number. One thread at a time.
 * -ENOSPC if the table is full.
 */
int event_names_add(struct event_names *names, const char *name);

static inline uint32_t event_names_count(const struct event_names *names)
{
	return atomic_load_explicit(&names->count, memory_order_acquire);
}

/* Return the name; NULL if the number is unused. */
static inline const char *event_names_get(const struct event_names *names, uint64_t number)
{
	return number < EVENT_NAMES_MAX
		       ? atomic_load_explicit(&names->names[number], memory_order_acquire)
		       : NULL;
}

#endif
