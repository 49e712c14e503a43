/*
 * perfdata_file_seek_index - reads and checks the embedded seek index of a stxtop recording.
 */
#include "engine/recording/read/perfdata_file_private.h"

#include "engine/base/mem.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/recording/read/perfdata_seek_index_bytes.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of index records; a recording of 1 TB has about 2000, below BYTES_MAX bytes. */
#define RECORDS_MAX 65536
#define BYTES_MAX ((uint64_t)64 << 20)
#define ZSTD_MAGIC 0xfd2fb528 /* RFC 8878, 3.1.1 */

/* Offsets of the index records, last first. */
struct places {
	uint64_t *at;
	size_t count, cap;
};

/* Detect a stxtop recording by its first record, which is never compressed. */
static bool knows_own(struct perfdata_file *file)
{
	const size_t bytes = sizeof(struct perfdata_ext);
	char *first = perfdata_input_section(file->input, file->data_at, bytes, bytes);
	bool own = first && perfdata_ext_is((const void *)first);

	free(first);
	file->is_own = own;
	file->read_any = own;
	return own;
}

/* Find the PERFDATA_EXT_INDEX_AT: the last record, or the one before an OBSERVATIONS_AT. */
static bool find_last(struct perfdata_file *file, uint64_t *last)
{
	const size_t bytes = sizeof(struct perfdata_ext_index_at);
	uint64_t end = file->observations_end;
	bool found = false;

	for (int i = 0; i < 2 && !found && end >= file->data_at + bytes; i++, end -= bytes) {
		char *at = perfdata_input_section(file->input, end - bytes, bytes, bytes);

		found = at && perfdata_seek_index_read_at(at, bytes, last);
		free(at);
	}
	return found;
}

static bool read_head(struct perfdata_file *file, uint64_t at, struct perfdata_ext_index *head)
{
	char *bytes;
	bool sound;

	if (at < file->data_at || at >= file->observations_end ||
	    file->observations_end - at < sizeof(*head))
		return false;
	bytes = perfdata_input_section(file->input, at, sizeof(*head), sizeof(*head));
	sound = bytes && perfdata_seek_index_read_head(bytes, sizeof(*head), head) &&
		head->own.header.size <= file->observations_end - at && head->before < at &&
		head->upto <= at && head->upto >= file->data_at;
	free(bytes);
	return sound;
}

/* False: the index record at *wrong is invalid. */
static bool find_places(struct perfdata_file *file, uint64_t at, struct places *places,
			uint64_t *wrong)
{
	uint64_t bytes = 0;

	while (at) {
		struct perfdata_ext_index head;

		*wrong = at;
		if (places->count == RECORDS_MAX || !read_head(file, at, &head) ||
		    (bytes += head.own.header.size) > BYTES_MAX)
			return false;
		places->at = mem_grow(places->at, &places->cap, places->count + 1,
				      sizeof(*places->at));
		places->at[places->count++] = at;
		at = head.before;
	}
	return true;
}

/* Add an index record. *from, *upto: range of the file that its run covers; updated. */
static bool read_one(struct perfdata_file *file, uint64_t at, uint64_t end, uint64_t *upto,
		     uint64_t *from, struct perfdata_seek_index *seek_index)
{
	struct perfdata_ext_index head;
	bool sound;
	char *bytes;

	if (!read_head(file, at, &head) || head.upto < *upto)
		return false;
	if (head.upto > *upto)
		*from = *upto;
	*upto = head.upto;
	bytes = perfdata_input_section(file->input, at, head.own.header.size, head.own.header.size);
	sound = bytes && perfdata_seek_index_read(seek_index, bytes, head.own.header.size, *from,
						  head.upto == end);
	free(bytes);
	return sound;
}

enum perfdata_file_seek_index perfdata_file_seek_index(struct perfdata_file *file,
						       struct perfdata_seek_index *seek_index,
						       uint64_t *upto, uint64_t *wrong)
{
	struct places places = { .at = NULL };
	struct perfdata_ext_index head;
	uint64_t last = 0, from;
	bool sound;

	*upto = from = file->data_at;
	if (perfdata_input_is_pipe(file->input) || !knows_own(file) || !find_last(file, &last))
		return PERFDATA_FILE_SEEK_INDEX_NONE;
	*wrong = last;
	sound = read_head(file, last, &head) && find_places(file, last, &places, wrong);
	while (sound && places.count) {
		*wrong = places.at[--places.count];
		sound = read_one(file, *wrong, head.upto, upto, &from, seek_index);
	}
	free(places.at);
	if (sound && seek_index->index.count)
		return PERFDATA_FILE_SEEK_INDEX_FOUND;
	return PERFDATA_FILE_SEEK_INDEX_WRONG;
}

/* -- Checking ------------------------------------------------------------------------------ */

static bool is_packed(const struct perf_event_header *record)
{
	return record->type == TYPE_COMPRESSED || record->type == TYPE_COMPRESSED2;
}

/* True if a compressed stream begins in this record. */
static bool begins_stream(const struct perf_event_header *record, size_t bytes)
{
	size_t at = sizeof(*record) + (record->type == TYPE_COMPRESSED2 ? sizeof(uint64_t) : 0);
	uint32_t magic;

	if (bytes < at + sizeof(magic) || record->size < at + sizeof(magic))
		return false;
	memcpy(&magic, (const char *)record + at, sizeof(magic));
	return magic == ZSTD_MAGIC;
}

bool perfdata_file_seek_index_holds(struct perfdata_file *file,
				    const struct perfdata_time_index_piece *piece)
{
	const uint64_t most = PERFDATA_EXT_RECORD_MAX;
	uint64_t left = file->observations_end - piece->at, time_ns;
	struct perf_event_header *record;
	bool holds = false;
	size_t bytes;

	if (piece->at < file->data_at || piece->at >= file->observations_end)
		return false;
	bytes = left < most ? left : most;
	record = (void *)perfdata_input_section(file->input, piece->at,
						left < sizeof(*record) ? left : sizeof(*record),
						sizeof(*record));
	if (record && left >= sizeof(*record) && record->size >= sizeof(*record) &&
	    record->size <= bytes) {
		bytes = record->size;
		free(record);
		record = (void *)perfdata_input_section(file->input, piece->at, bytes, bytes);
		holds = record != NULL;
	}
	if (holds && is_packed(record)) {
		holds = begins_stream(record, bytes);
	} else if (holds) {
		time_ns = perfdata_ext_time(record);
		holds = record->size % 8 == 0 && record->type < TYPE_COMPRESSED2 &&
			(!time_ns || (time_ns >= piece->oldest_ns && time_ns <= piece->newest_ns));
	}
	free(record);
	return holds;
}

void perfdata_file_scan_from(struct perfdata_file *file, uint64_t at)
{
	perfdata_file_rewind(file);
	perfdata_input_go(file->input, at, file->data_end);
}
