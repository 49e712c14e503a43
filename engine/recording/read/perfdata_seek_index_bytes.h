/*
 * perfdata_seek_index_bytes - a seek index as records of a recording of ours (struct
 * perfdata_ext_index), and back.
 *
 * Who reads them trusts nothing: what contradicts itself, or lies outside of the file, makes all
 * of it wrong. Pure.
 */
#ifndef READ_PERFDATA_SEEK_INDEX_BYTES_H
#define READ_PERFDATA_SEEK_INDEX_BYTES_H

#include "engine/base/str.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/read/perfdata_seek_index.h"

/*
 * Appends records of all of it, which stand at `at` of the file, and tell of what is in front of
 * upto; *last: where the last such record is, 0 for none, and moves. Calls that are too long
 * for a record do not exist.
 */
void perfdata_seek_index_write(const struct perfdata_seek_index *seek_index, uint64_t at,
			       uint64_t upto, uint64_t *last, struct str *out);
/* Appends the record that says where the last of them is. */
void perfdata_seek_index_write_at(struct str *out, uint64_t last);

/* Where the last one is, if this is the record that says so. */
bool perfdata_seek_index_read_at(const void *record, size_t len, uint64_t *last);
/* What it says first; false: it is none. */
bool perfdata_seek_index_read_head(const void *record, size_t len, struct perfdata_ext_index *head);
/*
 * Adds what such a record has, in the order of the file; its pieces begin at `from` or later.
 * `open`: calls that have not ended are added, too. False: it makes no sense.
 */
bool perfdata_seek_index_read(struct perfdata_seek_index *seek_index, const void *record,
			      size_t len, uint64_t from, bool open);

#endif
