#include "engine/record/observations.h"

#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item {
	struct observation observation; /* first member: its address is that of the item */
	struct item *next; /* next item with the same hash */
	struct item *last; /* last item with this hash; only valid in the first item */
	size_t number;
	char text[];
};

struct observations {
	pthread_mutex_t mutex;
	struct item **items; /* in order of insertion, or sorted by fed_ns */
	size_t count, cap;
	size_t counts[OBSERVATION_KIND_COUNT];
	size_t bytes, max_bytes;
	uint64_t began_ns;
	observation_fn *observer; /* NULL: none */
	void *observer_ctx;
	struct idmap firsts; /* first item with each hash */
};

struct observations *observations_new(size_t max_bytes)
{
	struct observations *observations = mem_zalloc(1, sizeof(*observations));

	lock_init(&observations->mutex);
	idmap_init(&observations->firsts);
	observations->max_bytes = max_bytes;
	return observations;
}

void observations_free(struct observations *observations)
{
	if (!observations)
		return;
	for (size_t i = 0; i < observations->count; i++)
		free(observations->items[i]);
	free(observations->items);
	idmap_release(&observations->firsts);
	pthread_mutex_destroy(&observations->mutex);
	free(observations);
}

static uint64_t hash(enum observation_kind kind, uint32_t id, uint64_t of)
{
	return hash_mix(hash_u64((uint64_t)kind << 32 | id), of);
}

static uint64_t hash_of(const struct observation *observation)
{
	switch (observation->kind) {
	case OBSERVATION_FD:
		return hash(observation->kind, observation->pid, observation->fd.from_ns);
	case OBSERVATION_PLACE:
	case OBSERVATION_VARIABLE:
		return hash(observation->kind, observation->pid, observation->futex.uaddr);
	case OBSERVATION_HOLDER:
		return hash(observation->kind, observation->tid, observation->holder.enter_ns);
	case OBSERVATION_BYTES:
		return hash(observation->kind, observation->tid, observation->call.enter_ns);
	default:
		return hash(observation->kind, 0, 0);
	}
}

void observations_set_observer(struct observations *observations, observation_fn *observer,
			       void *ctx)
{
	pthread_mutex_lock(&observations->mutex);
	observations->observer = observer;
	observations->observer_ctx = ctx;
	pthread_mutex_unlock(&observations->mutex);
}

void observations_set_began(struct observations *observations, uint64_t began_ns)
{
	pthread_mutex_lock(&observations->mutex);
	observations->began_ns = began_ns;
	pthread_mutex_unlock(&observations->mutex);
}

/* Set a time before the recording to 0: lookups by time never reach back that far. */
static void begin_time(const struct observations *observations, struct observation *observation)
{
	uint64_t *time_ns = observation->kind == OBSERVATION_FD       ? &observation->fd.from_ns
			    : observation->kind == OBSERVATION_UNSEEN ? &observation->unseen.from_ns
			    : observation->kind == OBSERVATION_PLACE ||
					    observation->kind == OBSERVATION_VARIABLE
				    ? &observation->futex.memory_ns
				    : NULL;

	if (time_ns && *time_ns < observations->began_ns)
		*time_ns = 0;
}

/* Call with the mutex held. */
static void add(struct observations *observations, struct item *item)
{
	uint64_t sum = hash_of(&item->observation);
	struct item *first = idmap_get(&observations->firsts, sum);

	item->next = NULL;
	if (first) {
		first->last->next = item;
		first->last = item;
	} else {
		item->last = item;
		idmap_put(&observations->firsts, sum, item);
	}
}

void observations_add(struct observations *observations, const struct observation *observation)
{
	size_t bytes = sizeof(struct item) + observation->len + 1;
	struct item *item;

	if (observation->kind >= OBSERVATION_KIND_COUNT || observation->len > OBSERVATION_TEXT_MAX)
		return;
	pthread_mutex_lock(&observations->mutex);
	/* OBSERVATION_BYTES is most of the volume: reserve a quarter for the other kinds. */
	if (observations->bytes + bytes > (observation->kind == OBSERVATION_BYTES
						   ? observations->max_bytes / 4 * 3
						   : observations->max_bytes)) {
		pthread_mutex_unlock(&observations->mutex);
		return;
	}
	observations->bytes += bytes;
	item = mem_alloc(bytes);
	item->observation = *observation;
	if (observation->len)
		memcpy(item->text, observation->text, observation->len);
	/* The text gets a NUL that `len` does not count. */
	item->text[observation->len] = '\0';
	item->observation.text = item->text;
	begin_time(observations, &item->observation);
	observations->items = mem_grow(observations->items, &observations->cap,
				       observations->count + 1, sizeof(*observations->items));
	item->number = observations->count;
	observations->items[observations->count++] = item;
	observations->counts[observation->kind]++;
	add(observations, item);
	pthread_mutex_unlock(&observations->mutex);
	if (observations->observer)
		observations->observer(observations->observer_ctx, observation);
}

static int compare(const void *a, const void *b)
{
	const struct item *one = *(struct item *const *)a, *other = *(struct item *const *)b;

	if (one->observation.fed_ns != other->observation.fed_ns)
		return one->observation.fed_ns < other->observation.fed_ns ? -1 : 1;
	return (one->number > other->number) - (one->number < other->number);
}

void observations_sort(struct observations *observations)
{
	pthread_mutex_lock(&observations->mutex);
	if (observations->count)
		qsort(observations->items, observations->count, sizeof(*observations->items),
		      compare);
	idmap_clear(&observations->firsts);
	for (size_t i = 0; i < observations->count; i++) {
		observations->items[i]->number = i;
		add(observations, observations->items[i]);
	}
	pthread_mutex_unlock(&observations->mutex);
}

/* Skip items of other kinds with the same hash. Call with the mutex held. */
static const struct observation *of_kind(const struct item *item, enum observation_kind kind)
{
	while (item && item->observation.kind != kind)
		item = item->next;
	return item ? &item->observation : NULL;
}

const struct observation *observations_first(struct observations *observations,
					     enum observation_kind kind, uint32_t id, uint64_t of)
{
	const struct observation *found;

	pthread_mutex_lock(&observations->mutex);
	found = of_kind(idmap_get(&observations->firsts, hash(kind, id, of)), kind);
	pthread_mutex_unlock(&observations->mutex);
	return found;
}

const struct observation *observations_next(struct observations *observations,
					    const struct observation *observation)
{
	const struct item *item = (const struct item *)observation;
	const struct observation *found;

	pthread_mutex_lock(&observations->mutex);
	found = of_kind(item->next, observation->kind);
	pthread_mutex_unlock(&observations->mutex);
	return found;
}

const struct observation *observations_in_order(struct observations *observations, size_t *cursor,
						uint64_t until_ns)
{
	const struct item *item = NULL;

	pthread_mutex_lock(&observations->mutex);
	if (*cursor < observations->count &&
	    observations->items[*cursor]->observation.fed_ns <= until_ns)
		item = observations->items[(*cursor)++];
	pthread_mutex_unlock(&observations->mutex);
	return item ? &item->observation : NULL;
}

size_t observations_count(struct observations *observations, enum observation_kind kind)
{
	size_t count;

	pthread_mutex_lock(&observations->mutex);
	count = observations->counts[kind];
	pthread_mutex_unlock(&observations->mutex);
	return count;
}
