/*
 * perf_ids - maps the id of a sample to its event.
 *
 * At most a quarter of the slots are used, so nearly every lookup hits its first slot. The ids of a
 * recording come from an untrusted file, so they are hashed with a secret. One thread.
 */
#ifndef PERF_PERF_IDS_H
#define PERF_PERF_IDS_H

#include "engine/base/hash.h"
#include "engine/source/perf/perf_open.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_ID_BITS 4 /* of hash_near(): the kernel assigns consecutive ids */

struct perf_id {
	uint64_t id; /* 0: free slot */
	uint32_t root; /* thread on which the event was opened; 0: a whole CPU */
	uint8_t kind; /* enum perf_kind */
	uint8_t period; /* index of its perf_period */
	union {
		struct {
			bool single; /* an event of one system call, see perf_syscall_events.h */
			bool stacked; /* the enter carries its stack */
		};
		uint16_t event; /* event number of PERF_KIND_EVENT, see event_names.h */
	};
};

struct perf_ids {
	struct perf_id *slots;
	size_t capacity; /* a power of two */
	size_t count;
};

void perf_ids_init(struct perf_ids *ids);
void perf_ids_release(struct perf_ids *ids);
/* Add an id; a no-op if it is 0 or known. */
void perf_ids_add(struct perf_ids *ids, const struct perf_id *id);
/* Remove all ids of a period. */
void perf_ids_drop(struct perf_ids *ids, uint8_t period);

static inline const struct perf_id *perf_ids_find(const struct perf_ids *ids, uint64_t id)
{
	for (size_t i = hash_near(id, PERF_ID_BITS) & (ids->capacity - 1); ids->slots[i].id;
	     i = (i + 1) & (ids->capacity - 1))
		if (ids->slots[i].id == id)
			return &ids->slots[i];
	return NULL;
}

#endif
