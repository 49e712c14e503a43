#include "engine/recording/read/recorded_sample_fields.h"

#include "engine/recording/perfdata_convert.h"

#define UNWOUND (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* Parts that the decoder uses for samples of this kind. */
static uint64_t useful(enum perf_kind kind)
{
	switch (kind) {
	case PERF_KIND_ENTER:
	case PERF_KIND_SWITCH:
		return PERFDATA_CONVERT_PARTS;
	case PERF_KIND_WAKING:
		return PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN;
	default:
		return PERF_SAMPLE_RAW;
	}
}

static bool brings_stacks(uint64_t parts)
{
	return parts & (PERF_SAMPLE_CALLCHAIN | UNWOUND);
}

/* The decoder has one register mask: drop registers and stack bytes of events with another mask. */
static uint64_t with_known_registers(struct perf_decode *decode, uint64_t parts,
				     const struct perf_event_attr *attr)
{
	if (!(parts & PERF_SAMPLE_REGS_USER))
		return parts & ~(uint64_t)PERF_SAMPLE_STACK_USER;
	if (!decode->regs_mask)
		decode->regs_mask = attr->sample_regs_user;
	return attr->sample_regs_user == decode->regs_mask ? parts : parts & ~(uint64_t)UNWOUND;
}

uint64_t recorded_parts_learn(struct perf_decode *decode, enum perf_kind kind, bool single,
			      const struct perfdata_file_event *event)
{
	struct perf_id id = { .kind = (uint8_t)kind };
	uint64_t parts = event->attr.sample_type & useful(kind);

	parts = with_known_registers(decode, parts, &event->attr);
	if (kind == PERF_KIND_ENTER && brings_stacks(decode->types[kind]) &&
	    parts != decode->types[kind])
		parts &= PERF_SAMPLE_RAW;
	id.single = single;
	id.stacked = kind == PERF_KIND_ENTER && brings_stacks(parts);
	if (id.stacked || kind == PERF_KIND_WAKING || kind == PERF_KIND_SWITCH) {
		decode->types[kind] = parts;
		/* 0: kernel.perf_event_max_stack, which perf.data lacks. Assume its default. */
		decode->max_stack = event->attr.sample_max_stack ? event->attr.sample_max_stack
								 : PERF_MAX_STACK_DEPTH;
	}
	for (size_t i = 0; i < event->id_count; i++) {
		id.id = event->ids[i];
		if (id.id)
			perf_ids_add(&decode->ids, &id);
	}
	/* A file with one event can lack ids: see recording_read.c, decode_record(). */
	if (!event->id_count) {
		id.id = 1;
		perf_ids_add(&decode->ids, &id);
	}
	return parts;
}
