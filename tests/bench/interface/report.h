/*
 * report - counters of the measured program, which the benchmark reads during the run.
 *
 * Both processes map the file at the path in BENCH_REPORT. The benchmark may reset counters to
 * zero. In the program, each counter has one writer or is incremented atomically.
 */
#ifndef INTERFACE_REPORT_H
#define INTERFACE_REPORT_H

#include <stdint.h>

/* Same order as FIELDS in tests/bench/interface.py. */
struct report {
	uint64_t calls; /* number of calls that the source made */
	uint64_t made_ps; /* CPU time to make one call, in ps; set at the end of the run */
	uint64_t behind; /* number of late drains, which skipped calls */
	uint64_t frames; /* number of frames with changes */
	uint64_t cells; /* number of changed cells in all frames */
	uint64_t turns; /* number of turns of the UI loop, from poll() to poll() */
	uint64_t turn_ns, turn_max_ns;
	uint64_t holds; /* number of holds of the model lock by the UI thread */
	uint64_t hold_ns, hold_max_ns, holds_over_1ms;
	uint64_t lock_wait_ns, lock_wait_max_ns; /* waits of the UI thread for the model lock */
	uint64_t other_hold_max_ns, other_holds_over_1ms; /* holds by all other threads */
};

/* Return the report; without BENCH_REPORT, a private one. Never NULL. */
struct report *report_get(void);

#endif
