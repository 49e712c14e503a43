#include "engine/recording/read/perfdata_file.h"

#include "engine/recording/perfdata_ext.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/recording/read/perfdata_file_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- The time of a record ---------------------------------------------------------------- */

/* Return the number of 8-byte words after the time in records other than samples; -1: no time. */
static int words_behind_time(const struct perf_event_attr *attr)
{
	uint64_t behind = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			  PERF_SAMPLE_IDENTIFIER;

	if (!attr->sample_id_all || !(attr->sample_type & PERF_SAMPLE_TIME))
		return -1;
	return __builtin_popcountll(attr->sample_type & behind);
}

/* Return the number of 8-byte words before the time in samples; -1: no time. */
static int words_before_time(const struct perf_event_attr *attr)
{
	uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;

	if (!(attr->sample_type & PERF_SAMPLE_TIME))
		return -1;
	return __builtin_popcountll(attr->sample_type & before);
}

/* The place of the time is the same in all events of a file; perf depends on that too. */
static void learn_time(struct perfdata_file *file)
{
	const struct perf_event_attr *attr = &perfdata_header_event(file->header, 0)->attr;

	file->words_before_time = words_before_time(attr);
	file->words_behind_time = words_behind_time(attr);
	file->knows_time = true;
}

uint64_t perfdata_file_record_time(struct perfdata_file *file,
				   const struct perf_event_header *header, uint64_t otherwise)
{
	int words = (int)((header->size - sizeof(*header)) / 8);
	const char *body = (const char *)(header + 1);
	uint64_t time_ns;
	int at;

	if (__builtin_expect(!file->knows_time, 0))
		learn_time(file);
	if (header->type == PERF_RECORD_SAMPLE)
		at = file->words_before_time;
	else
		at = file->words_behind_time < 0 ? -1 : words - 1 - file->words_behind_time;
	if (at < 0 || at >= words)
		return otherwise;
	memcpy(&time_ns, body + at * 8, sizeof(time_ns));
	/* perf synthesizes some records without a time. */
	return time_ns && time_ns < PERFDATA_FILE_TIME_MAX ? time_ns : otherwise;
}

bool perfdata_file_is_timeless(struct perfdata_file *file, const struct perf_event_header *record)
{
	return !perfdata_file_record_time(file, record, 0);
}

/* -- Records by time ----------------------------------------------------------------------- */

static void order_record(struct perfdata_file *file, const struct perf_event_header *record)
{
	/*
	 * perf writes the totals of lost samples last, without a time: order them after all records
	 * so far. Other records without a time get that of the sample before them in the file.
	 */
	bool sums = record->type == PERF_RECORD_LOST_SAMPLES;
	uint64_t time_ns = perfdata_file_record_time(file, record,
						     sums ? file->newest_ns : file->sample_ns);

	/* Only samples set first_ns: side records about existing tasks have no time. */
	if (record->type == PERF_RECORD_SAMPLE) {
		file->sample_ns = time_ns;
		file->sampled = true;
		if (!file->reported && time_ns && (!file->first_ns || time_ns < file->first_ns))
			file->first_ns = time_ns;
	} else if (!file->sampled && !file->has_kernel) {
		file->has_kernel = perfdata_kernel_map_read(&file->kernel, record);
	}
	if (time_ns > file->newest_ns)
		file->newest_ns = time_ns;
	if (file->seeking && perfdata_file_leaves_out(file, record, time_ns))
		return;
	if (file->unpacking)
		perfdata_order_add(file->order, record, time_ns);
	else
		perfdata_order_store(file->order, record, time_ns);
}

/* Take a record of a stxtop recording; these records are already in order of collection. */
static void take_own(struct perfdata_file *file, const struct perf_event_header *record)
{
	uint64_t time_ns;

	if (record->type == TYPE_BUILD_ID && perfdata_file_learns(file))
		perfdata_header_add_build_id(file->header, record);
	if (record->type >= FIRST_USER_TYPE && record->type != PERFDATA_EXT_TYPE)
		return;
	time_ns = perfdata_ext_time(record);
	if (file->seeking && perfdata_file_leaves_out(file, record, time_ns))
		return;
	file->own_ready = record;
	if (!file->has_kernel)
		file->has_kernel = perfdata_kernel_map_read(&file->kernel, record);
	if (time_ns > file->newest_ns)
		file->newest_ns = time_ns;
	if (file->first_ns)
		return;
	flight_mark_read(record, &file->own.flight);
	if (perfdata_ext_read_begin(record, &file->own))
		file->first_ns = file->own.began_ns;
}

/* Fast path: take consecutive records of kernel types that are in memory. False: took none. */
static bool read_run(struct perfdata_file *file)
{
	const struct perf_event_header *record;
	bool any = false;

	if (!file->read_any || file->is_own || file->seeking ||
	    !perfdata_header_event_count(file->header))
		return false;
	while (!perfdata_order_is_ready(file->order) && (record = perfdata_file_next_ready(file))) {
		order_record(file, record);
		any = true;
	}
	return any;
}

enum perfdata_file_state perfdata_file_read_on(struct perfdata_file *file)
{
	const struct perf_event_header *record;
	enum perfdata_file_state state;

	if (read_run(file))
		return PERFDATA_FILE_READY;
	/* Drop a record that was read and not delivered: the next read can overwrite its bytes. */
	file->own_ready = NULL;
	state = perfdata_file_next_written(file, &record);
	if (state == PERFDATA_FILE_END)
		perfdata_order_end(file->order);
	if (state != PERFDATA_FILE_READY)
		return state;
	if (!file->read_any)
		file->is_own = perfdata_ext_is(record);
	file->read_any = true;
	if (file->is_own && perfdata_file_is_section(file, record))
		perfdata_file_take_user_record(file, record);
	else if (file->is_own)
		take_own(file, record);
	else if (record->type == TYPE_FINISHED_ROUND)
		perfdata_order_round(file->order);
	else if (record->type >= FIRST_USER_TYPE && file->unpacking)
		return PERFDATA_FILE_READY;
	else if (record->type >= FIRST_USER_TYPE)
		perfdata_file_take_user_record(file, record);
	else if (perfdata_header_event_count(file->header))
		order_record(file, record);
	return PERFDATA_FILE_READY;
}

enum perfdata_file_state perfdata_file_next(struct perfdata_file *file,
					    const struct perf_event_header **record)
{
	for (;;) {
		enum perfdata_file_state state;

		*record = file->own_ready ? file->own_ready : perfdata_order_next(file->order);
		if (*record) {
			file->reported_ns = file->own_ready ? perfdata_ext_time(*record)
							    : perfdata_order_time(file->order);
			file->own_ready = NULL;
			file->reported++;
			return PERFDATA_FILE_READY;
		}
		if (file->ended)
			return PERFDATA_FILE_END;
		state = perfdata_file_read_on(file);
		if (state == PERFDATA_FILE_WAIT)
			return state;
	}
}

uint64_t perfdata_file_time(const struct perfdata_file *file)
{
	return file->reported_ns;
}

bool perfdata_file_can_rewind(const struct perfdata_file *file)
{
	return file->data_at && !perfdata_input_is_pipe(file->input);
}

void perfdata_file_rewind(struct perfdata_file *file)
{
	perfdata_order_clear(file->order);
	perfdata_decompress_free(file->unpack);
	file->unpack = NULL;
	file->own_ready = NULL;
	file->unpacking = file->ended = false;
	file->in_front = 0;
	file->seeking = false;
	file->sample_ns = 0;
	free(file->tracing.bytes);
	file->tracing.bytes = NULL;
	perfdata_input_go(file->input, file->data_at, file->data_end);
}

int perfdata_file_wait(struct perfdata_file *file, int wake_fd, int timeout_ms)
{
	return perfdata_input_wait(file->input, wake_fd, timeout_ms);
}

/* -- Queries ------------------------------------------------------------------------------- */

struct perfdata_header *perfdata_file_header(struct perfdata_file *file)
{
	return file->header;
}

const struct perfdata_file_own *perfdata_file_own(const struct perfdata_file *file)
{
	return file->is_own ? &file->own : NULL;
}

int perfdata_file_fd(const struct perfdata_file *file)
{
	return perfdata_input_fd(file->input);
}

const struct perfdata_kernel_map *perfdata_file_kernel(const struct perfdata_file *file)
{
	return file->has_kernel ? &file->kernel : NULL;
}

uint64_t perfdata_file_first_ns(const struct perfdata_file *file)
{
	return file->first_ns;
}

uint64_t perfdata_file_newest_ns(const struct perfdata_file *file)
{
	return file->newest_ns;
}

uint64_t perfdata_file_delivered(const struct perfdata_file *file)
{
	return file->reported;
}

uint64_t perfdata_file_progress(const struct perfdata_file *file, uint64_t *size)
{
	*size = perfdata_input_size(file->input);
	return perfdata_input_at(file->input);
}

void perfdata_file_note(struct perfdata_file *file, bool damaged, const char *format, ...)
{
	va_list args;

	if (file->trouble.text[0] && (file->damaged || !damaged))
		return;
	va_start(args, format);
	vsnprintf(file->trouble.text, sizeof(file->trouble.text), format, args);
	va_end(args);
	file->damaged = damaged;
}

const char *perfdata_file_trouble(const struct perfdata_file *file, bool *damaged)
{
	if (damaged)
		*damaged = file->damaged;
	return file->trouble.text[0] ? file->trouble.text : NULL;
}
