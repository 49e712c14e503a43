/*
 * perfdata_time_index - where in a file of records which times are.
 *
 * Pure. The file is cut into pieces, of each of which is kept where it begins, the newest time of
 * all before it, the times in it, and how many records it has. A record may stand behind
 * later ones; but whatever is later than the newest of all before a piece is in that piece or
 * behind it. Times may lie, so an index says where to begin reading, never what is to be read.
 * Memory is bounded: where there are too many pieces, two become one.
 */
#ifndef READ_PERFDATA_TIME_INDEX_H
#define READ_PERFDATA_TIME_INDEX_H

#include "engine/recording/read/perfdata_record_info.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERFDATA_TIME_INDEX_PIECES_MAX 32768 /* even */
#define PERFDATA_TIME_INDEX_PIECE_MIN ((uint64_t)64 << 10)

struct perfdata_time_index_piece {
	uint64_t at; /* a record begins there */
	uint64_t before_ns; /* the newest of all in front; 0: there are none */
	uint64_t oldest_ns, newest_ns; /* in it; 0: nothing in it has a time */
	uint32_t records;
	bool side; /* some of them tell what has to be known later: names, mappings */
	bool entry; /* reading can begin there: it is not within what was compressed at once */
};

struct perfdata_time_index {
	struct perfdata_time_index_piece *pieces;
	size_t count, cap;
	uint64_t piece_bytes;
	uint64_t newest_ns; /* of all */
	bool whole; /* there is nothing behind */
};

/* bytes: of the file, so that its pieces need not be joined. */
void perfdata_time_index_init(struct perfdata_time_index *index, uint64_t bytes);
void perfdata_time_index_release(struct perfdata_time_index *index);

/* The next record; one that is joined to the one before, or at its place, is in its piece. */
void perfdata_time_index_add(struct perfdata_time_index *index,
			     const struct perfdata_record_info *info);

/*
 * A piece as it was kept elsewhere, behind all others: all but what was in front of it is there.
 * The last one may still grow.
 */
void perfdata_time_index_append(struct perfdata_time_index *index,
				const struct perfdata_time_index_piece *piece);

/* Whether it says where that time is: perfdata_time_index_find() will not change any more. */
bool perfdata_time_index_reaches(const struct perfdata_time_index *index, uint64_t time_ns);
/* The last piece in front of which all is older; index->count: there are no pieces. */
size_t perfdata_time_index_find(const struct perfdata_time_index *index, uint64_t time_ns);
/*
 * The piece from which on to read, so that `bytes` before the piece of that time are read too:
 * perfdata_time_index_find()'s or an earlier one.
 */
size_t perfdata_time_index_find_before(const struct perfdata_time_index *index, uint64_t time_ns,
				       uint64_t bytes);

/* Adds records to `count` parts of a time, spread over the times of their pieces. */
void perfdata_time_index_density(const struct perfdata_time_index *index, uint64_t from_ns,
				 uint64_t until_ns, uint32_t *records, size_t count);

#endif
