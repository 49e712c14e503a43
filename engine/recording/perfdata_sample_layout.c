#include "engine/recording/perfdata_sample_layout.h"

#include "engine/base/mem.h"

#include <stdlib.h>

#define WORD sizeof(uint64_t)
#define CAPACITY_MIN 64
/* The fields before the raw bytes: one word each, except the last two. */
#define IN_FRONT \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN)

void perf_layouts_init(struct perf_layouts *layouts, const struct perf_event_attr *first)
{
	uint64_t in_front = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;

	memset(layouts, 0, sizeof(*layouts));
	if (first->sample_type & PERF_SAMPLE_IDENTIFIER)
		layouts->id_at = sizeof(struct perf_event_header);
	else if (first->sample_type & PERF_SAMPLE_ID)
		layouts->id_at = (uint16_t)(sizeof(struct perf_event_header) +
					    WORD * (size_t)__builtin_popcountll(first->sample_type &
										in_front));
}

void perf_layouts_release(struct perf_layouts *layouts)
{
	free(layouts->slots);
	memset(layouts, 0, sizeof(*layouts));
}

/* Compute the places of the fields. False: they differ between samples. */
static bool learn(struct perfdata_sample_layout *layout, const struct perf_event_attr *attr)
{
	uint64_t type = attr->sample_type, format = attr->read_format;
	size_t at = sizeof(struct perf_event_header);

	if (!(type & PERF_SAMPLE_RAW) || type & ~(uint64_t)(IN_FRONT | PERF_SAMPLE_RAW) ||
	    (type & PERF_SAMPLE_READ && format & PERF_FORMAT_GROUP))
		return false;
	at += WORD * (size_t)__builtin_popcountll(type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP));
	layout->pid = type & PERF_SAMPLE_TID ? (uint16_t)at : 0;
	at += type & PERF_SAMPLE_TID ? WORD : 0;
	layout->time = type & PERF_SAMPLE_TIME ? (uint16_t)at : 0;
	at += WORD * (size_t)__builtin_popcountll(type & (PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
							  PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID));
	layout->cpu = type & PERF_SAMPLE_CPU ? (uint16_t)at : 0;
	at += WORD * (size_t)__builtin_popcountll(type & (PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD));
	if (type & PERF_SAMPLE_READ)
		at += WORD * (1 + (size_t)__builtin_popcountll(
					  format & (PERF_FORMAT_TOTAL_TIME_ENABLED |
						    PERF_FORMAT_TOTAL_TIME_RUNNING |
						    PERF_FORMAT_ID | PERF_FORMAT_LOST)));
	layout->chain = type & PERF_SAMPLE_CALLCHAIN ? (uint16_t)at : 0;
	at += type & PERF_SAMPLE_CALLCHAIN ? WORD : 0;
	layout->raw = (uint16_t)at;
	return true;
}

static void insert(struct perf_layouts *layouts, const struct perfdata_sample_layout *layout)
{
	size_t i = hash_near(layout->event.id, PERF_ID_BITS) & (layouts->capacity - 1);

	while (layouts->slots[i].event.id)
		i = (i + 1) & (layouts->capacity - 1);
	layouts->slots[i] = *layout;
}

static void grow(struct perf_layouts *layouts)
{
	struct perfdata_sample_layout *old = layouts->slots;
	size_t old_capacity = layouts->capacity;

	layouts->capacity = old_capacity ? old_capacity * 2 : CAPACITY_MIN;
	layouts->slots = mem_zalloc(layouts->capacity, sizeof(*layouts->slots));
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].event.id)
			insert(layouts, &old[i]);
	free(old);
}

void perf_layouts_add(struct perf_layouts *layouts, const struct perf_id *event,
		      const struct perf_event_attr *attr)
{
	struct perfdata_sample_layout layout = { .event = *event };

	if (!layouts->id_at || !event->id || !learn(&layout, attr) ||
	    (layouts->count && perf_layouts_of(layouts, event->id)))
		return;
	if ((layouts->count + 1) * 4 > layouts->capacity)
		grow(layouts);
	insert(layouts, &layout);
	layouts->count++;
}
