/*
 * perf_event_set - a set of events that are opened, enabled and closed together.
 *
 * Each event writes into the ring of its CPU; its records carry its id. Owned by the source; one
 * thread.
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

/* How to open each kind of event; the same for every task and CPU. */
struct perf_recipe {
	struct perf_event_attr attrs[PERF_KIND_COUNT];
	uint32_t kinds; /* bits of enum perf_kind: the kinds to open */
	const char *filter; /* for calls, wakings and -E events; "" or NULL: none; borrowed */
	const char *switch_filter; /* the same for SWITCH and USER_STACK */
	bool single; /* the events are of one system call, see perf_syscall_events.h */
	uint16_t event; /* event number of PERF_KIND_EVENT */
};

/* Place of an event: a thread or, with tid 0, the whole CPUs of the rings. */
struct perf_place {
	uint32_t tid;
	bool inherit; /* also watch tasks that the thread creates */
	/* Target process of the place, see descendants.h; for perf_event_set_split(). */
	uint32_t head;
};

/* Head of a thread that is itself a target; no pid has this value. */
#define PERF_HEAD_OF_THREAD(tid) ((tid) | 0x80000000u)

/* Place of an open event. */
struct perf_probe_on {
	uint32_t tid, head;
};

struct perf_event_set {
	int *fds;
	struct perf_probe_on *on; /* one per descriptor; NULL in a set that waits to be closed */
	size_t count, capacity, on_capacity;
};

/* clang-format off */
#define PERF_EVENT_SET_INIT { .fds = NULL, .on = NULL, .count = 0 }
/* clang-format on */

/*
 * Open the events of a recipe at a place, on every CPU, disabled. On failure return -errno and
 * leave no event of this place open. The caller writes the message; -EINVAL can mean that the
 * kernel rejects the filter.
 */
int perf_event_set_open(struct perf_event_set *probes, const struct perf_recipe *recipe,
			const struct perf_place *place, const struct perf_rings *rings,
			struct perf_ids *ids, uint8_t period);

/* Enable the events with index `first` and above. -errno. */
int perf_event_set_enable(const struct perf_event_set *probes, size_t first);
void perf_event_set_disable(const struct perf_event_set *probes);
/* Enable or disable only the events of one ring of `rings`. All events have the same recipe. */
int perf_event_set_enable_on(const struct perf_event_set *probes, const struct perf_recipe *recipe,
			     const struct perf_rings *rings, uint32_t ring);
void perf_event_set_disable_on(const struct perf_event_set *probes,
			       const struct perf_recipe *recipe, const struct perf_rings *rings,
			       uint32_t ring);
/* Set the first filter of each event. -EEXIST if an event has one already (Linux 6.18). */
int perf_event_set_set_filter(const struct perf_event_set *probes, const char *filter);
/*
 * Read how many records each event lost for lack of room, and add the counts to `failed` of its
 * ring. No-op before Linux 6.0, where events do not count losses.
 */
void perf_event_set_count_lost(const struct perf_event_set *probes,
			       const struct perf_recipe *recipe, struct perf_rings *rings);
/* Move the events of one head to `out`, an empty set. Both sets retain the order of events. */
void perf_event_set_split(struct perf_event_set *probes, uint32_t head, struct perf_event_set *out);
/* Close all events. perf_ids retains their ids. */
void perf_event_set_close(struct perf_event_set *probes);

#endif
