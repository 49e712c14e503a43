/*
 * perfdata_time_index - file offsets by time.
 *
 * The file is cut into pieces. Each has its offset, the newest time before it, its range of times,
 * and its count of records. Records are not sorted: a record can follow newer ones. But a record
 * newer than all records before a piece is in that piece or after it. Times can be wrong, so an
 * index only determines where to begin reading. Memory is bounded: if there are too many pieces,
 * they are joined in pairs. Pure.
 */
#ifndef READ_PERFDATA_TIME_INDEX_H
#define READ_PERFDATA_TIME_INDEX_H

#include "engine/recording/read/perfdata_record_info.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERFDATA_TIME_INDEX_PIECES_MAX 32768 /* maximum number of pieces; even */
#define PERFDATA_TIME_INDEX_PIECE_MIN ((uint64_t)64 << 10)

struct perfdata_time_index_piece {
	uint64_t at; /* offset of its first record */
	uint64_t before_ns; /* newest time before the piece; 0: none */
	uint64_t oldest_ns, newest_ns; /* its range of times; 0: none of its records has a time */
	uint32_t records;
	bool side; /* later records depend on some of its records: names, mappings */
	bool entry; /* reading can begin at the piece: not inside of a frame */
};

struct perfdata_time_index {
	struct perfdata_time_index_piece *pieces;
	size_t count, cap;
	uint64_t piece_bytes;
	uint64_t newest_ns; /* newest time of all pieces */
	bool whole; /* the index covers the whole file */
};

/* bytes: size of the file, which determines the size of pieces. */
void perfdata_time_index_init(struct perfdata_time_index *index, uint64_t bytes);
void perfdata_time_index_release(struct perfdata_time_index *index);

/*
 * Add the next record. A record that is joined to the previous one, or at the same offset, goes
 * into its piece.
 */
void perfdata_time_index_add(struct perfdata_time_index *index,
			     const struct perfdata_record_info *info);

/* Append a piece of a stored index; compute before_ns. Records can be added to the last piece. */
void perfdata_time_index_append(struct perfdata_time_index *index,
				const struct perfdata_time_index_piece *piece);

/* True if the index reaches this time: the result of perfdata_time_index_find() is final. */
bool perfdata_time_index_reaches(const struct perfdata_time_index *index, uint64_t time_ns);
/* Return the index of the last piece before which all records are older than time_ns, or 0. */
size_t perfdata_time_index_find(const struct perfdata_time_index *index, uint64_t time_ns);
/*
 * Return the index of the piece at which to begin, so that at least `bytes` bytes before the piece
 * of perfdata_time_index_find() are read, too.
 */
size_t perfdata_time_index_find_before(const struct perfdata_time_index *index, uint64_t time_ns,
				       uint64_t bytes);

/*
 * Divide the span into `count` parts and add the number of records in each part to records[]. The
 * records of a piece count as spread evenly over its times.
 */
void perfdata_time_index_density(const struct perfdata_time_index *index, uint64_t from_ns,
				 uint64_t until_ns, uint32_t *records, size_t count);

#endif
