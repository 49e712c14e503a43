/*
 * flight_trigger - finds calls that match the trigger expression of the flight recorder.
 *
 * Calls are tested when they end, regardless of the display filter. Calls in flight are tested
 * periodically, so that a hanging call triggers before it returns. A call in flight matches only if
 * it matches because of its age, and would match at any greater age. Otherwise it is tested when it
 * ends. Each call triggers at most once. Collector only, locked.
 */
#ifndef RECORDER_FLIGHT_TRIGGER_H
#define RECORDER_FLIGHT_TRIGGER_H

#include "engine/base/idmap.h"
#include "engine/filter/match.h"
#include "engine/model/model.h"

/* Called for each matching call; for a call in flight, dur_ns is its age. */
typedef void flight_hit_fn(void *ctx, const struct call *call, const struct model *model);

#define FLIGHT_LATER_MAX 256 /* maximum number of calls that wait for symbol names */

struct flight_later {
	struct call call;
	uint64_t until_ns;
};

struct flight_trigger {
	struct match *match; /* owned; NULL: no call matches */
	struct kernel_filter half; /* quick test, passes a superset; unset if match is NULL */
	flight_hit_fn *hit;
	void *ctx;
	struct idmap
		/* tids whose call in flight has matched; the value is the enter time */
		reported;
	struct flight_later *later;
	size_t later_count;
	uint64_t symbols_version;
	struct tasks_walk walk;
	uint64_t walked_ns;
	bool first; /* first walk after arming: matching calls do not trigger */
	uint64_t pending_match; /* number of calls whose result stayed unknown */
};

/* filter NULL or match-all: no call matches. Takes a reference. */
void flight_trigger_init(struct flight_trigger *trigger, struct filter *filter, flight_hit_fn *hit,
			 void *ctx);
/* Locked, if the trigger was used. */
void flight_trigger_release(struct flight_trigger *trigger);

/* A model_tap_fn; ctx is the trigger. */
void flight_trigger_look(void *ctx, const struct call *call, const struct model *model);
/* After each drain: test calls in flight, and calls that wait for names. */
void flight_trigger_drained(struct flight_trigger *trigger, struct model *model, uint64_t now_ns);

#endif
