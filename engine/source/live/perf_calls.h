/*
 * perf_calls - the events for enters and exits, and how they follow the filter.
 *
 * The kernel gives an event one filter for its life: a second
 * PERF_EVENT_IOC_SET_FILTER is answered with EEXIST (Linux 6.18). So another filter means
 * another set of events, opened and enabled beside the old one, which is
 * disabled then (or, where a birth might be missed, a little later) and closed by
 * perf_closer. While both are enabled, perf_decode drops what is told twice
 * (perf_period). Calls that both filters want are there once; their two halves may
 * come from different sets. A call whose exit the new filter does not want stays
 * open: the model has to let go of it.
 * The source's thread only.
 */
#ifndef LIVE_PERF_CALLS_H
#define LIVE_PERF_CALLS_H

#include "engine/source/live/perf_plan_state.h"

struct perf_attach;

/* The first set, disabled, in plan->period. -errno with a sentence. */
int perf_calls_open(struct perf_plan *plan, const struct kernel_filter *filter, struct err *err);

/* False while so many replaced sets are enabled that another change has to wait. */
bool perf_calls_take_change(const struct perf_plan *plan);
/* Moves to another filter. On failure the old one stays in force; -EAGAIN: it has to wait. */
int perf_calls_set_filter(struct perf_plan *plan, const struct kernel_filter *filter,
			  struct err *err);

/* The same filter on more places; -EAGAIN: they have to be replaced. `what` as of the places. */
int perf_calls_add(struct perf_plan *plan, const struct perf_attach *places, char *what);
/* Events of the same filter in place of those that there are, on whoever is watched now. */
int perf_calls_replace(struct perf_plan *plan, const struct kernel_filter *filter, struct err *err);
/* Of one family (perf_place.head), nothing more is told. */
void perf_calls_drop(struct perf_plan *plan, uint32_t head);

/* Disables the replaced sets whose time is over; UINT64_MAX: all of them. */
void perf_calls_retire(struct perf_plan *plan, uint64_t now_ns);

/* After everything up to horizon_ns was decoded: forgets sets that no record refers to. */
void perf_calls_settle(struct perf_plan *plan, uint64_t horizon_ns);

#endif
