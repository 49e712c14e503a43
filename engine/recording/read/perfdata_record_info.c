#include "engine/recording/read/perfdata_record_info.h"

#include "engine/recording/perfdata_ext.h"
#include "engine/recording/perfdata_sample_layout.h"
#include "engine/recording/read/perfdata_ext_decode.h"

#include <string.h>

#define WORD sizeof(uint64_t)
#define FIRST_USER_TYPE 64 /* PERF_RECORD_USER_TYPE_START of perf */

static uint64_t read_u64(const struct perf_event_header *record, size_t at)
{
	uint64_t value;

	memcpy(&value, (const char *)record + at, sizeof(value));
	return value;
}

static uint32_t read_u32(const struct perf_event_header *record, size_t at)
{
	uint32_t value;

	memcpy(&value, (const char *)record + at, sizeof(value));
	return value;
}

/* -- Side records -------------------------------------------------------------------------- */

/* True for extension records that later ones need: BEGIN, tracepoints, task owners. */
static bool own_is_side(const struct perf_event_header *record)
{
	struct perfdata_ext own;

	if (!perfdata_ext_is(record))
		return false;
	memcpy(&own, record, sizeof(own));
	return own.kind == PERFDATA_EXT_BEGIN || own.kind == PERFDATA_EXT_EVENT ||
	       own.kind == PERFDATA_EXT_OWNER;
}

bool perfdata_record_info_is_side(const struct perf_event_header *record, bool own)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_LOST:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_READ:
	case PERF_RECORD_AUX:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return false;
	case PERFDATA_EXT_BUILD_ID_TYPE:
		return true;
	default:
		return record->type < FIRST_USER_TYPE || (own && own_is_side(record));
	}
}

/* -- Steps of stxtop recordings -------------------------------------------------------------- */

static void own_sample_step(const struct perf_event_header *record,
			    struct perfdata_record_info *info)
{
	uint64_t id = read_u64(record, offsetof(struct perfdata_ext_sample, id));
	uint64_t event = id / PERFDATA_EXT_VARIANTS - 1;

	info->tid = read_u32(record, offsetof(struct perfdata_ext_sample, tid));
	if (event == PERFDATA_EXT_EVENT_ENTER && !(id & PERFDATA_EXT_WHOLE)) {
		info->step = PERF_STEP_BEGINS;
	} else if (event == PERFDATA_EXT_EVENT_EXIT) {
		info->step = PERF_STEP_ENDS;
		info->joined = id & PERFDATA_EXT_WHOLE && !(id & PERFDATA_EXT_ENTERED);
	} else if (event == PERFDATA_EXT_EVENT_SWITCH &&
		   record->size >= sizeof(struct perfdata_ext_stack_sample)) {
		info->tid = read_u32(record, offsetof(struct perfdata_ext_stack_sample, tid));
		info->step = PERF_STEP_GOES_ON;
	}
}

static void own_model_step(const struct perf_event_header *record,
			   struct perfdata_record_info *info)
{
	struct perfdata_ext own;

	memcpy(&own, record, sizeof(own));
	if (own.kind == PERFDATA_EXT_BYTES || own.kind == PERFDATA_EXT_CHAIN) {
		info->step = PERF_STEP_BEFORE;
	} else if (record->size >= sizeof(struct perfdata_ext_common) &&
		   (own.kind == PERFDATA_EXT_INFLIGHT || own.kind == PERFDATA_EXT_FORGET)) {
		info->step = own.kind == PERFDATA_EXT_INFLIGHT ? PERF_STEP_BEGINS : PERF_STEP_ENDS;
		info->tid = read_u32(record, offsetof(struct perfdata_ext_common, tid));
	}
}

void perfdata_record_info_own_step(const struct perf_event_header *record,
				   struct perfdata_record_info *info)
{
	info->step = PERF_STEP_NONE;
	info->joined = false;
	info->tid = 0;
	if (record->type == PERF_RECORD_SAMPLE) {
		if (record->size >= sizeof(struct perfdata_ext_sample))
			own_sample_step(record, info);
	} else if (record->type == PERF_RECORD_SWITCH || record->type == PERF_RECORD_EXIT) {
		if (record->size < sizeof(*record) + sizeof(struct perfdata_ext_trailer))
			return;
		info->tid = read_u32(record, record->size - sizeof(struct perfdata_ext_trailer) +
						     offsetof(struct perfdata_ext_trailer, tid));
		info->step = record->type == PERF_RECORD_SWITCH ? PERF_STEP_GOES_ON
								: PERF_STEP_ENDS;
	} else if (perfdata_ext_is(record)) {
		own_model_step(record, info);
	}
}

/* -- Steps of perf's recordings -------------------------------------------------------------- */

void perf_steps_init(struct perf_steps *steps, const struct perf_ids *ids,
		     const struct perf_event_attr *attr)
{
	const uint64_t behind = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	struct perf_layouts layouts;

	memset(steps, 0, sizeof(*steps));
	perf_ids_init(&steps->ids);
	for (size_t i = 0; i < ids->capacity; i++)
		if (ids->slots[i].id && (ids->slots[i].kind == PERF_KIND_ENTER ||
					 ids->slots[i].kind == PERF_KIND_EXIT ||
					 ids->slots[i].kind == PERF_KIND_SWITCH))
			perf_ids_add(&steps->ids, &ids->slots[i]);
	perf_layouts_init(&layouts, attr);
	steps->id_at = layouts.id_at;
	perf_layouts_release(&layouts);
	if (!(attr->sample_type & PERF_SAMPLE_TID))
		return;
	steps->tid_at = (uint16_t)(sizeof(struct perf_event_header) + sizeof(uint32_t) +
				   WORD * (size_t)__builtin_popcountll(
						  attr->sample_type &
						  (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP)));
	if (attr->sample_id_all)
		steps->tid_behind =
			(uint16_t)(WORD * (size_t)__builtin_popcountll(attr->sample_type & behind) -
				   sizeof(uint32_t));
}

void perf_steps_release(struct perf_steps *steps)
{
	perf_ids_release(&steps->ids);
}

void perfdata_record_info_step(const struct perf_event_header *record,
			       const struct perf_steps *steps, struct perfdata_record_info *info)
{
	const struct perf_id *id;

	info->step = PERF_STEP_NONE;
	info->joined = false;
	info->tid = 0;
	if (!steps || !steps->tid_at || !steps->id_at)
		return;
	if (record->type == PERF_RECORD_SAMPLE) {
		if (record->size < steps->id_at + WORD || record->size < steps->tid_at + WORD)
			return;
		id = perf_ids_find(&steps->ids, read_u64(record, steps->id_at));
		if (!id)
			return;
		info->tid = read_u32(record, steps->tid_at);
		info->step = id->kind == PERF_KIND_ENTER  ? PERF_STEP_BEGINS
			     : id->kind == PERF_KIND_EXIT ? PERF_STEP_ENDS
							  : PERF_STEP_GOES_ON;
	} else if ((record->type == PERF_RECORD_SWITCH ||
		    record->type == PERF_RECORD_SWITCH_CPU_WIDE) &&
		   steps->tid_behind &&
		   record->size >= sizeof(*record) + steps->tid_behind + sizeof(uint32_t)) {
		info->tid = read_u32(record, record->size - steps->tid_behind);
		info->step = PERF_STEP_GOES_ON;
	} else if (record->type == PERF_RECORD_EXIT &&
		   record->size >= sizeof(*record) + 3 * sizeof(uint32_t)) {
		info->tid = read_u32(record, sizeof(*record) + 2 * sizeof(uint32_t));
		info->step = PERF_STEP_ENDS;
	}
}
