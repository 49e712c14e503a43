/*
 * perfdata_seek_index_writer - writes the seek index of a recording incrementally.
 *
 * The owner passes all records in file order and periodically appends the index records of this
 * writer. Only the part of the index that is not written yet stays in memory. One thread.
 */
#ifndef RECORDER_PERFDATA_SEEK_INDEX_WRITER_H
#define RECORDER_PERFDATA_SEEK_INDEX_WRITER_H

#include "engine/base/str.h"
#include "engine/recording/read/perfdata_seek_index.h"

struct perfdata_seek_index_writer {
	struct perfdata_seek_index seek_index;
	uint64_t last; /* offset of the last index record in the file; 0: none */
	uint64_t upto; /* the file is indexed up to this offset */
	uint64_t frame; /* offset of the last compressed frame */
	bool within; /* a frame has begun and not ended */
};

void perfdata_seek_index_writer_init(struct perfdata_seek_index_writer *writer, bool packed);
void perfdata_seek_index_writer_release(struct perfdata_seek_index_writer *writer);

/* Add whole records, which begin at file offset `at`. */
void perfdata_seek_index_writer_add(struct perfdata_seek_index_writer *writer, const void *records,
				    size_t len, uint64_t at);
/* True if the frame must end with the data compressed next, which will be at offset `at`. */
bool perfdata_seek_index_writer_ends_frame(const struct perfdata_seek_index_writer *writer,
					   uint64_t at);
/*
 * Add records that perfdata_compress_add() compressed to `packed`, which is at file offset `at`:
 * PERFDATA_COMPRESS_BYTES in each compressed record. ended: a frame ended with them.
 */
void perfdata_seek_index_writer_add_packed(struct perfdata_seek_index_writer *writer,
					   const void *records, size_t len,
					   const struct str *packed, uint64_t at, bool ended);

/* True if index records should be written now; bytes: size of the file. */
bool perfdata_seek_index_writer_is_due(const struct perfdata_seek_index_writer *writer,
				       uint64_t bytes);
bool perfdata_seek_index_writer_has_news(const struct perfdata_seek_index_writer *writer);
/* Append the index records, which will be at offset `at`. Requires has_news(). */
void perfdata_seek_index_writer_emit(struct perfdata_seek_index_writer *writer, uint64_t at,
				     struct str *out);
/* Return the offset for PERFDATA_EXT_INDEX_AT; 0: no index record yet. */
uint64_t perfdata_seek_index_writer_last(const struct perfdata_seek_index_writer *writer);

#endif
