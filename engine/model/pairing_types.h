/*
 * pairing_types - the state of pairing: what of enters, exits and losses is not settled yet.
 *
 * For pairing.c, call_end.c and waits.c, which change it, and for the model, which owns and
 * locks it.
 */
#ifndef MODEL_PAIRING_TYPES_H
#define MODEL_PAIRING_TYPES_H

#include "engine/tasks/tasks.h"

/* A call has come to its end (or was an orphan); `call` is borrowed. */
typedef void pairing_done_fn(void *ctx, const struct call *call);

struct pairing {
	struct tasks *tasks;
	pairing_done_fn *done;
	void *ctx;
	uint64_t lost_before_ns; /* records were lost before this time */
	uint64_t changed_ns; /* tracing or its filter changed: /proc knows better than before */
	uint64_t started_ns; /* ... and was complete by then: orphans before are expected */
	uint64_t dropped_orphans; /* exits whose enter was before us */
	uint64_t in_flight; /* threads in a call, held ones too */
	uint64_t held; /* calls that wait for their restart */
	struct task *first_held, *last_held; /* in the order in which they returned */
	uint64_t *cpu_lost_ns; /* when each CPU last told of a loss */
	size_t cpu_count;
	/* Switches on each CPU may have been lost up to then; and on any of them. */
	uint64_t *cpu_switches_lost_ns;
	size_t blind_count;
	uint64_t blind_before_ns;
	bool waits_unwatched; /* nobody tells of switches ... */
	bool ins_unreported; /* ... or not of each that gets a CPU */
};

#endif
