/*
 * perfdata_file_raw - records in file order: decompresses records, processes perf's own types.
 */
#include "engine/recording/read/perfdata_file_private.h"

#include "engine/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES 4096

/* Last part of messages about damage. */
#define BEFORE_IS_HERE "earlier records are shown"

/* Skip the record returned last. */
static void leave_record(struct perfdata_file *file)
{
	perfdata_input_skip(file->input, file->in_front);
	if (file->in_front % 8)
		perfdata_input_align(file->input);
	file->in_front = 0;
}

/* Pipes only: add the contents of a record to the header, as those of a section in a file. */
static void take_header_record(struct perfdata_file *file, const struct perf_event_header *record)
{
	const char *body = (const char *)(record + 1);
	size_t len = record->size - sizeof(*record);
	uint32_t attr_bytes;
	uint64_t bit;
	char *copy;

	if (record->type == TYPE_HEADER_ATTR && len >= PERFDATA_FILE_ATTR_MIN) {
		memcpy(&attr_bytes, body + offsetof(struct perf_event_attr, size),
		       sizeof(attr_bytes));
		if (attr_bytes >= PERFDATA_FILE_ATTR_MIN && attr_bytes <= len)
			perfdata_header_add_event(file->header, body, attr_bytes, body + attr_bytes,
						  (len - attr_bytes) / 8);
	} else if (record->type == TYPE_BUILD_ID) {
		perfdata_header_add_build_id(file->header, record);
	} else if (record->type == TYPE_HEADER_FEATURE && len >= sizeof(bit)) {
		memcpy(&bit, body, sizeof(bit));
		copy = mem_alloc(len);
		memcpy(copy, body + sizeof(bit), len - sizeof(bit));
		if (bit < PERF_FEATURE_COUNT)
			perfdata_header_add_feature(file->header, (unsigned)bit, copy,
						    len - sizeof(bit));
		else
			free(copy);
	}
}

/* Return the length of the data that follows a record and is not counted in its size. */
static uint64_t bytes_behind(const struct perf_event_header *record)
{
	const char *body = (const char *)(record + 1);
	size_t len = record->size - sizeof(*record);
	uint32_t few;
	uint64_t many;

	if (record->type == TYPE_TRACING_DATA && len >= sizeof(few)) {
		memcpy(&few, body, sizeof(few));
		return few;
	}
	if (record->type == TYPE_AUXTRACE && len >= sizeof(many)) {
		memcpy(&many, body, sizeof(many));
		return many;
	}
	return 0;
}

/* Read the tracepoint formats in pieces, as they can exceed the input buffer. */
static enum perfdata_input_state read_tracing(struct perfdata_file *file)
{
	while (file->tracing.got < file->tracing.len) {
		size_t left = file->tracing.len - file->tracing.got;
		size_t piece = left < PIECE_BYTES ? left : PIECE_BYTES;
		const char *at;
		enum perfdata_input_state state = perfdata_input_need(file->input, piece, &at);

		if (state != PERFDATA_INPUT_READY)
			return state;
		memcpy(file->tracing.bytes + file->tracing.got, at, piece);
		file->tracing.got += piece;
		perfdata_input_skip(file->input, piece);
	}
	perfdata_header_add_feature(file->header, PERF_FEATURE_TRACING_DATA, file->tracing.bytes,
				    file->tracing.len);
	file->tracing.bytes = NULL;
	perfdata_input_align(file->input);
	return PERFDATA_INPUT_READY;
}

static void begin_unpacking(struct perfdata_file *file, const struct perf_event_header *record)
{
	const char *body = (const char *)(record + 1);
	uint64_t len = record->size - sizeof(*record), reported;

	if (record->type == TYPE_COMPRESSED2) {
		if (len < sizeof(reported))
			return;
		memcpy(&reported, body, sizeof(reported));
		body += sizeof(reported);
		len -= sizeof(reported);
		len = reported < len ? reported : len;
	}
	if (!file->unpack)
		file->unpack = perfdata_decompress_new();
	file->packed_at = perfdata_input_at(file->input);
	file->packed_which = 0;
	file->packed_entry = perfdata_decompress_is_entry(file->unpack);
	perfdata_decompress_feed(file->unpack, body, len, perfdata_header_packed_max(file->header));
	file->unpacking = true;
}

bool perfdata_file_learns(struct perfdata_file *file)
{
	uint64_t at = perfdata_input_at(file->input);

	if (at < file->learned_at)
		return false;
	file->learned_at = at + 1;
	return true;
}

bool perfdata_file_is_section(const struct perfdata_file *file,
			      const struct perf_event_header *record)
{
	return file->stream && !file->unpacking &&
	       (record->type == TYPE_HEADER_ATTR || record->type == TYPE_TRACING_DATA ||
		record->type == TYPE_HEADER_FEATURE || record->type == TYPE_BUILD_ID);
}

void perfdata_file_take_user_record(struct perfdata_file *file,
				    const struct perf_event_header *record)
{
	uint64_t behind = bytes_behind(record);
	uint32_t type = record->type;

	bool known = !perfdata_file_learns(file);

	if (file->stream && !known)
		take_header_record(file, record);
	leave_record(file);
	if (type == TYPE_TRACING_DATA && file->stream && !known &&
	    behind <= perfdata_header_feature_max(PERF_FEATURE_TRACING_DATA) &&
	    !file->tracing.bytes) {
		file->tracing.bytes = mem_alloc(behind + 1);
		file->tracing.len = behind;
		file->tracing.got = 0;
	} else {
		if (behind > perfdata_input_left(file->input))
			perfdata_file_note(file, true,
					   "the recording ends at byte %" PRIu64
					   ": its last record announces %" PRIu64 " more bytes",
					   perfdata_input_at(file->input) +
						   perfdata_input_left(file->input),
					   behind);
		perfdata_input_skip(file->input, behind);
		if (behind % 8)
			perfdata_input_align(file->input);
	}
}

/* Sizes of perf's own records need not be multiples of 8; then all later records are unaligned. */
static bool has_sound_size(const struct perf_event_header *record)
{
	return record->size >= sizeof(*record) &&
	       (record->type >= FIRST_USER_TYPE || record->size % 8 == 0);
}

/* Handle the end of the input: it has no more whole records. */
static enum perfdata_file_state end_of_input(struct perfdata_file *file)
{
	uint64_t at = perfdata_input_at(file->input);
	int error = perfdata_input_errno(file->input);
	const char *rest;

	file->ended = true;
	if (error)
		perfdata_file_note(file, true,
				   "cannot read the recording at byte %" PRIu64
				   ": %s; " BEFORE_IS_HERE,
				   at, strerror(error));
	else if (file->tracing.bytes)
		perfdata_file_note(file, true,
				   "the recording ends at byte %" PRIu64 ", within its "
				   "tracepoint formats; " BEFORE_IS_HERE,
				   at);
	else if (perfdata_input_need(file->input, 1, &rest) == PERFDATA_INPUT_READY)
		perfdata_file_note(file, !file->unfinished,
				   "the recording ends in the middle of the "
				   "record at byte %" PRIu64 "; " BEFORE_IS_HERE,
				   at);
	else if (perfdata_input_was_cut(file->input))
		perfdata_file_note(file, true,
				   "the recording ends at byte %" PRIu64
				   ": it was truncated while it was read; " BEFORE_IS_HERE,
				   at);
	return PERFDATA_FILE_END;
}

static enum perfdata_file_state end_of_sense(struct perfdata_file *file,
					     const struct perf_event_header *record)
{
	file->ended = true;
	perfdata_file_note(file, true,
			   "the recording is damaged at byte %" PRIu64
			   ": invalid record of type %u and %u bytes; " BEFORE_IS_HERE,
			   perfdata_input_at(file->input), record->type, record->size);
	return PERFDATA_FILE_END;
}

static enum perfdata_file_state end_of_unpacking(struct perfdata_file *file)
{
	file->ended = true;
	perfdata_file_note(file, true,
			   "the recording is damaged at byte %" PRIu64
			   ": invalid compressed records; " BEFORE_IS_HERE,
			   file->packed_at);
	return PERFDATA_FILE_END;
}

/* Return the next record at the input; it stays there until the next call. */
static enum perfdata_file_state next_in_file(struct perfdata_file *file,
					     const struct perf_event_header **record)
{
	enum perfdata_input_state state;
	const char *at;

	*record = NULL;
	leave_record(file);
	if (file->tracing.bytes) {
		state = read_tracing(file);
		if (state != PERFDATA_INPUT_READY)
			return state == PERFDATA_INPUT_WAIT ? PERFDATA_FILE_WAIT
							    : end_of_input(file);
	}
	state = perfdata_input_need(file->input, sizeof(**record), &at);
	if (state == PERFDATA_INPUT_READY) {
		*record = (const void *)at;
		if (!has_sound_size(*record))
			return end_of_sense(file, *record);
		state = perfdata_input_need(file->input, (*record)->size, &at);
		*record = (const void *)at;
	}
	if (state == PERFDATA_INPUT_WAIT)
		return PERFDATA_FILE_WAIT;
	if (state == PERFDATA_INPUT_END)
		return end_of_input(file);
	file->in_front = (*record)->size;
	return PERFDATA_FILE_READY;
}

const struct perf_event_header *perfdata_file_next_ready(struct perfdata_file *file)
{
	const struct perf_event_header *record;
	size_t bytes;

	if (file->ended || file->unpacking || file->tracing.bytes || file->in_front % 8)
		return NULL;
	record = (const void *)perfdata_input_ready(file->input, file->in_front, &bytes);
	file->in_front = 0;
	if (bytes < sizeof(*record) || bytes < record->size || record->type >= FIRST_USER_TYPE ||
	    !has_sound_size(record))
		return NULL;
	file->in_front = record->size;
	return record;
}

enum perfdata_file_state perfdata_file_next_written(struct perfdata_file *file,
						    const struct perf_event_header **record)
{
	while (!file->ended) {
		enum perfdata_file_state state;

		if (file->unpacking) {
			*record = perfdata_decompress_next(file->unpack);
			file->packed_which++;
			if (*record)
				return PERFDATA_FILE_READY;
			file->unpacking = false;
			if (perfdata_decompress_is_broken(file->unpack))
				return end_of_unpacking(file);
		}
		if (file->seeking)
			perfdata_file_jump(file);
		state = next_in_file(file, record);
		if (state != PERFDATA_FILE_READY)
			return state;
		if ((*record)->type != TYPE_COMPRESSED && (*record)->type != TYPE_COMPRESSED2)
			return PERFDATA_FILE_READY;
		begin_unpacking(file, *record);
	}
	return PERFDATA_FILE_END;
}
