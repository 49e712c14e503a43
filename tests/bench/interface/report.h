/*
 * report - what the program counts of itself while it is measured, for who reads it meanwhile.
 *
 * A file of these numbers, mapped by both (the name is in BENCH_REPORT). Who measures may
 * write: zeros begin anew. Each number has one writer in the program, or is added to atomically.
 */
#ifndef INTERFACE_REPORT_H
#define INTERFACE_REPORT_H

#include <stdint.h>

/* In the order in which tests/bench/interface.py has them. */
struct report {
	uint64_t calls; /* that the source made */
	uint64_t made_ps; /* what making one takes of the collector; known at the end */
	uint64_t behind; /* how often the collector came too late, and calls were left out */
	uint64_t frames; /* that changed something on the screen */
	uint64_t cells; /* so many cells, in sum */
	uint64_t turns; /* of the interface's loop */
	uint64_t turn_ns, turn_max_ns;
	uint64_t holds; /* of the model's lock, by the interface */
	uint64_t hold_ns, hold_max_ns, holds_over_1ms;
	uint64_t lock_wait_ns, lock_wait_max_ns; /* what it waited for it */
	uint64_t other_hold_max_ns, other_holds_over_1ms; /* by all other threads */
};

/* Never NULL: where nobody asked for one, it is a private one. */
struct report *report_get(void);

#endif
