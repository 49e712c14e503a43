/*
 * report - counters of the measured program, which the benchmark reads during the run.
 *
 * A file mapped by both processes; its path is in BENCH_REPORT. The benchmark may reset counters to
 * zero. Each counter has one writer in the program, or is added to atomically.
 */
#ifndef INTERFACE_REPORT_H
#define INTERFACE_REPORT_H

#include <stdint.h>

/* Same order as FIELDS in tests/bench/interface.py. */
struct report {
	uint64_t calls; /* made by the source */
	uint64_t made_ps; /* collector time to make one call; set at the end */
	uint64_t behind; /* number of late drains, which skipped calls */
	uint64_t frames; /* with changes */
	uint64_t cells; /* changed, in all frames */
	uint64_t turns; /* of the UI loop, from poll() to poll() */
	uint64_t turn_ns, turn_max_ns;
	uint64_t holds; /* of the model lock by the UI thread */
	uint64_t hold_ns, hold_max_ns, holds_over_1ms;
	uint64_t lock_wait_ns, lock_wait_max_ns; /* of the UI thread for the model lock */
	uint64_t other_hold_max_ns, other_holds_over_1ms; /* by all other threads */
};

/* Never NULL: a private report without BENCH_REPORT. */
struct report *report_get(void);

#endif
