#include "engine/engine_state.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/filter/match.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Bounds on one scan of the history under the lock: calls, and time. */
#define LOOK_CALLS 8192
#define LOOK_NS (NS_PER_MS / 2)
#define LOOKS_PER_CLOCK 128
/* Time to wait for symbols that a filter needs, in engine_read(). */
#define NAMES_MS 5000
/* The same for memory and descriptors. What is not read in time stays unknown. */
#define MEMORY_MS 1000
#define SETTLE_LOOK_MS 50 /* interval of checks for cancellation */
/* Compute sums at most ten times a second, however often they are queried. */
#define ROWS_FRESH_NS (100 * NS_PER_MS)

/* Return the present time of the model; the collector exists only once `ready` is set. */
static uint64_t now_of(const struct engine *e)
{
	return atomic_load(&e->ready) ? collector_now(e->collector) : clock_now_ns();
}

/* Return the start of collection, or of the selected span of a recording. */
static uint64_t began(struct engine *e)
{
	struct play_status play;

	if (!e->recorded)
		return e->started_ns;
	collector_play_status(e->collector, &play);
	return play.from_ns;
}

/* -- Queries ----------------------------------------------------------------------- */

_Static_assert(ENGINE_SPARK_CELLS == RATES_SECONDS, "the sparkline is copied whole");

void engine_status(struct engine *e, struct engine_status *status)
{
	struct collector_status collector;
	struct rates_summary rates;

	memset(status, 0, sizeof(*status));
	status->now_ns = now_of(e);
	status->started_ns = e->started_ns;
	status->cpus = e->cpus;
	status->source.name = "";
	if (!atomic_load(&e->ready))
		return;
	status->from_ns = began(e);
	collector_status(e->collector, &collector);
	status->source = collector.source;
	if (e->unwinder)
		status->source.stacks_lost += unwinder_dropped(e->unwinder);
	status->running = collector.running;
	status->finished = collector.finished;
	status->filter_pending = collector.filter_pending;
	status->target_pending = collector.target_pending;
	memcpy(status->target_error, collector.target_error, sizeof(status->target_error));
	memcpy(status->error, collector.error, sizeof(status->error));
	status->events_version = collector.events_version;
	memcpy(status->events_error, collector.events_error, sizeof(status->events_error));
	collector_lock(e->collector);
	model_status(e->model, &status->model);
	status->stacks_not_stored = stacks_evicted_shown(e->stacks) + stacks_refused(e->stacks);
	if (e->rates) {
		rates_summary(e->rates, &rates);
		status->calls_per_s = rates.calls_per_s;
		status->cpu_busy = rates.cpu_busy;
		status->own_cpu = rates.own_cpu;
		memcpy(status->spark, rates.seconds, sizeof(status->spark));
	}
	collector_unlock(e->collector);
}

void engine_latencies(struct engine *e, uint64_t first, size_t slots, size_t columns,
		      uint64_t (*counts)[LATENCY_STEPS])
{
	const struct latency_heatmap *latency_heatmap;

	memset(counts, 0, columns * sizeof(*counts));
	if (!atomic_load(&e->ready))
		return;
	collector_lock(e->collector);
	latency_heatmap = model_latency_heatmap(e->model);
	for (size_t i = 0; latency_heatmap && i < columns; i++)
		latency_heatmap_sum(latency_heatmap, first + i * slots, slots, counts[i]);
	collector_unlock(e->collector);
}

/* State for testing and collecting calls in flight. */
struct in_flight {
	const struct engine *engine;
	uint64_t now_ns;
	struct call *calls;
	size_t count, cap;
};

static bool in_flight_wanted(void *ctx, const struct call *call)
{
	const struct in_flight *in_flight = ctx;

	return collector_matches(in_flight->engine->collector, call, in_flight->now_ns);
}

static size_t rows_copy(const struct rows_cache *cache, struct engine_row **out)
{
	struct engine_row *copy = mem_alloc((cache->count + 1) * sizeof(*copy));

	if (cache->count)
		memcpy(copy, cache->rows, cache->count * sizeof(*copy));
	free(*out);
	*out = copy;
	return cache->count;
}

static void keep_identity(void *ctx, uint32_t id)
{
	tasks_keep_identity(ctx, id);
}

static void take_totals(struct engine *e)
{
	struct model_taken *taken = totals_reader_taken(e->totals);

	collector_take_totals(e->collector, taken);
	totals_reader_add(e->totals, clock_now_ns(), atomic_load(&e->spared_pid));
	if (taken->turn == e->kept_turn)
		return;
	e->kept_turn = taken->turn;
	collector_lock(e->collector);
	totals_reader_identities(e->totals, keep_identity, model_tasks(e->model));
	collector_unlock(e->collector);
}

void engine_take_totals(void *ctx)
{
	struct engine *e = ctx;

	/* A query is running, and takes the totals itself. */
	if (pthread_mutex_trylock(&e->rows_mutex))
		return;
	take_totals(e);
	pthread_mutex_unlock(&e->rows_mutex);
}

/* Gather in slices, so that the collector can continue between two slices. */
static void gather_rows(struct engine *e, const struct rows_query *query,
			struct in_flight *in_flight)
{
	const struct rows_source source = {
		.model = e->model,
		.reader = e->totals,
		.wanted = in_flight_wanted,
		.wanted_ctx = in_flight,
		.from_ns = began(e),
		.now_ns = in_flight->now_ns,
	};
	bool more;

	take_totals(e);
	rows_begin(e->rows, query, &source);
	do {
		collector_lock(e->collector);
		more = rows_look(e->rows);
		collector_unlock(e->collector);
		if (more)
			collector_make_way(e->collector);
	} while (more);
}

static bool is_same_query(const struct rows_query *a, const struct rows_query *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->one_nr == b->one_nr && a->nr == b->nr &&
	       a->parents == b->parents;
}

static size_t rows_get(struct engine *e, const struct rows_query *query, struct engine_row **out)
{
	struct rows_cache *cache = &e->caches[query->kind];
	struct in_flight in_flight = { .engine = e, .now_ns = now_of(e) };
	uint64_t clock_ns = clock_now_ns();
	struct collector_status status;
	size_t count;

	if (!atomic_load(&e->ready)) {
		free(*out);
		*out = NULL;
		return 0;
	}
	collector_status(e->collector, &status);
	pthread_mutex_lock(&e->rows_mutex);
	if (!cache->taken_ns || clock_ns - cache->taken_ns > ROWS_FRESH_NS || status.finished ||
	    cache->filter_version != status.filter_version ||
	    !is_same_query(&cache->query, query)) {
		if (e->exit_detector && !status.finished)
			exit_detector_look(e->exit_detector, e->model, e->collector, clock_ns);
		gather_rows(e, query, &in_flight);
		free(cache->rows);
		cache->count = rows_finish(e->rows, e->syscalls, &cache->rows);
		cache->query = *query;
		cache->filter_version = status.filter_version;
		cache->taken_ns = clock_ns;
	}
	count = rows_copy(cache, out);
	pthread_mutex_unlock(&e->rows_mutex);
	return count;
}

size_t engine_processes(struct engine *e, struct engine_row **rows)
{
	return rows_get(e, &(struct rows_query){ .kind = ROWS_PROCESSES }, rows);
}

size_t engine_threads(struct engine *e, uint32_t pid, struct engine_row **rows)
{
	return rows_get(e, &(struct rows_query){ .kind = ROWS_THREADS, .pid = pid }, rows);
}

size_t engine_syscall_rows(struct engine *e, uint32_t pid, uint32_t tid, struct engine_row **rows)
{
	struct rows_query query = { .kind = ROWS_SYSCALLS, .pid = pid, .tid = tid };

	return rows_get(e, &query, rows);
}

size_t engine_process_syscalls(struct engine *e, struct engine_row **rows)
{
	return rows_get(e, &(struct rows_query){ .kind = ROWS_PROCESS_SYSCALLS }, rows);
}

size_t engine_sums(struct engine *e, const struct engine_query *query, struct engine_row **rows)
{
	static const enum rows_kind kinds[ENGINE_GROUP_COUNT] = {
		[ENGINE_BY_PROCESS] = ROWS_PROCESSES, [ENGINE_BY_THREAD] = ROWS_THREADS,
		[ENGINE_BY_SYSCALL] = ROWS_SYSCALLS,  [ENGINE_BY_COMM] = ROWS_COMMS,
		[ENGINE_BY_CGROUP] = ROWS_CGROUPS,    [ENGINE_BY_USER] = ROWS_USERS,
	};
	struct rows_query wanted = {
		.kind = kinds[query->group],
		.one_nr = query->one_syscall,
		.nr = query->nr,
		.parents = query->parents,
		.pid = query->pid,
		.tid = query->tid,
	};

	return rows_get(e, &wanted, rows);
}

size_t engine_thread_syscalls(struct engine *e, struct engine_row **rows)
{
	return rows_get(e, &(struct rows_query){ .kind = ROWS_THREAD_SYSCALLS }, rows);
}

size_t engine_comm_syscalls(struct engine *e, struct engine_row **rows)
{
	return rows_get(e, &(struct rows_query){ .kind = ROWS_COMM_SYSCALLS }, rows);
}

size_t engine_comm_processes(struct engine *e, struct engine_row **rows)
{
	return rows_get(e, &(struct rows_query){ .kind = ROWS_COMM_PROCESSES }, rows);
}

void engine_calls_range(struct engine *e, uint64_t *first, uint64_t *end)
{
	*first = 0;
	*end = 0;
	if (!atomic_load(&e->ready))
		return;
	collector_lock(e->collector);
	*first = history_first(model_history(e->model));
	*end = history_end(model_history(e->model));
	collector_unlock(e->collector);
}

/* Always pass gap rows, whatever the filter: every reader of the stream needs them. */
static bool call_wanted(struct engine *e, const struct filter *filter, const struct call *call)
{
	struct filter_reader reader = match_reader(e->model, call->enter_ns);

	return !filter || call->state == CALL_GAP || filter_match(filter, call, &reader);
}

static bool may_look_on(size_t looked, uint64_t until_ns)
{
	return looked < LOOK_CALLS &&
	       (!looked || looked % LOOKS_PER_CLOCK || clock_now_ns() < until_ns);
}

size_t engine_calls_after(struct engine *e, uint64_t *seq, const struct filter *filter,
			  struct call *calls, uint64_t *seqs, size_t max)
{
	struct history *history;
	size_t count = 0;
	uint64_t at = *seq, until_ns;

	if (!atomic_load(&e->ready))
		return 0;
	collector_lock(e->collector);
	until_ns = clock_now_ns() + LOOK_NS;
	history = model_history(e->model);
	if (at < history_first(history))
		at = history_first(history);
	for (size_t looked = 0; count < max && may_look_on(looked, until_ns); looked++) {
		/* Copy directly into the next free element. */
		struct call *call = &calls[count];

		if (!history_get(history, at, call))
			break;
		if (call_wanted(e, filter, call))
			seqs[count++] = at;
		at++;
	}
	collector_unlock(e->collector);
	*seq = at;
	return count;
}

size_t engine_calls_before(struct engine *e, uint64_t *seq, const struct filter *filter,
			   struct call *calls, uint64_t *seqs, size_t max)
{
	struct history *history;
	size_t count = 0;
	uint64_t at = *seq, until_ns;

	if (!atomic_load(&e->ready))
		return 0;
	collector_lock(e->collector);
	until_ns = clock_now_ns() + LOOK_NS;
	history = model_history(e->model);
	if (at > history_end(history))
		at = history_end(history);
	for (size_t looked = 0; count < max && at > 0 && may_look_on(looked, until_ns); looked++) {
		struct call *call = &calls[count];

		if (!history_get(history, at - 1, call))
			break;
		at--;
		if (call_wanted(e, filter, call))
			seqs[count++] = at;
	}
	collector_unlock(e->collector);
	*seq = at;
	return count;
}

/* Copy the call as of now, including the wait in progress. */
static void add_in_flight(void *ctx, struct task *task)
{
	struct in_flight *in_flight = ctx;
	struct call *call;

	if (!task->in_call || task->ended || !in_flight_wanted(ctx, &task->call))
		return;
	in_flight->calls = mem_grow(in_flight->calls, &in_flight->cap, in_flight->count + 1,
				    sizeof(*call));
	call = &in_flight->calls[in_flight->count++];
	model_call_at(in_flight->engine->model, task, in_flight->now_ns, call);
}

static int compare_enter(const void *a, const void *b)
{
	const struct call *one = a, *other = b;

	if (one->enter_ns != other->enter_ns)
		return one->enter_ns < other->enter_ns ? -1 : 1;
	return (one->tid > other->tid) - (one->tid < other->tid);
}

size_t engine_in_flight(struct engine *e, struct call *calls, size_t max)
{
	struct in_flight in_flight = { .engine = e };
	struct tasks_walk walk;
	size_t count;
	bool more;

	if (!atomic_load(&e->ready))
		return 0;
	collector_lock(e->collector);
	in_flight.now_ns = now_of(e);
	tasks_walk_begin(&walk, model_tasks(e->model));
	more = tasks_walk_step(&walk, TASKS_WALK_TASKS, add_in_flight, &in_flight);
	collector_unlock(e->collector);
	while (more) {
		collector_make_way(e->collector);
		collector_lock(e->collector);
		more = tasks_walk_step(&walk, TASKS_WALK_TASKS, add_in_flight, &in_flight);
		collector_unlock(e->collector);
	}
	if (in_flight.count)
		qsort(in_flight.calls, in_flight.count, sizeof(*calls), compare_enter);
	count = in_flight.count < max ? in_flight.count : max;
	if (count)
		memcpy(calls, in_flight.calls, count * sizeof(*calls));
	free(in_flight.calls);
	return count;
}

/* True if results must not depend on the load of the machine: then waits have no timeout. */
static bool is_replayed(const struct engine *e)
{
	return e->recorded && !e->interactive;
}

static bool is_cancelled(const struct engine *e)
{
	struct pollfd cancel = { .fd = e->cancel_fd, .events = POLLIN };

	return e->cancel_fd > 0 && poll(&cancel, 1, 0) > 0;
}

/* Facts that arrive later, which the filter needs. */
struct needs {
	bool stacks, memory;
};

static struct needs filter_needs(struct engine *e)
{
	struct needs needs;

	collector_lock(e->collector);
	needs.stacks = collector_asks_stacks(e->collector);
	needs.memory = collector_asks_memory(e->collector);
	collector_unlock(e->collector);
	return needs;
}

/* Wait for the facts that the filter needs, then drop the calls that do not match. */
static int decide(struct engine *e, struct call *calls, int count)
{
	struct needs needs = filter_needs(e);
	bool *keep;
	int kept = 0;

	if (!needs.stacks && !needs.memory)
		return count;
	keep = mem_alloc((size_t)count * sizeof(*keep));
	if (needs.memory)
		engine_settle_memory(e, calls, (size_t)count, MEMORY_MS);
	/* Symbols that arrive can cause further requests. */
	do {
		if (needs.stacks)
			engine_symbols_settle(e, NAMES_MS);
		collector_lock(e->collector);
		for (int i = 0; i < count; i++)
			keep[i] = collector_matches(e->collector, &calls[i], calls[i].enter_ns);
		collector_unlock(e->collector);
	} while (needs.stacks && is_replayed(e) && symbols_pending(e->symbols) && !is_cancelled(e));
	for (int i = 0; i < count; i++)
		if (keep[i])
			calls[kept++] = calls[i];
	free(keep);
	return kept;
}

bool engine_filter_settle(struct engine *e, int timeout_ms)
{
	uint64_t deadline_ns = clock_now_ns() + (uint64_t)timeout_ms * NS_PER_MS;
	struct needs needs = { .stacks = false };
	struct model_status status;
	bool waiting;

	if (atomic_load(&e->ready))
		needs = filter_needs(e);
	if (!needs.stacks && !needs.memory)
		return false;
	if (needs.memory)
		engine_bytes_look_in_flight(e, MEMORY_MS);
	if (needs.stacks)
		engine_symbols_settle(e, timeout_ms);
	do {
		engine_look_wanted(e);
		collector_lock(e->collector);
		model_status(e->model, &status);
		collector_unlock(e->collector);
		waiting = status.refilling || (!needs.stacks && status.pending_match);
		if (waiting)
			nanosleep(&(struct timespec){ .tv_nsec = (long)NS_PER_MS }, NULL);
	} while (waiting && !is_cancelled(e) && (is_replayed(e) || clock_now_ns() < deadline_ns));
	return true;
}

int engine_read(struct engine *e, struct call *calls, size_t max, int timeout_ms)
{
	int count;

	if (!atomic_load(&e->ready))
		return -ENODATA;
	count = collector_read(e->collector, calls, max, timeout_ms);
	return count > 0 ? decide(e, calls, count) : count;
}

bool engine_thread(struct engine *e, uint32_t tid, uint32_t *pid, char name[ENGINE_NAME_BYTES])
{
	const struct task *task;

	name[0] = '\0';
	*pid = 0;
	if (!atomic_load(&e->ready))
		return false;
	collector_lock(e->collector);
	task = tasks_find(model_tasks(e->model), tid);
	if (task) {
		*pid = task->process->pid;
		escape_name(name, ENGINE_NAME_BYTES, model_name(e->model, task->comm_id));
	}
	collector_unlock(e->collector);
	return task != NULL;
}

bool engine_waker(struct engine *e, const struct call *call, uint32_t *pid,
		  char name[ENGINE_NAME_BYTES])
{
	uint32_t comm_id;
	bool known;

	name[0] = '\0';
	*pid = 0;
	if (!atomic_load(&e->ready))
		return false;
	collector_lock(e->collector);
	known = model_waker(e->model, call, pid, &comm_id);
	if (known)
		escape_name(name, ENGINE_NAME_BYTES, model_name(e->model, comm_id));
	collector_unlock(e->collector);
	return known;
}

char *engine_comm(struct engine *e, const struct call *call, char out[ENGINE_NAME_BYTES])
{
	out[0] = '\0';
	if (!atomic_load(&e->ready))
		return out;
	collector_lock(e->collector);
	escape_name(out, ENGINE_NAME_BYTES, model_name(e->model, call->comm_id));
	collector_unlock(e->collector);
	return out;
}

/* -- Stacks ------------------------------------------------------------------------ */

size_t engine_frames(struct engine *e, uint32_t stack_id, struct frame *frames, size_t max)
{
	uint64_t ips[2 * STACK_FRAMES_MAX];
	struct stack stack;
	bool found;

	if (!stack_id || !atomic_load(&e->ready))
		return 0;
	collector_lock(e->collector);
	found = stacks_get(e->stacks, stack_id, &stack);
	/* Copy now: adding other stacks can evict or move this one. */
	if (found)
		memcpy(ips, stack.ips,
		       sizeof(*ips) * ((size_t)stack.kernel_count + stack.user_count));
	stack.ips = ips;
	collector_unlock(e->collector);
	if (found)
		return symbols_frames(e->symbols, &stack, frames, max);
	if (!max)
		return 0;
	frames[0] = (struct frame){
		.kind = FRAME_USER,
		.symbol = "[stack not kept]",
		.dso = "",
		.note = "evicted by stacks of newer calls",
	};
	return 1;
}

uint64_t engine_symbols_version(struct engine *e)
{
	return symbols_version(e->symbols);
}

size_t engine_symbols_pending(struct engine *e)
{
	return symbols_pending(e->symbols) + (e->unwinder ? unwinder_pending(e->unwinder) : 0);
}

void engine_symbols_progress(struct engine *e, char *out, size_t out_bytes)
{
	symbols_progress(e->symbols, out, out_bytes);
}

void engine_kernel_symbols_note(struct engine *e, char *out, size_t out_bytes)
{
	symbols_kernel_note(e->symbols, out, out_bytes);
}

bool engine_symbols_settle(struct engine *e, int timeout_ms)
{
	if (is_replayed(e)) {
		while (!symbols_settle(e->symbols, SETTLE_LOOK_MS))
			if (is_cancelled(e))
				return false;
		return true;
	}
	/* Finish unwinding first: it yields the frames whose symbols are requested. */
	return (!e->unwinder || unwinder_settle(e->unwinder, timeout_ms)) &&
	       symbols_settle(e->symbols, timeout_ms);
}
