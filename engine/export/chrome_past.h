/*
 * chrome_past - the last calls of a thread, to tell in which of them it woke another.
 *
 * Viewers bind an arrow to the slice that is open where it begins, and drop one that begins in
 * none. Calls are told as they return, so the one that woke may come before the call that was
 * woken, or after it. One thread.
 */
#ifndef EXPORT_CHROME_PAST_H
#define EXPORT_CHROME_PAST_H

#include <stdint.h>

#define CHROME_PAST_CALLS 8 /* a power of two */

/* Zeroed is empty. */
struct chrome_past {
	struct {
		uint64_t enter_ns, end_ns;
	} calls[CHROME_PAST_CALLS]; /* number n is at n % CHROME_PAST_CALLS */
	uint64_t count;
};

/* In the order of their ends, as calls of one thread come. */
void chrome_past_add(struct chrome_past *past, uint64_t enter_ns, uint64_t end_ns);

enum chrome_place {
	CHROME_LATER, /* a call that is not there yet may have it */
	CHROME_IN_CALL, /* within one */
	CHROME_BETWEEN, /* in none: the thread was on its own way */
};

/*
 * Where in [from_ns, to_ns], which is not reversed, something was that this thread did: *at_ns,
 * in the middle of what is possible. past: NULL is empty.
 */
enum chrome_place chrome_past_place(const struct chrome_past *past, uint64_t from_ns,
				    uint64_t to_ns, uint64_t *at_ns);

#endif
