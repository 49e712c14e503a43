/*
 * perf_file_seek - records are looked at without being told, and told from somewhere in the file.
 */
#include "engine/recording/perf_file_private.h"
#include "engine/recording/perf_own.h"
#include "engine/recording/perf_own_decode.h"

#include <stdlib.h>
#include <string.h>

/* Of ours: what events are, whose threads are, where the records of the model begin. */
static bool own_is_side(const struct perf_event_header *record)
{
	struct perf_own own;

	if (!perf_own_is(record))
		return false;
	memcpy(&own, record, sizeof(own));
	return own.kind == PERF_OWN_BEGIN || own.kind == PERF_OWN_EVENT ||
	       own.kind == PERF_OWN_OWNER;
}

static bool is_side(const struct perf_file *file, const struct perf_event_header *record)
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
	case TYPE_BUILD_ID:
		return true;
	default:
		return record->type < FIRST_USER_TYPE || (file->is_own && own_is_side(record));
	}
}

enum perf_file_state perf_file_scan(struct perf_file *file, struct perf_file_sight *sight)
{
	const struct perf_event_header *record;
	enum perf_file_state state = perf_file_next_written(file, &record);

	if (state != PERF_FILE_READY)
		return state;
	if (!file->read_any)
		file->is_own = perf_own_is(record);
	file->read_any = true;
	sight->at = perf_input_at(file->input);
	sight->packed = file->unpacking;
	sight->side = is_side(file, record);
	sight->time_ns = 0;
	if (file->is_own)
		sight->time_ns = perf_own_time(record);
	else if (record->type < FIRST_USER_TYPE && perf_header_event_count(file->header))
		sight->time_ns = perf_file_record_time(file, record, 0);
	else if (record->type >= FIRST_USER_TYPE && !file->unpacking)
		perf_file_take_user_record(file, record);
	if (sight->time_ns >= PERF_FILE_TIME_MAX)
		sight->time_ns = 0;
	return PERF_FILE_READY;
}

void perf_file_seek(struct perf_file *file, const struct perf_file_seek *seek)
{
	perf_file_rewind(file);
	free(file->seek.stretches);
	file->seek = *seek;
	file->stretch = 0;
	file->seeking = seek->at > 0;
}

/* Over what holds nothing of interest before the place, once a piece of it begins. */
static void jump(struct perf_file *file)
{
	const struct perf_file_seek *seek = &file->seek;
	uint64_t at = perf_input_at(file->input) + file->in_front, to = seek->at;

	while (file->stretch < seek->stretch_count &&
	       seek->stretches[file->stretch].end <= at)
		file->stretch++;
	if (file->stretch < seek->stretch_count)
		to = seek->stretches[file->stretch].begin;
	if (to <= at || file->tracing.bytes)
		return;
	file->in_front = 0;
	perf_input_go(file->input, to, file->data_end);
}

bool perf_file_leaves_out(struct perf_file *file, const struct perf_event_header *record,
			  uint64_t time_ns)
{
	bool before, side;

	if (!file->seeking)
		return false;
	before = perf_input_at(file->input) < file->seek.at;
	side = is_side(file, record);
	/* Of what is in front of the place, and as old behind it, not all would be told. */
	if (!before && (file->is_own || time_ns > file->seek.after_ns))
		return false;
	return !side;
}

void perf_file_jump(struct perf_file *file)
{
	if (file->seeking && file->seek.jumps && !file->unpacking &&
	    perf_input_at(file->input) < file->seek.at)
		jump(file);
}
