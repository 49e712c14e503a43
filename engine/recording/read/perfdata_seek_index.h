/*
 * perfdata_seek_index - what is known of a file from a look at each of its records: where which
 * times are, and which calls lie across it.
 *
 * Made by who reads a file (perfdata_scan.h) and by who writes one (perfdata_seek_index_writer.h),
 * from the same sights. Pure.
 */
#ifndef READ_PERFDATA_SEEK_INDEX_H
#define READ_PERFDATA_SEEK_INDEX_H

#include "engine/recording/long_calls.h"
#include "engine/recording/read/perfdata_file.h"
#include "engine/recording/read/perfdata_record_info.h"
#include "engine/recording/read/perfdata_time_index.h"

/*
 * So much in front of a time is read for what was going on then. It must depend on nothing but
 * the file, or going to a time would not show the same again. Compressed, it is about as much.
 */
#define PERFDATA_SEEK_INDEX_LOOK_BACK ((uint64_t)48 << 20)
#define PERFDATA_SEEK_INDEX_LOOK_BACK_PACKED ((uint64_t)6 << 20)

#define PERFDATA_SEEK_INDEX_BEFORE 4 /* records that belong to the next one, at most */

struct perfdata_seek_index {
	struct perfdata_time_index index;
	struct long_calls calls;
	uint64_t before[PERFDATA_SEEK_INDEX_BEFORE]; /* their places */
	size_t before_count;
	bool packed;
};

/* bytes: as in perfdata_time_index_init(). */
void perfdata_seek_index_init(struct perfdata_seek_index *seek_index, uint64_t bytes);
void perfdata_seek_index_release(struct perfdata_seek_index *seek_index);
/* Its records are compressed; the first of them says so, too. */
void perfdata_seek_index_set_packed(struct perfdata_seek_index *seek_index);
/* The next record of the file. */
void perfdata_seek_index_add(struct perfdata_seek_index *seek_index,
			     const struct perfdata_record_info *info);

/*
 * How to read what is told from from_ns on, with some of what is before it, what is to be known
 * from then, and what was told of the calls that were in flight. False: it is not known yet.
 */
bool perfdata_seek_index_find(const struct perfdata_seek_index *seek_index, uint64_t from_ns,
			      struct perfdata_file_seek *seek);

#endif
