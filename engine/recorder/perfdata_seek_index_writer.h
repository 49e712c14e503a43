/*
 * perfdata_seek_index_writer - the seek index of a recording of ours, made while it is written.
 *
 * Its owner tells it of all records as they come into the file, asks it now and then for the
 * records that it writes itself, and keeps no more of it in memory than what was not told yet.
 * One thread.
 */
#ifndef RECORDER_PERFDATA_SEEK_INDEX_WRITER_H
#define RECORDER_PERFDATA_SEEK_INDEX_WRITER_H

#include "engine/base/str.h"
#include "engine/recording/read/perfdata_seek_index.h"

struct perfdata_seek_index_writer {
	struct perfdata_seek_index seek_index;
	uint64_t last; /* the last record of it in the file; 0: there is none */
	uint64_t upto; /* all in front of that place was told */
	uint64_t frame; /* where the last frame of what is compressed began */
	bool within; /* a frame has begun and not ended */
};

void perfdata_seek_index_writer_init(struct perfdata_seek_index_writer *writer, bool packed);
void perfdata_seek_index_writer_release(struct perfdata_seek_index_writer *writer);

/* Whole records that are in the file from `at` on. */
void perfdata_seek_index_writer_add(struct perfdata_seek_index_writer *writer, const void *records,
				    size_t len, uint64_t at);
/* Whether a frame is to end with what is compressed next, which will stand at `at`. */
bool perfdata_seek_index_writer_ends_frame(const struct perfdata_seek_index_writer *writer,
					   uint64_t at);
/*
 * The same records, as perfdata_compress_add() made them, PERFDATA_COMPRESS_BYTES in each: from
 * `at` on, and whether a frame ended with them.
 */
void perfdata_seek_index_writer_add_packed(struct perfdata_seek_index_writer *writer,
					   const void *records, size_t len,
					   const struct str *packed, uint64_t at, bool ended);

/* It is time to tell more of it, where the file has so many bytes. */
bool perfdata_seek_index_writer_is_due(const struct perfdata_seek_index_writer *writer,
				       uint64_t bytes);
bool perfdata_seek_index_writer_has_news(const struct perfdata_seek_index_writer *writer);
/* Appends its records, which will stand at `at`; there has to be something to tell. */
void perfdata_seek_index_writer_emit(struct perfdata_seek_index_writer *writer, uint64_t at,
				     struct str *out);
/* The place that a PERFDATA_EXT_INDEX_AT tells; 0: there is none. */
uint64_t perfdata_seek_index_writer_last(const struct perfdata_seek_index_writer *writer);

#endif
