#include "engine/memory_usage.h"

#include "engine/engine_state.h"
#include "engine/source/source.h"

#include <string.h>

/*
 * Minimum of the bounds of stacks, paths and symbols; half of it for descriptors. One large program
 * must fit, however small the history is.
 */
#define SHARED_MIN ((size_t)8 << 20)

static const char *const names[] = {
#define OWNER_NAME(id, name) name,
	MEMORY_OWNER_LIST(OWNER_NAME)
#undef OWNER_NAME
};

const char *memory_owner_name(enum memory_owner owner)
{
	return names[owner];
}

static size_t at_least(size_t bytes, size_t least)
{
	return bytes < least ? least : bytes;
}

struct memory_bounds memory_bounds(size_t history_bytes)
{
	return (struct memory_bounds){
		.history = history_bytes,
		.stacks = at_least(history_bytes / 4, SHARED_MIN),
		.descriptors = at_least(history_bytes / 8, SHARED_MIN / 2),
		.ended_mappings = history_bytes / 8,
		.paths = at_least(history_bytes / 4, SHARED_MIN),
		.symbols = at_least(history_bytes / 2, SHARED_MIN),
	};
}

static void ask_model(struct engine *e, struct memory_usage use[MEMORY_OWNER_COUNT])
{
	collector_lock(e->collector);
	model_memory(e->model,
		     &(struct model_memory){ .rows = &use[MEMORY_ROWS].now,
					     .rows_bound = &use[MEMORY_ROWS].bound,
					     .bytes = &use[MEMORY_BYTES].now,
					     .bytes_bound = &use[MEMORY_BYTES].bound,
					     .tasks = &use[MEMORY_TASKS].now,
					     .names = &use[MEMORY_NAMES].now,
					     .totals = &use[MEMORY_TOTALS].now,
					     .latency_heatmap = &use[MEMORY_LATENCY_HEATMAP].now,
					     .futexes = &use[MEMORY_FUTEXES].now });
	use[MEMORY_STACKS].now = stacks_bytes(e->stacks);
	collector_unlock(e->collector);
}

static void ask_tables(struct engine *e, struct memory_usage use[MEMORY_OWNER_COUNT])
{
	pthread_mutex_lock(&e->rows_mutex);
	use[MEMORY_TOTALS].now += totals_reader_bytes(e->totals);
	for (int i = 0; i < ROWS_KIND_COUNT; i++)
		use[MEMORY_TABLES].now += e->caches[i].count * sizeof(*e->caches[i].rows);
	pthread_mutex_unlock(&e->rows_mutex);
}

void engine_memory(struct engine *e, struct memory_usage use[MEMORY_OWNER_COUNT])
{
	struct collector_status collector;
	struct memory_bounds bounds;

	memset(use, 0, MEMORY_OWNER_COUNT * sizeof(*use));
	if (!atomic_load(&e->ready))
		return;
	bounds = memory_bounds(e->history_bytes);
	collector_status(e->collector, &collector);
	use[MEMORY_RINGS].now = collector.source.ring_bytes * collector.source.rings;
	use[MEMORY_RINGS].bound = use[MEMORY_RINGS].now;
	ask_model(e, use);
	ask_tables(e, use);
	spaces_bytes(e->spaces, &use[MEMORY_MAPPINGS].now, &use[MEMORY_PATHS].now);
	use[MEMORY_SYMBOLS].now = symbols_bytes(e->symbols);
	if (e->fds)
		use[MEMORY_DESCRIPTORS].now = fds_bytes(e->fds);
	if (e->unwinder)
		use[MEMORY_UNWINDER].now = unwinder_bytes(e->unwinder);
	if (e->late)
		use[MEMORY_LATE].now = late_thread_bytes(e->late);
	use[MEMORY_STACKS].bound = bounds.stacks;
	use[MEMORY_DESCRIPTORS].bound = 2 * bounds.descriptors; /* can double between two sweeps */
	use[MEMORY_PATHS].bound = bounds.paths;
	use[MEMORY_SYMBOLS].bound = bounds.symbols;
	for (int i = 0; i < MEMORY_OWNER_COUNT; i++) {
		size_t most = atomic_load(&e->memory_most[i]);

		while (use[i].now > most &&
		       !atomic_compare_exchange_weak(&e->memory_most[i], &most, use[i].now))
			;
		use[i].most = use[i].now > most ? use[i].now : most;
	}
}
