#include "engine/recording/long_calls.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A thread and its call in flight. */
struct long_thread {
	uint32_t tid;
	uint32_t count;
	bool partial;
	uint64_t last_ns;
	uint64_t places[LONG_CALL_PLACES];
};

struct long_ended {
	uint32_t tid, count;
	bool partial;
	uint64_t end;
	size_t first; /* index of its first place in long_calls.places */
};

static struct long_call call_of(const struct long_calls *calls, const struct long_ended *ended)
{
	return (struct long_call){ .tid = ended->tid,
				   .count = ended->count,
				   .partial = ended->partial,
				   .end = ended->end,
				   .places = calls->places + ended->first };
}

void long_calls_init(struct long_calls *calls, uint64_t bytes)
{
	memset(calls, 0, sizeof(*calls));
	idmap_init(&calls->threads);
	calls->bytes = bytes;
}

void long_calls_release(struct long_calls *calls)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&calls->threads, &cursor)))
		free(slot->value);
	idmap_release(&calls->threads);
	free(calls->ended);
	free(calls->places);
	memset(calls, 0, sizeof(*calls));
}

/* -- Adding records --------------------------------------------------------------------- */

/* NULL: too many threads. */
static struct long_thread *thread_of(struct long_calls *calls, uint32_t tid)
{
	struct long_thread *thread = idmap_get(&calls->threads, tid);

	if (thread)
		return thread;
	if (calls->threads.count == LONG_CALLS_MAX) {
		calls->left_out = true;
		return NULL;
	}
	thread = mem_alloc(sizeof(*thread));
	thread->tid = tid;
	thread->count = 0;
	thread->partial = false;
	thread->last_ns = 0;
	idmap_put(&calls->threads, tid, thread);
	return thread;
}

void long_calls_begin(struct long_calls *calls, uint32_t tid, uint64_t place, uint64_t time_ns)
{
	struct long_thread *thread = thread_of(calls, tid);

	/* perf writes its rings in turn: ignore an enter that follows a newer exit in the file. */
	if (!thread || (time_ns && time_ns < thread->last_ns))
		return;
	thread->places[0] = place;
	thread->count = 1;
	thread->partial = false;
}

/* Drop middle places: the first ones show how the wait began, the last ones its present state. */
void long_calls_go_on(struct long_calls *calls, uint32_t tid, uint64_t place)
{
	struct long_thread *thread = idmap_get(&calls->threads, tid);

	if (!thread || !thread->count)
		return;
	if (thread->count == LONG_CALL_PLACES) {
		size_t kept = LONG_CALL_PLACES / 2;

		memmove(thread->places + kept, thread->places + kept + 1,
			(LONG_CALL_PLACES - kept - 1) * sizeof(*thread->places));
		thread->count--;
		thread->partial = true;
	}
	thread->places[thread->count++] = place;
}

/* make_room() passes calls of these arrays in order, so each one only moves toward the start. */
static void keep(struct long_calls *calls, const struct long_call *call)
{
	struct long_ended ended = { .tid = call->tid,
				    .count = call->count,
				    .partial = call->partial,
				    .end = call->end,
				    .first = calls->place_count };

	if (place_at(call->end) - place_at(call->places[0]) < calls->bytes)
		return;
	calls->ended = mem_grow(calls->ended, &calls->cap, calls->count + 1, sizeof(*calls->ended));
	calls->places = mem_grow(calls->places, &calls->place_cap, calls->place_count + call->count,
				 sizeof(*calls->places));
	calls->ended[calls->count++] = ended;
	memmove(calls->places + ended.first, call->places, call->count * sizeof(*call->places));
	calls->place_count += call->count;
}

/* Raise the minimum span until at most half of the room for finished calls is used. */
static void make_room(struct long_calls *calls)
{
	while (calls->count > LONG_CALLS_MAX / 2 ||
	       calls->place_count > LONG_CALLS_PLACES_MAX / 2) {
		struct long_ended *ended = calls->ended;
		size_t count = calls->count;

		calls->bytes *= 2;
		calls->count = calls->place_count = 0;
		for (size_t i = 0; i < count; i++) {
			struct long_call call = call_of(calls, &ended[i]);

			keep(calls, &call);
		}
	}
}

static void add_ended(struct long_calls *calls, const struct long_call *call)
{
	if (calls->count == LONG_CALLS_MAX ||
	    calls->place_count > LONG_CALLS_PLACES_MAX - LONG_CALL_PLACES)
		make_room(calls);
	keep(calls, call);
}

static struct long_call call_of_thread(const struct long_thread *thread, uint64_t end)
{
	return (struct long_call){ .tid = thread->tid,
				   .count = thread->count,
				   .partial = thread->partial,
				   .end = end,
				   .places = thread->places };
}

void long_calls_end(struct long_calls *calls, uint32_t tid, uint64_t place, uint64_t time_ns)
{
	struct long_thread *thread = idmap_get(&calls->threads, tid);
	struct long_call call;

	if (!thread)
		return;
	if (time_ns > thread->last_ns)
		thread->last_ns = time_ns;
	if (!thread->count)
		return;
	call = call_of_thread(thread, place);
	thread->count = 0;
	if (place_at(place) - place_at(call.places[0]) >= calls->bytes)
		add_ended(calls, &call);
}

void long_calls_add(struct long_calls *calls, const struct long_call *call)
{
	struct long_thread *thread;

	if (call->end != UINT64_MAX) {
		add_ended(calls, call);
		return;
	}
	thread = thread_of(calls, call->tid);
	if (!thread)
		return;
	thread->count = call->count;
	thread->partial = call->partial;
	memcpy(thread->places, call->places, call->count * sizeof(*call->places));
}

/* -- Queries ----------------------------------------------------------------------------- */

void long_calls_each(const struct long_calls *calls, bool ended, long_call_fn *take, void *ctx)
{
	const struct idmap_slot *slot;
	struct long_call call;
	size_t cursor = 0;

	for (size_t i = 0; ended && i < calls->count; i++) {
		call = call_of(calls, &calls->ended[i]);
		take(ctx, &call);
	}
	while (!ended && (slot = idmap_next(&calls->threads, &cursor))) {
		call = call_of_thread(slot->value, UINT64_MAX);
		if (call.count)
			take(ctx, &call);
	}
}

void long_calls_forget_ended(struct long_calls *calls)
{
	calls->count = calls->place_count = 0;
}

struct search {
	uint64_t at;
	struct long_calls_across *across;
	size_t cap;
};

static void add_across(void *ctx, const struct long_call *call)
{
	struct search *search = ctx;
	struct long_calls_across *across = search->across;

	if (place_at(call->places[0]) >= search->at || place_at(call->end) < search->at)
		return;
	across->places = mem_grow(across->places, &search->cap, across->count + call->count,
				  sizeof(*across->places));
	for (uint32_t i = 0; i < call->count && place_at(call->places[i]) < search->at; i++)
		across->places[across->count++] = call->places[i];
	across->incomplete = across->incomplete || call->partial;
}

static int compare_places(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

void long_calls_find(const struct long_calls *calls, uint64_t at, struct long_calls_across *across)
{
	struct search search = { .at = at, .across = across };

	*across = (struct long_calls_across){ .incomplete = calls->left_out };
	long_calls_each(calls, true, add_across, &search);
	long_calls_each(calls, false, add_across, &search);
	if (across->count)
		qsort(across->places, across->count, sizeof(*across->places), compare_places);
}
