/*
 * perfdata_sample_layout - places of the fields in samples of enters and exits.
 *
 * Nearly all records of a recording are such samples. All samples of one event have their fields at
 * the same places, given by its attributes (perf_event_open(2)). The places are computed once per
 * event. perfdata_convert.h, which walks a sample field by field, handles all other records. These
 * include samples with parts after the raw bytes. They also include samples with a part of variable
 * size before the raw bytes, unless it is a callchain. One thread.
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

/* Offsets from the start of the record, in bytes; 0: absent. */
struct perfdata_sample_layout {
	struct perf_id event; /* .id 0: free slot */
	uint16_t pid, time, cpu, chain;
	uint16_t raw; /* offset without the addresses of the callchain */
};

struct perf_layouts {
	struct perfdata_sample_layout *slots; /* by the hash of the id, as in perf_ids.h */
	size_t capacity; /* a power of two, or 0 */
	size_t count;
	uint16_t id_at; /* offset of the id in every sample; 0: absent */
};

/* Initialize the table. first: the attributes of the first event of the recording. */
void perf_layouts_init(struct perf_layouts *layouts, const struct perf_event_attr *first);
void perf_layouts_release(struct perf_layouts *layouts);
/* Add an event. No-op if its fields have no fixed places. */
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

/* NULL: not a sample of an added event. */
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
 * Store time, CPU and task of the sample in *record; absent ones are 0. Return its raw bytes,
 * borrowed from the sample. NULL: the sample is inconsistent.
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
