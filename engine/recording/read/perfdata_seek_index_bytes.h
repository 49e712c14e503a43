/*
 * perfdata_seek_index_bytes - a seek index as records of a stxtop recording (struct
 * perfdata_ext_index), and back.
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
 * Append the records of the index. They will be at offset `at` of the file, and describe the
 * records in front of upto. *last: offset of the last such record, 0: none; updated. Every call
 * fits into a record, as LONG_CALL_PLACES bounds its places.
 */
void perfdata_seek_index_write(const struct perfdata_seek_index *seek_index, uint64_t at,
			       uint64_t upto, uint64_t *last, struct str *out);
/* Append the record with the offset of the last one. */
void perfdata_seek_index_write_at(struct str *out, uint64_t last);

/* Read the offset of the last one. False: another kind of record. */
bool perfdata_seek_index_read_at(const void *record, size_t len, uint64_t *last);
/* Read the head of an index record. False: another kind of record, or inconsistent. */
bool perfdata_seek_index_read_head(const void *record, size_t len, struct perfdata_ext_index *head);
/*
 * Add the contents of one record; call in file order. Its pieces begin at `from` or later. open:
 * add calls in flight too. False: invalid.
 */
bool perfdata_seek_index_read(struct perfdata_seek_index *seek_index, const void *record,
			      size_t len, uint64_t from, bool open);

#endif
