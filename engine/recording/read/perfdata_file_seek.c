/*
 * perfdata_file_seek - records are looked at without being told, and told from somewhere in the
 * file.
 */
#include "engine/recording/long_calls.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/recording/read/perfdata_file_private.h"

#include <stdlib.h>
#include <string.h>

enum perf_file_state perf_file_scan(struct perf_file *file, const struct perf_steps *steps,
				    struct perf_sight *sight)
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
	sight->which = file->unpacking ? file->packed_which : 0;
	sight->entry = file->unpacking ? file->packed_entry
				       : !file->unpack || perf_unpack_is_entry(file->unpack);
	sight->side = perf_sight_is_side(record, file->is_own);
	sight->time_ns = 0;
	if (file->is_own)
		perf_sight_own_step(record, sight);
	else
		perf_sight_step(record, steps, sight);
	if (file->is_own && perf_file_is_section(file, record))
		perf_file_take_user_record(file, record);
	else if (file->is_own)
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
	free(file->seek.places);
	file->seek = *seek;
	file->stretch = file->place = 0;
	file->seeking = seek->at > 0;
}

/* Whether the record in front is one of those that were asked for. */
static bool is_wanted(struct perf_file *file)
{
	const struct perf_file_seek *seek = &file->seek;
	uint64_t place = place_of(perf_input_at(file->input),
				  file->unpacking ? file->packed_which : 0);

	while (file->place < seek->place_count && seek->places[file->place] < place)
		file->place++;
	return file->place < seek->place_count && seek->places[file->place] == place;
}

bool perf_file_leaves_out(struct perf_file *file, const struct perf_event_header *record,
			  uint64_t time_ns)
{
	bool before = perf_input_at(file->input) < file->seek.at;

	/* Of what is in front of the place, and as old behind it, not all would be told. */
	if (!before && (file->is_own || time_ns > file->seek.after_ns)) {
		/* Nothing of ours is out of order. */
		file->seeking = !file->is_own;
		return false;
	}
	return !perf_sight_is_side(record, file->is_own) && !(before && is_wanted(file));
}

void perf_file_jump(struct perf_file *file)
{
	const struct perf_file_seek *seek = &file->seek;
	uint64_t at = perf_input_at(file->input) + file->in_front, to = seek->at;

	if (!file->seeking || at >= seek->at)
		return;
	while (file->stretch < seek->stretch_count && seek->stretches[file->stretch].end <= at)
		file->stretch++;
	if (file->stretch < seek->stretch_count)
		to = seek->stretches[file->stretch].begin;
	if (to <= at || file->tracing.bytes)
		return;
	file->in_front = 0;
	perf_input_go(file->input, to, file->data_end);
	/* What is compressed there begins anew. */
	if (file->unpack)
		perf_unpack_reset(file->unpack);
}
