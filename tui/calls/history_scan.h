/*
 * history_scan - visits each matching call of the history once, in steps, newest call first.
 *
 * The scan also visits calls that finish while it runs. UI thread only.
 */
#ifndef CALLS_HISTORY_SCAN_H
#define CALLS_HISTORY_SCAN_H

#include "engine/engine.h"

struct history_scan {
	struct filter *filter; /* NULL: all calls */
	uint64_t older_seq, newer_seq; /* calls from older_seq up to newer_seq were visited */
	uint64_t behind_max; /* maximum lag in calls; with a longer lag, skip to the newest */
	uint64_t skipped; /* number of calls in [older_seq, newer_seq) that were skipped */
	bool complete; /* the scan has reached the oldest call */
	uint64_t caught_ns; /* time when the scan last reached the newest call; 0: never */
};

void history_scan_release(struct history_scan *scan);
/* Restart with another filter. Takes the caller's reference to it. */
void history_scan_begin(struct history_scan *scan, struct engine *engine, struct filter *filter,
			uint64_t behind_max);

/* Visit a batch of calls. `newer`: they finished after the scan began. True: the result changed. */
typedef bool history_scan_fn(void *ctx, const struct call *calls, size_t count, bool newer);
/* Scan for a few milliseconds. True if `add` returned true for a batch. */
bool history_scan_step(struct history_scan *scan, struct engine *engine, history_scan_fn *add,
		       void *ctx);
/* Return the share of calls in [older_seq, newer_seq) that were not skipped, 0 to 1. */
double history_scan_share(const struct history_scan *scan);
/*
 * Extrapolate a sum over the visited calls to all calls. The sign is "~" if calls were skipped, so
 * that the sum is an estimate; else "".
 */
const char *history_scan_sign(const struct history_scan *scan);
uint64_t history_scan_scale(const struct history_scan *scan, uint64_t sum);
/* Append " (rows: a sample of 23 %)" if calls were skipped: the rows cover only that share. */
void history_scan_add_sample(const struct history_scan *scan, struct str *out);
/* Return the scanned share of the history, in percent. */
unsigned history_scan_percent(const struct history_scan *scan, struct engine *engine);

#endif
