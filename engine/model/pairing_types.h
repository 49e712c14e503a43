/*
 * pairing_types - state of pairing: calls, losses and held restarts that are not settled.
 *
 * For pairing.c, call_end.c and waits.c, which change it. The model owns and locks it.
 */
#ifndef MODEL_PAIRING_TYPES_H
#define MODEL_PAIRING_TYPES_H

#include "engine/model/sleepers.h"

/* Called for each call that ended and each orphan; `call` is borrowed. */
typedef void pairing_done_fn(void *ctx, const struct call *call);

struct pairing {
	struct tasks *tasks;
	pairing_done_fn *done;
	void *ctx;
	uint64_t lost_before_ns; /* time of the last loss of call records, on any CPU */
	/* last change of tracing or its filter: threads with calls since need no RECORD_INFLIGHT */
	uint64_t changed_ns;
	/* tracing is complete since this time: exits of earlier calls are dropped, not orphans */
	uint64_t started_ns;
	uint64_t dropped_orphans; /* exits of calls that were entered before tracing began */
	uint64_t in_flight; /* threads in a call, held calls included */
	uint64_t held; /* calls that wait for their restart */
	struct task *first_held, *last_held; /* by time of return */
	struct sleepers sleepers;
	uint64_t *cpu_lost_ns; /* time of the last loss, by CPU */
	size_t cpu_count;
	/* Time until which switches may have been lost, by CPU. blind_before_ns: the latest one. */
	uint64_t *cpu_switches_lost_ns;
	size_t blind_count;
	uint64_t blind_before_ns;
	bool waits_unwatched; /* the source emits no switch records ... */
	bool ins_unreported; /* ... or not every switch-in */
};

#endif
