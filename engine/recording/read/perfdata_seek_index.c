#include "engine/recording/read/perfdata_seek_index.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void perf_survey_init(struct perf_survey *survey, uint64_t bytes)
{
	perf_index_init(&survey->index, bytes);
	long_calls_init(&survey->calls, PERF_SURVEY_LOOK_BACK);
	survey->before_count = 0;
	survey->packed = false;
}

void perf_survey_release(struct perf_survey *survey)
{
	perf_index_release(&survey->index);
	long_calls_release(&survey->calls);
}

/* -- Making one ------------------------------------------------------------------------------ */

static void step(struct perf_survey *survey, const struct perf_sight *sight)
{
	uint64_t places[PERF_SURVEY_BEFORE + 1];
	size_t count = survey->before_count;

	memcpy(places, survey->before, count * sizeof(*places));
	places[count++] = place_of(sight->at, sight->which);
	if (sight->step == PERF_STEP_BEFORE) {
		survey->before_count = count <= PERF_SURVEY_BEFORE ? count : PERF_SURVEY_BEFORE;
		memcpy(survey->before, places, survey->before_count * sizeof(*places));
		return;
	}
	survey->before_count = 0;
	if (sight->step == PERF_STEP_ENDS) {
		long_calls_end(&survey->calls, sight->tid, places[count - 1], sight->time_ns);
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (!i && sight->step == PERF_STEP_BEGINS)
			long_calls_begin(&survey->calls, sight->tid, places[i], sight->time_ns);
		else
			long_calls_go_on(&survey->calls, sight->tid, places[i]);
}

void perf_survey_set_packed(struct perf_survey *survey)
{
	survey->packed = true;
	survey->calls.bytes = PERF_SURVEY_LOOK_BACK_PACKED;
}

void perf_survey_add(struct perf_survey *survey, const struct perf_sight *sight)
{
	struct perf_sight joined = *sight;

	if (sight->packed && !survey->packed)
		perf_survey_set_packed(survey);
	joined.joined = joined.joined || survey->before_count;
	perf_index_add(&survey->index, &joined);
	if (sight->step != PERF_STEP_NONE)
		step(survey, sight);
	else
		survey->before_count = 0;
}

/* -- Asking it ------------------------------------------------------------------------------- */

/* Which pieces in front of `end` are read: to come to a record, from where reading can begin. */
static void want(const struct perf_index *index, bool *wanted, size_t piece)
{
	while (!wanted[piece]) {
		wanted[piece] = true;
		if (!piece || index->pieces[piece].entry)
			return;
		piece--;
	}
}

static void want_places(const struct perf_index *index, bool *wanted, size_t end,
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

/* Neighbours are one. */
static void add_stretches(const struct perf_index *index, const bool *wanted, size_t end,
			  struct perf_file_seek *seek)
{
	for (size_t i = 0; i < end; i++) {
		struct perf_file_stretch stretch = { index->pieces[i].at, index->pieces[i + 1].at };

		if (!wanted[i])
			continue;
		if (seek->stretch_count &&
		    seek->stretches[seek->stretch_count - 1].end == stretch.begin)
			seek->stretches[seek->stretch_count - 1].end = stretch.end;
		else
			seek->stretches[seek->stretch_count++] = stretch;
	}
}

bool perf_survey_find(const struct perf_survey *survey, uint64_t from_ns,
		      struct perf_file_seek *seek)
{
	const struct perf_index *index = &survey->index;
	uint64_t look_back = survey->packed ? PERF_SURVEY_LOOK_BACK_PACKED : PERF_SURVEY_LOOK_BACK;
	struct long_calls_across across;
	bool *wanted;
	size_t at;

	*seek = (struct perf_file_seek){ 0 };
	if (!perf_index_reaches(index, from_ns))
		return false;
	at = index->count ? perf_index_find_before(index, from_ns, look_back) : 0;
	if (!at)
		return true;
	seek->at = index->pieces[at].at;
	seek->after_ns = index->pieces[at].before_ns;
	long_calls_find(&survey->calls, seek->at, &across);
	seek->places = across.places;
	seek->place_count = across.count;
	seek->incomplete = across.incomplete || survey->calls.bytes > look_back;
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
