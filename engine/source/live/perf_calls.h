/*
 * perf_calls - the events for enters and exits, and how they follow the filter.
 *
 * The kernel accepts one filter per event: a second PERF_EVENT_IOC_SET_FILTER fails with EEXIST
 * (Linux 6.18). A new filter therefore needs a new set of events. The new set is opened and enabled
 * beside the old one. Then the old set is disabled, and perf_closer closes it. On threads the old
 * set stays enabled a little longer, so that no fork is missed.
 *
 * While both sets are enabled, perf_decode drops duplicates (perf_period). A call that matches the
 * old and the new filter is reported once; its enter and exit can come from different sets. If the
 * new filter drops the exit of a call, the call stays in flight until the model discards it.
 *
 * Thread of the source only.
 */
#ifndef LIVE_PERF_CALLS_H
#define LIVE_PERF_CALLS_H

#include "engine/source/live/perf_plan_state.h"

struct perf_attach;

/* Open the first set, disabled, in plan->period. -errno with a message. */
int perf_calls_open(struct perf_plan *plan, const struct kernel_filter *filter, struct err *err);

/* False while too many replaced sets are enabled: the next change has to wait. */
bool perf_calls_take_change(const struct perf_plan *plan);
/* Change the filter. On failure the old one stays in force; -EAGAIN: the change has to wait. */
int perf_calls_set_filter(struct perf_plan *plan, const struct kernel_filter *filter,
			  struct err *err);

/*
 * Open events with the same filter on more places. -EAGAIN: the set has to be replaced. `what`: as
 * in perf_attach_open().
 */
int perf_calls_add(struct perf_plan *plan, const struct perf_attach *places, char *what);
/* Replace the set by events with this filter on all tasks that are watched now. */
int perf_calls_replace(struct perf_plan *plan, const struct kernel_filter *filter, struct err *err);
/* Close the events of one family (perf_place.head) in all sets. */
void perf_calls_drop(struct perf_plan *plan, uint32_t head);

/* Disable the replaced sets whose time has ended; UINT64_MAX: all of them. */
void perf_calls_retire(struct perf_plan *plan, uint64_t now_ns);

/* Forget sets that no record refers to; call after all records up to horizon_ns were decoded. */
void perf_calls_settle(struct perf_plan *plan, uint64_t horizon_ns);

#endif
