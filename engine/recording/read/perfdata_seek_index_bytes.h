/*
 * perfdata_seek_index_bytes - encodes and decodes a seek index as records of a stxtop recording
 * (struct perfdata_ext_index).
 *
 * Input is untrusted: an inconsistency, or an offset outside of the file, makes the whole index
 * invalid. Pure.
 */
#ifndef READ_PERFDATA_SEEK_INDEX_BYTES_H
#define READ_PERFDATA_SEEK_INDEX_BYTES_H

#include "engine/base/str.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/read/perfdata_seek_index.h"

/*
 * Append the index as records that will be at file offset `at` and cover the file up to `upto`.
 * *last: offset of the last such record, 0: none; updated. Every call fits into a record, as
 * LONG_CALL_PLACES bounds its places.
 */
void perfdata_seek_index_write(const struct perfdata_seek_index *seek_index, uint64_t at,
			       uint64_t upto, uint64_t *last, struct str *out);
/* Append a PERFDATA_EXT_INDEX_AT with the offset of the last index record. */
void perfdata_seek_index_write_at(struct str *out, uint64_t last);

/* Read the offset in a PERFDATA_EXT_INDEX_AT. False: another kind of record. */
bool perfdata_seek_index_read_at(const void *record, size_t len, uint64_t *last);
/* Read the head of an index record. False: another kind of record, or inconsistent. */
bool perfdata_seek_index_read_head(const void *record, size_t len, struct perfdata_ext_index *head);
/*
 * Add the contents of one record; call in file order. Its pieces begin at `from` or later. open:
 * also add calls in flight. False: invalid.
 */
bool perfdata_seek_index_read(struct perfdata_seek_index *seek_index, const void *record,
			      size_t len, uint64_t from, bool open);

#endif
