/*
 * chrome_past - the last calls of a thread, to find the call in which it woke another thread.
 *
 * Viewers bind an arrow to the slice that is open where the arrow begins, and drop an arrow that
 * begins outside of all slices. Calls are emitted as they return, so the waker's call can come
 * before or after that of the woken thread. One thread.
 */
#ifndef EXPORT_CHROME_PAST_H
#define EXPORT_CHROME_PAST_H

#include <stdint.h>

#define CHROME_PAST_CALLS 8 /* a power of two */

/* A zeroed struct is empty. */
struct chrome_past {
	struct {
		uint64_t enter_ns, end_ns;
	} calls[CHROME_PAST_CALLS]; /* number n is at n % CHROME_PAST_CALLS */
	uint64_t count;
};

/* Add the next call of the thread, in order of end times. */
void chrome_past_add(struct chrome_past *past, uint64_t enter_ns, uint64_t end_ns);

enum chrome_place {
	CHROME_LATER, /* possibly in a call that has not arrived yet */
	CHROME_IN_CALL, /* within a call */
	CHROME_BETWEEN, /* between two calls, in user mode */
};

/*
 * Determine whether the thread acted in a call or between calls, given that it acted within
 * [from_ns, to_ns] (from_ns <= to_ns). *at_ns: middle of the possible span. past NULL: no calls.
 */
enum chrome_place chrome_past_place(const struct chrome_past *past, uint64_t from_ns,
				    uint64_t to_ns, uint64_t *at_ns);

#endif
