/*
 * perfdata_seek_index_writer - the survey of a recording of ours, made while it is written.
 *
 * Its owner tells it of all records as they come into the file, asks it now and then for the
 * records that it writes itself, and keeps no more of it in memory than what was not told yet.
 * One thread.
 */
#ifndef RECORDER_PERFDATA_SEEK_INDEX_WRITER_H
#define RECORDER_PERFDATA_SEEK_INDEX_WRITER_H

#include "engine/base/str.h"
#include "engine/recording/read/perfdata_seek_index.h"

struct perf_survey_writer {
	struct perf_survey survey;
	uint64_t last; /* the last record of it in the file; 0: there is none */
	uint64_t upto; /* all in front of that place was told */
	uint64_t frame; /* where the last frame of what is compressed began */
	bool within; /* a frame has begun and not ended */
};

void perf_survey_writer_init(struct perf_survey_writer *writer, bool packed);
void perf_survey_writer_release(struct perf_survey_writer *writer);

/* Whole records that are in the file from `at` on. */
void perf_survey_writer_add(struct perf_survey_writer *writer, const void *records, size_t len,
			    uint64_t at);
/* Whether a frame is to end with what is compressed next, which will stand at `at`. */
bool perf_survey_writer_ends_frame(const struct perf_survey_writer *writer, uint64_t at);
/*
 * The same records, as perf_pack_add() made them, PERF_PACK_BYTES in each: from `at` on, and
 * whether a frame ended with them.
 */
void perf_survey_writer_add_packed(struct perf_survey_writer *writer, const void *records,
				   size_t len, const struct str *packed, uint64_t at, bool ended);

/* It is time to tell more of it, where the file has so many bytes. */
bool perf_survey_writer_is_due(const struct perf_survey_writer *writer, uint64_t bytes);
bool perf_survey_writer_has_news(const struct perf_survey_writer *writer);
/* Appends its records, which will stand at `at`; there has to be something to tell. */
void perf_survey_writer_tell(struct perf_survey_writer *writer, uint64_t at, struct str *out);
/* The place that a PERF_OWN_INDEX_AT tells; 0: there is none. */
uint64_t perf_survey_writer_last(const struct perf_survey_writer *writer);

#endif
