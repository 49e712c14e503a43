/*
 * history_scan - all calls of the history that match a filter, once each, a bit at a time: the
 * newest first, while it keeps up with what comes.
 *
 * UI thread only.
 */
#ifndef CALLS_HISTORY_SCAN_H
#define CALLS_HISTORY_SCAN_H

#include "engine/engine.h"

struct history_scan {
	struct filter *filter; /* NULL: all */
	uint64_t older_seq, newer_seq; /* what lies between has been looked at */
	uint64_t behind_max; /* further behind, the newest are looked at and the rest is skipped */
	uint64_t skipped; /* calls of these that were not: more came than could be looked at */
	bool complete; /* the whole history has been looked at */
	uint64_t caught_ns; /* when it last reached the newest call; 0: never */
};

void history_scan_release(struct history_scan *scan);
/* Anew, with another filter, of which it takes the caller's reference. */
void history_scan_begin(struct history_scan *scan, struct engine *engine, struct filter *filter,
			uint64_t behind_max);

/* newer: they came since it began. True: there was something in them. */
typedef bool history_scan_fn(void *ctx, const struct call *calls, size_t count, bool newer);
/* Some milliseconds of it; true if one of the calls of `add` said so. */
bool history_scan_step(struct history_scan *scan, struct engine *engine, history_scan_fn *add,
		       void *ctx);
/* The share of the calls it was through with that were looked at, 0 to 1: 1, none was skipped. */
double history_scan_share(const struct history_scan *scan);
/* A sum of those calls, for all: of a sample it is an estimate, with a sign before it. */
const char *history_scan_sign(const struct history_scan *scan);
uint64_t history_scan_scale(const struct history_scan *scan, uint64_t sum);
/* " (rows: a sample of 23 %)" where calls were skipped, appended: rows are of so many. */
void history_scan_add_sample(const struct history_scan *scan, struct str *out);
/* How much of the history has been looked at. */
unsigned history_scan_percent(const struct history_scan *scan, struct engine *engine);

#endif
