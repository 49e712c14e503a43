/*
 * perfdata_sample_layout - where the fields of the samples of enters and exits stand in a
 * recording.
 *
 * Nearly all of a recording are these, and those of one event have their fields at the same
 * places, which its attributes say (perf_event_open(2)). So they are worked out once, and
 * perfdata_convert.h, which goes through a sample field by field, is for all other records: samples
 * that have something behind their raw bytes or what is of no fixed size in front of them, but
 * for a callchain. One thread.
 */
#ifndef RECORDING_PERFDATA_SAMPLE_LAYOUT_H
#define RECORDING_PERFDATA_SAMPLE_LAYOUT_H

#include "engine/base/hash.h"
#include "engine/record/record.h"
#include "engine/source/perf/perf_ids.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes from the beginning of the record; 0: there is none. */
struct perfdata_sample_layout {
	struct perf_id event; /* .id 0: the slot is free */
	uint16_t pid, time, cpu, chain;
	uint16_t raw; /* without the callchain in front */
};

struct perf_layouts {
	struct perfdata_sample_layout *slots; /* by the hash of the id, as in perf_ids.h */
	size_t capacity; /* a power of two, or 0 */
	size_t count;
	uint16_t id_at; /* of any sample; 0: they have none */
};

/* All that is of samples of this kind. `first`: the attributes of the recording's first event. */
void perf_layouts_init(struct perf_layouts *layouts, const struct perf_event_attr *first);
void perf_layouts_release(struct perf_layouts *layouts);
/* Only those whose fields stand at fixed places are added. */
void perf_layouts_add(struct perf_layouts *layouts, const struct perf_id *event,
		      const struct perf_event_attr *attr);

static inline const struct perfdata_sample_layout *perf_layouts_of(
	const struct perf_layouts *layouts, uint64_t id)
{
	for (size_t i = hash_near(id, PERF_ID_BITS) & (layouts->capacity - 1);
	     layouts->slots[i].event.id; i = (i + 1) & (layouts->capacity - 1))
		if (layouts->slots[i].event.id == id)
			return &layouts->slots[i];
	return NULL;
}

/* NULL: it is no sample of an event that was added. */
static inline const struct perfdata_sample_layout *perf_layouts_find(
	const struct perf_layouts *layouts, const struct perf_event_header *header)
{
	uint64_t id;

	if (header->type != PERF_RECORD_SAMPLE || !layouts->count ||
	    header->size < layouts->id_at + sizeof(id))
		return NULL;
	memcpy(&id, (const char *)header + layouts->id_at, sizeof(id));
	return perf_layouts_of(layouts, id);
}

/*
 * The time and place of the sample, and its raw bytes, borrowed from it; NULL: it contradicts
 * itself. What a sample does not tell is 0.
 */
static inline const unsigned char *perfdata_sample_layout_take(
	const struct perfdata_sample_layout *layout, const struct perf_event_header *header,
	struct record *record, uint32_t *raw_bytes)
{
	const unsigned char *bytes = (const unsigned char *)header;
	size_t raw = layout->raw;
	uint64_t chain;

	if (header->size < raw + sizeof(*raw_bytes))
		return NULL;
	if (layout->chain) {
		memcpy(&chain, bytes + layout->chain, sizeof(chain));
		if (chain > (header->size - raw - sizeof(*raw_bytes)) / sizeof(chain))
			return NULL;
		raw += chain * sizeof(chain);
	}
	record->time_ns = 0;
	record->pid = record->tid = record->cpu = 0;
	if (layout->time)
		memcpy(&record->time_ns, bytes + layout->time, sizeof(record->time_ns));
	if (layout->pid) {
		memcpy(&record->pid, bytes + layout->pid, sizeof(record->pid));
		memcpy(&record->tid, bytes + layout->pid + sizeof(record->pid),
		       sizeof(record->tid));
	}
	if (layout->cpu)
		memcpy(&record->cpu, bytes + layout->cpu, sizeof(record->cpu));
	memcpy(raw_bytes, bytes + raw, sizeof(*raw_bytes));
	raw += sizeof(*raw_bytes);
	return *raw_bytes <= header->size - raw ? bytes + raw : NULL;
}

#endif
