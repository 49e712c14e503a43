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
	uint64_t calls; /* calls that the source made */
	uint64_t made_ps; /* collector time to make one call, in ps; set at the end */
	uint64_t behind; /* number of late drains, which skipped calls */
	uint64_t frames; /* frames with changes */
	uint64_t cells; /* changed cells of all frames */
	uint64_t turns; /* turns of the UI loop, from poll() to poll() */
	uint64_t turn_ns, turn_max_ns;
	uint64_t holds; /* holds of the model lock by the UI thread */
	uint64_t hold_ns, hold_max_ns, holds_over_1ms;
	uint64_t lock_wait_ns, lock_wait_max_ns; /* waits of the UI thread for the model lock */
	uint64_t other_hold_max_ns, other_holds_over_1ms; /* by all other threads */
};

/* Return the report; without BENCH_REPORT, a private one. Never NULL. */
struct report *report_get(void);

#endif
