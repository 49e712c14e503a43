/*
 * perf_event_set - a set of events that are opened, switched and closed together.
 *
 * Events write into the rings of their CPUs and are known by their ids. Owned
 * by the source; one thread.
 */
#ifndef PERF_PERF_EVENT_SET_H
#define PERF_PERF_EVENT_SET_H

#include "engine/base/err.h"
#include "engine/source/perf/perf_ids.h"
#include "engine/source/perf/perf_open.h"
#include "engine/source/perf/perf_rings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to open each kind of event; the same on every task and CPU. */
struct perf_recipe {
	struct perf_event_attr attrs[PERF_KIND_COUNT];
	uint32_t kinds; /* bits of enum perf_kind: which are wanted */
	const char *filter; /* for calls and wakings; "" or NULL: none; borrowed */
	const char *switch_filter; /* the same for SWITCH and USER_STACK */
	bool single; /* see perf_syscall_events.h */
	uint16_t event; /* of PERF_KIND_EVENT: its number */
};

/* On what: a thread, or with tid 0 everything on the CPUs of the rings. */
struct perf_place {
	uint32_t tid;
	bool inherit; /* what it starts is watched too */
	uint32_t
		/* of the family that this is for, see descendants.h; for perf_event_set_split() */
		head;
};

/* Of a thread that was named alone: no process has such a number. */
#define PERF_HEAD_OF_THREAD(tid) ((tid) | 0x80000000u)

/* What an event is on. */
struct perf_probe_on {
	uint32_t tid, head;
};

struct perf_event_set {
	int *fds;
	struct perf_probe_on *on; /* as many as fds; NULL with those that are to be closed */
	size_t count, capacity, on_capacity;
};

/* clang-format off */
#define PERF_EVENT_SET_INIT { .fds = NULL, .on = NULL, .count = 0 }
/* clang-format on */

/*
 * Opens the recipe at a place on every CPU; disabled. On failure -errno, nothing of
 * this place is left open, and the sentence is the caller's to find: -EINVAL
 * may mean that the filter was refused.
 */
int perf_event_set_open(struct perf_event_set *probes, const struct perf_recipe *recipe,
			const struct perf_place *place, const struct perf_rings *rings,
			struct perf_ids *ids, uint8_t period);

/* All from index `first` on. */
int perf_event_set_enable(const struct perf_event_set *probes, size_t first);
void perf_event_set_disable(const struct perf_event_set *probes);
/* Those alone that write into this ring of `rings`; the recipe is the one of all of them. */
int perf_event_set_enable_on(const struct perf_event_set *probes, const struct perf_recipe *recipe,
			     const struct perf_rings *rings, uint32_t ring);
void perf_event_set_disable_on(const struct perf_event_set *probes,
			       const struct perf_recipe *recipe, const struct perf_rings *rings,
			       uint32_t ring);
/* Each event's first filter only: -EEXIST where it has one (Linux 6.18). */
int perf_event_set_set_filter(const struct perf_event_set *probes, const char *filter);
/*
 * Adds to each ring's `failed` how many records of these events it had no room for, as the
 * events themselves counted. Nothing where the kernel does not count (before Linux 6.0).
 */
void perf_event_set_count_lost(const struct perf_event_set *probes,
			       const struct perf_recipe *recipe, struct perf_rings *rings);
/* Moves those for one head to `out`, an empty set. Places stay whole, and in their order. */
void perf_event_set_split(struct perf_event_set *probes, uint32_t head, struct perf_event_set *out);
/* Closes all; the ids stay known. */
void perf_event_set_close(struct perf_event_set *probes);

#endif
