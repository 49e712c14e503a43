/*
 * perfdata_file_observations - the observations of a stxtop recording, read before its records.
 */
#include "engine/recording/read/perfdata_file_private.h"

#include "engine/base/mem.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/perfdata_observations.h"

#include <stdlib.h>
#include <string.h>

#define RECORDS_MAX 262144 /* maximum number of records of observations: 15 GB */

/* Offsets of the records, last first. */
struct places {
	uint64_t *at;
	size_t count, cap;
};

static bool find_last(struct perfdata_file *file, uint64_t *last)
{
	const size_t bytes = sizeof(struct perfdata_ext_observations_at);
	char *at = NULL;
	bool found;

	if (file->observations_end >= file->data_at + bytes)
		at = perfdata_input_section(file->input, file->observations_end - bytes, bytes,
					    bytes);
	found = at && perfdata_observations_read_at(at, bytes, last);
	free(at);
	return found;
}

/* Read a record of observations, or only its head; for the caller to free(). */
static struct perf_event_header *read_record(struct perfdata_file *file, uint64_t at, bool whole)
{
	size_t bytes = sizeof(struct perfdata_ext_observations);
	struct perf_event_header *record = NULL;
	uint64_t left;

	if (at < file->data_at || at > file->observations_end)
		return NULL;
	left = file->observations_end - at;
	if (left >= bytes)
		record = (void *)perfdata_input_section(file->input, at, bytes, bytes);
	if (!record || !whole)
		return record;
	bytes = record->size;
	free(record);
	return bytes < sizeof(struct perfdata_ext_observations) || bytes > left
		       ? NULL
		       : (void *)perfdata_input_section(file->input, at, bytes, bytes);
}

static void find_places(struct perfdata_file *file, uint64_t at, struct places *places)
{
	uint64_t before = 0, end = file->observations_end;

	while (at && places->count < RECORDS_MAX) {
		struct perf_event_header *record = read_record(file, at, false);
		bool sound = record && perfdata_observations_read(record, NULL, NULL, &before);
		/* Reject nested records: they would be read again and again. */
		bool apart = sound && at < end && record->size <= end - at;

		free(record);
		if (!apart)
			return;
		end = at;
		places->at = mem_grow(places->at, &places->cap, places->count + 1,
				      sizeof(*places->at));
		places->at[places->count++] = at;
		at = before;
	}
}

bool perfdata_file_observations(struct perfdata_file *file, observation_fn *take, void *ctx)
{
	struct places places = { .at = NULL };
	uint64_t last, before;

	if (!file->is_own || !find_last(file, &last))
		return false;
	find_places(file, last, &places);
	while (places.count) {
		struct perf_event_header *record = read_record(file, places.at[--places.count],
							       true);

		if (record)
			perfdata_observations_read(record, take, ctx, &before);
		free(record);
	}
	free(places.at);
	return true;
}
