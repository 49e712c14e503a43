#include "engine/recording/read/perfdata_time_index.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void perfdata_time_index_init(struct perfdata_time_index *index, uint64_t bytes)
{
	memset(index, 0, sizeof(*index));
	index->piece_bytes = PERFDATA_TIME_INDEX_PIECE_MIN;
	/*
	 * A piece extends to the end of a record, so it has at least piece_bytes bytes. So there
	 * are at most PERFDATA_TIME_INDEX_PIECES_MAX pieces.
	 */
	while (bytes / index->piece_bytes >= PERFDATA_TIME_INDEX_PIECES_MAX)
		index->piece_bytes *= 2;
}

void perfdata_time_index_release(struct perfdata_time_index *index)
{
	free(index->pieces);
	memset(index, 0, sizeof(*index));
}

/* -- Building ------------------------------------------------------------------------ */

static void join(struct perfdata_time_index_piece *first,
		 const struct perfdata_time_index_piece *second)
{
	if (second->oldest_ns && (!first->oldest_ns || second->oldest_ns < first->oldest_ns))
		first->oldest_ns = second->oldest_ns;
	if (second->newest_ns > first->newest_ns)
		first->newest_ns = second->newest_ns;
	first->records = second->records > UINT32_MAX - first->records
				 ? UINT32_MAX
				 : first->records + second->records;
	first->side = first->side || second->side;
}

static void thin_out(struct perfdata_time_index *index)
{
	for (size_t i = 0; i + 1 < index->count; i += 2) {
		index->pieces[i / 2] = index->pieces[i];
		join(&index->pieces[i / 2], &index->pieces[i + 1]);
	}
	index->count /= 2;
	index->piece_bytes *= 2;
}

static bool begins_piece(const struct perfdata_time_index *index,
			 const struct perfdata_record_info *info)
{
	uint64_t at = info->at;
	const struct perfdata_time_index_piece *last;

	if (!index->count)
		return true;
	if (info->joined)
		return false;
	last = &index->pieces[index->count - 1];
	/* If the last piece is not an `entry`, the next record that is one begins a piece. */
	return at > last->at &&
	       (at - last->at >= index->piece_bytes || (info->entry && !last->entry));
}

void perfdata_time_index_append(struct perfdata_time_index *index,
				const struct perfdata_time_index_piece *piece)
{
	struct perfdata_time_index_piece *added;

	if (index->count == PERFDATA_TIME_INDEX_PIECES_MAX)
		thin_out(index);
	index->pieces = mem_grow(index->pieces, &index->cap, index->count + 1,
				 sizeof(*index->pieces));
	added = &index->pieces[index->count++];
	*added = *piece;
	added->before_ns = index->newest_ns;
	if (piece->newest_ns > index->newest_ns)
		index->newest_ns = piece->newest_ns;
}

void perfdata_time_index_add(struct perfdata_time_index *index,
			     const struct perfdata_record_info *info)
{
	struct perfdata_time_index_piece one = { .records = 1,
						 .oldest_ns = info->time_ns,
						 .newest_ns = info->time_ns,
						 .side = info->side };

	if (begins_piece(index, info)) {
		perfdata_time_index_append(index, &(struct perfdata_time_index_piece){
							  .at = info->at, .entry = info->entry });
	}
	join(&index->pieces[index->count - 1], &one);
	if (info->time_ns > index->newest_ns)
		index->newest_ns = info->time_ns;
}

/* -- Queries --------------------------------------------------------------------------- */

bool perfdata_time_index_reaches(const struct perfdata_time_index *index, uint64_t time_ns)
{
	return index->whole ||
	       (index->count && index->pieces[index->count - 1].before_ns >= time_ns);
}

size_t perfdata_time_index_find(const struct perfdata_time_index *index, uint64_t time_ns)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->pieces[middle].before_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0;
}

size_t perfdata_time_index_find_before(const struct perfdata_time_index *index, uint64_t time_ns,
				       uint64_t bytes)
{
	size_t found = perfdata_time_index_find(index, time_ns), at = found;

	while (at && at < index->count && index->pieces[found].at - index->pieces[at].at < bytes)
		at--;
	return at;
}

/* Return the fraction of [from, until) that is before `at`, in units of 1/2^16. */
static uint64_t share(uint64_t at, uint64_t from, uint64_t until)
{
	if (at <= from)
		return 0;
	if (at >= until)
		return 1u << 16;
	return (uint64_t)((double)(at - from) / (double)(until - from) * (1u << 16));
}

static uint64_t at_most(uint64_t value, uint64_t high)
{
	return value < high ? value : high;
}

/* The last part is wider: it includes the remainder of the division. */
static void spread(const struct perfdata_time_index_piece *piece, uint64_t from_ns,
		   uint64_t until_ns, uint32_t *records, size_t count)
{
	uint64_t width_ns = until_ns - from_ns > count ? (until_ns - from_ns) / count : 1;
	uint64_t end_ns = piece->newest_ns + (piece->newest_ns < UINT64_MAX);
	uint64_t begin_ns = piece->oldest_ns > from_ns ? piece->oldest_ns : from_ns, before;

	if (end_ns <= from_ns || piece->oldest_ns >= until_ns)
		return;
	before = share(begin_ns, piece->oldest_ns, end_ns);
	for (uint64_t i = at_most((begin_ns - from_ns) / width_ns, count - 1); i < count; i++) {
		uint64_t part_end_ns = i + 1 == count ? until_ns : from_ns + (i + 1) * width_ns;
		uint64_t part = share(part_end_ns, piece->oldest_ns, end_ns);
		uint64_t more = records[i] +
				((piece->records * part >> 16) - (piece->records * before >> 16));

		records[i] = more < UINT32_MAX ? (uint32_t)more : UINT32_MAX;
		before = part;
		if (part_end_ns >= end_ns)
			return;
	}
}

void perfdata_time_index_density(const struct perfdata_time_index *index, uint64_t from_ns,
				 uint64_t until_ns, uint32_t *records, size_t count)
{
	if (until_ns <= from_ns || !count)
		return;
	for (size_t i = 0; i < index->count; i++)
		if (index->pieces[i].newest_ns)
			spread(&index->pieces[i], from_ns, until_ns, records, count);
}
