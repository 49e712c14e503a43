/*
 * flight_trigger - which call freezes the flight recorder: one that matches its expression.
 *
 * Calls are asked about when they end, whatever the filter of what is shown says of them, and
 * those in flight now and then: one that hangs is to be told while it hangs. In flight it counts
 * if its age alone made it match, and no age to come will change that; everything else is known
 * when it ends. A call is told once. The collector's, locked.
 */
#ifndef RECORDER_FLIGHT_TRIGGER_H
#define RECORDER_FLIGHT_TRIGGER_H

#include "engine/base/idmap.h"
#include "engine/filter/match.h"
#include "engine/model/model.h"

/* A call matched; in flight: dur_ns is its age. */
typedef void flight_hit_fn(void *ctx, const struct call *call, const struct model *model);

#define FLIGHT_LATER_MAX 256 /* calls that wait for names of functions */

struct flight_later {
	struct call call;
	uint64_t until_ns;
};

struct flight_trigger {
	struct match *match; /* owned; NULL: no call does */
	struct kernel_filter half; /* lets more through, and is quicker asked; with match */
	flight_hit_fn *hit;
	void *ctx;
	struct idmap
		reported; /* threads: their call in flight has matched; the value is the time of
			    * its enter */
	struct flight_later *later;
	size_t later_count;
	uint64_t symbols_version;
	struct tasks_walk walk;
	uint64_t walked_ns;
	bool first; /* the walk is the first one: what matches already is no news */
	uint64_t pending_match; /* calls of which it was never known */
};

/* filter NULL, or one of everything: no call. Takes a reference. */
void flight_trigger_init(struct flight_trigger *trigger, struct filter *filter, flight_hit_fn *hit,
			 void *ctx);
/* Locked too, if it was used. */
void flight_trigger_release(struct flight_trigger *trigger);

/* A model_tap_fn; ctx is the trigger. */
void flight_trigger_look(void *ctx, const struct call *call, const struct model *model);
/* After each drain: calls in flight, and those that waited for names. */
void flight_trigger_drained(struct flight_trigger *trigger, struct model *model, uint64_t now_ns);

#endif
