#include "engine/recording/read/perfdata_seek_index.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void perfdata_seek_index_init(struct perfdata_seek_index *seek_index, uint64_t bytes)
{
	perfdata_time_index_init(&seek_index->index, bytes);
	long_calls_init(&seek_index->calls, PERFDATA_SEEK_INDEX_LOOK_BACK);
	seek_index->before_count = 0;
	seek_index->packed = false;
}

void perfdata_seek_index_release(struct perfdata_seek_index *seek_index)
{
	perfdata_time_index_release(&seek_index->index);
	long_calls_release(&seek_index->calls);
}

/* -- Building -------------------------------------------------------------------------------- */

static void step(struct perfdata_seek_index *seek_index, const struct perfdata_record_info *info)
{
	uint64_t places[PERFDATA_SEEK_INDEX_BEFORE + 1];
	size_t count = seek_index->before_count;

	memcpy(places, seek_index->before, count * sizeof(*places));
	places[count++] = place_of(info->at, info->which);
	if (info->step == PERF_STEP_BEFORE) {
		seek_index->before_count = count <= PERFDATA_SEEK_INDEX_BEFORE
						   ? count
						   : PERFDATA_SEEK_INDEX_BEFORE;
		memcpy(seek_index->before, places, seek_index->before_count * sizeof(*places));
		return;
	}
	seek_index->before_count = 0;
	if (info->step == PERF_STEP_ENDS) {
		long_calls_end(&seek_index->calls, info->tid, places[count - 1], info->time_ns);
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (!i && info->step == PERF_STEP_BEGINS)
			long_calls_begin(&seek_index->calls, info->tid, places[i], info->time_ns);
		else
			long_calls_go_on(&seek_index->calls, info->tid, places[i]);
}

void perfdata_seek_index_set_packed(struct perfdata_seek_index *seek_index)
{
	seek_index->packed = true;
	seek_index->calls.bytes = PERFDATA_SEEK_INDEX_LOOK_BACK_PACKED;
}

void perfdata_seek_index_add(struct perfdata_seek_index *seek_index,
			     const struct perfdata_record_info *info)
{
	struct perfdata_record_info joined = *info;

	if (info->packed && !seek_index->packed)
		perfdata_seek_index_set_packed(seek_index);
	joined.joined = joined.joined || seek_index->before_count;
	perfdata_time_index_add(&seek_index->index, &joined);
	if (info->step != PERF_STEP_NONE)
		step(seek_index, info);
	else
		seek_index->before_count = 0;
}

/* -- Queries --------------------------------------------------------------------------------- */

/* Mark a piece, and the pieces before it, back to one where reading can begin. */
static void want(const struct perfdata_time_index *index, bool *wanted, size_t piece)
{
	while (!wanted[piece]) {
		wanted[piece] = true;
		if (!piece || index->pieces[piece].entry)
			return;
		piece--;
	}
}

static void want_places(const struct perfdata_time_index *index, bool *wanted, size_t end,
			const struct long_calls_across *across)
{
	size_t piece = 0;

	for (size_t i = 0; i < across->count; i++) {
		uint64_t at = place_at(across->places[i]);

		while (piece + 1 < end && index->pieces[piece + 1].at <= at)
			piece++;
		want(index, wanted, piece);
	}
}

/* Add the wanted pieces as ranges; adjacent ones become one range. */
static void add_stretches(const struct perfdata_time_index *index, const bool *wanted, size_t end,
			  struct perfdata_file_seek *seek)
{
	for (size_t i = 0; i < end; i++) {
		struct perfdata_file_stretch stretch = { index->pieces[i].at,
							 index->pieces[i + 1].at };

		if (!wanted[i])
			continue;
		if (seek->stretch_count &&
		    seek->stretches[seek->stretch_count - 1].end == stretch.begin)
			seek->stretches[seek->stretch_count - 1].end = stretch.end;
		else
			seek->stretches[seek->stretch_count++] = stretch;
	}
}

bool perfdata_seek_index_find(const struct perfdata_seek_index *seek_index, uint64_t from_ns,
			      struct perfdata_file_seek *seek)
{
	const struct perfdata_time_index *index = &seek_index->index;
	uint64_t look_back = seek_index->packed ? PERFDATA_SEEK_INDEX_LOOK_BACK_PACKED
						: PERFDATA_SEEK_INDEX_LOOK_BACK;
	struct long_calls_across across;
	bool *wanted;
	size_t at;

	*seek = (struct perfdata_file_seek){ 0 };
	if (!perfdata_time_index_reaches(index, from_ns))
		return false;
	at = index->count ? perfdata_time_index_find_before(index, from_ns, look_back) : 0;
	if (!at)
		return true;
	seek->at = index->pieces[at].at;
	seek->after_ns = index->pieces[at].before_ns;
	long_calls_find(&seek_index->calls, seek->at, &across);
	seek->places = across.places;
	seek->place_count = across.count;
	seek->incomplete = across.incomplete || seek_index->calls.bytes > look_back;
	wanted = mem_zalloc(at, sizeof(*wanted));
	for (size_t i = 0; i < at; i++)
		if (index->pieces[i].side)
			want(index, wanted, i);
	want_places(index, wanted, at, &across);
	if (!index->pieces[at].entry)
		want(index, wanted, at - 1);
	seek->stretches = mem_alloc(at * sizeof(*seek->stretches));
	add_stretches(index, wanted, at, seek);
	free(wanted);
	return true;
}
