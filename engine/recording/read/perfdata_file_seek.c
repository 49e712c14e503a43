/*
 * perfdata_file_seek - scans records without delivery, and delivers records after a seek.
 */
#include "engine/recording/long_calls.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/recording/read/perfdata_file_private.h"

#include <stdlib.h>
#include <string.h>

enum perfdata_file_state perfdata_file_scan(struct perfdata_file *file,
					    const struct perf_steps *steps,
					    struct perfdata_record_info *info)
{
	const struct perf_event_header *record;
	enum perfdata_file_state state = perfdata_file_next_written(file, &record);

	if (state != PERFDATA_FILE_READY)
		return state;
	if (!file->read_any)
		file->is_own = perfdata_ext_is(record);
	file->read_any = true;
	info->at = perfdata_input_at(file->input);
	info->packed = file->unpacking;
	info->which = file->unpacking ? file->packed_which : 0;
	info->entry = file->unpacking ? file->packed_entry
				      : !file->unpack || perfdata_decompress_is_entry(file->unpack);
	info->side = perfdata_record_info_is_side(record, file->is_own);
	info->time_ns = 0;
	if (file->is_own)
		perfdata_record_info_own_step(record, info);
	else
		perfdata_record_info_step(record, steps, info);
	if (file->is_own && perfdata_file_is_section(file, record))
		perfdata_file_take_user_record(file, record);
	else if (file->is_own)
		info->time_ns = perfdata_ext_time(record);
	else if (record->type < FIRST_USER_TYPE && perfdata_header_event_count(file->header))
		info->time_ns = perfdata_file_record_time(file, record, 0);
	else if (record->type >= FIRST_USER_TYPE && !file->unpacking)
		perfdata_file_take_user_record(file, record);
	if (info->time_ns >= PERFDATA_FILE_TIME_MAX)
		info->time_ns = 0;
	return PERFDATA_FILE_READY;
}

void perfdata_file_seek(struct perfdata_file *file, const struct perfdata_file_seek *seek)
{
	perfdata_file_rewind(file);
	free(file->seek.stretches);
	free(file->seek.places);
	file->seek = *seek;
	file->stretch = file->place = 0;
	file->seeking = seek->at > 0;
}

/* True if the place of the current record is among seek->places. */
static bool is_wanted(struct perfdata_file *file)
{
	const struct perfdata_file_seek *seek = &file->seek;
	uint64_t place = place_of(perfdata_input_at(file->input),
				  file->unpacking ? file->packed_which : 0);

	while (file->place < seek->place_count && seek->places[file->place] < place)
		file->place++;
	return file->place < seek->place_count && seek->places[file->place] == place;
}

bool perfdata_file_leaves_out(struct perfdata_file *file, const struct perf_event_header *record,
			      uint64_t time_ns)
{
	bool before = perfdata_input_at(file->input) < file->seek.at;

	/*
	 * From seek->at on, omit records up to after_ns: records of that time are also before
	 * seek->at, and those are not delivered.
	 */
	if (!before && (file->is_own || time_ns > file->seek.after_ns)) {
		/* A stxtop recording is in order: stop filtering. */
		file->seeking = !file->is_own;
		return false;
	}
	return !perfdata_record_info_is_side(record, file->is_own) && !(before && is_wanted(file));
}

void perfdata_file_jump(struct perfdata_file *file)
{
	const struct perfdata_file_seek *seek = &file->seek;
	uint64_t at = perfdata_input_at(file->input) + file->in_front, to = seek->at;

	if (!file->seeking || at >= seek->at)
		return;
	while (file->stretch < seek->stretch_count && seek->stretches[file->stretch].end <= at)
		file->stretch++;
	if (file->stretch < seek->stretch_count)
		to = seek->stretches[file->stretch].begin;
	if (to <= at || file->tracing.bytes)
		return;
	file->in_front = 0;
	perfdata_input_go(file->input, to, file->data_end);
	/* A new compressed frame begins at the target. */
	if (file->unpack)
		perfdata_decompress_reset(file->unpack);
}
