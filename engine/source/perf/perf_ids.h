/*
 * perf_ids - which event a sample's id stands for.
 *
 * Three quarters of the slots are free: nearly every look-up hits its first one. The ids of a
 * recording are whatever its author wrote. One thread.
 */
#ifndef PERF_PERF_IDS_H
#define PERF_PERF_IDS_H

#include "engine/base/hash.h"
#include "engine/source/perf/perf_open.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_ID_BITS 4 /* the kernel numbers events one after another: see hash_near() */

struct perf_id {
	uint64_t id; /* 0: the slot is free */
	uint32_t root; /* the thread that the event was opened on; 0: a whole CPU */
	uint8_t kind; /* enum perf_kind */
	uint8_t period; /* which perf_period its records count in */
	union {
		struct {
			bool single; /* of one system call alone, see perf_syscall_events.h */
			bool stacked; /* an enter that brings the stack of its place */
		};
		uint16_t event; /* with PERF_KIND_EVENT: its number, see event_names.h */
	};
};

struct perf_ids {
	struct perf_id *slots;
	size_t capacity; /* a power of two */
	size_t count;
};

void perf_ids_init(struct perf_ids *ids);
void perf_ids_release(struct perf_ids *ids);
/* Of several with the same id, the first counts; 0 is none. */
void perf_ids_add(struct perf_ids *ids, const struct perf_id *id);
/* Forgets all ids of one period. */
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
