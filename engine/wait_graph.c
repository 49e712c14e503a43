#include "engine/wait_graph.h"

#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/engine_state.h"
#include "engine/futex_rows.h"
#include "engine/late/futex_owner.h"
#include "engine/recorded_locks.h"
#include "engine/tasks/deadlocks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Shorter waits are normal contention. */
#define LONG_NS (100 * NS_PER_MS)
/* Shorter waits with a timeout can be intended. */
#define LONG_TIMED_NS (200 * NS_PER_MS)
#define LOOK_EVERY_NS (90 * NS_PER_MS)
/* Maximum numbers of waiters, and of futexes, processed per hold of the lock. */
#define SLICE_WAITERS 512
#define SLICE_FUTEXES 4096
#define WAITERS_MAX 65536

struct wait_graph {
	pthread_mutex_t mutex;
	struct deadlocks deadlocks;
	uint64_t looked_ns; /* 0: never */
	struct recorded_locks reported;
};

struct wait_graph *wait_graph_new(void)
{
	struct wait_graph *watch = mem_zalloc(1, sizeof(*watch));

	lock_init(&watch->mutex);
	deadlocks_init(&watch->deadlocks);
	recorded_locks_init(&watch->reported);
	return watch;
}

void wait_graph_free(struct wait_graph *watch)
{
	if (!watch)
		return;
	deadlocks_release(&watch->deadlocks);
	recorded_locks_release(&watch->reported);
	pthread_mutex_destroy(&watch->mutex);
	free(watch);
}

static bool is_live(const struct engine *e)
{
	return atomic_load(&e->ready) && !e->recorded;
}

/* -- Rows ------------------------------------------------------------------------------ */

struct wanted {
	struct engine *engine;
	uint64_t now_ns;
};

static bool is_wanted(void *ctx, const struct call *call)
{
	const struct wanted *wanted = ctx;

	return collector_matches(wanted->engine->collector, call, wanted->now_ns);
}

size_t engine_futexes(struct engine *e, struct engine_futex **out, size_t *all)
{
	struct wanted wanted = { .engine = e };
	struct futex_rows rows = { .wanted = is_wanted, .wanted_ctx = &wanted };
	bool more;

	*all = 0;
	if (!atomic_load(&e->ready)) {
		free(*out);
		*out = NULL;
		return 0;
	}
	engine_futexes_place(e);
	do {
		if (rows.at)
			collector_make_way(e->collector);
		collector_lock(e->collector);
		wanted.now_ns = collector_now(e->collector);
		more = futex_rows_gather(&rows, e->model, wanted.now_ns);
		collector_unlock(e->collector);
	} while (more);
	return futex_rows_finish(&rows, out, all);
}

static bool is_asked_for(const struct engine_futex *row, const struct futex *futex)
{
	if (futex->id == row->id)
		return true;
	return row->has_place && futex->memory && futex->memory->device == row->device &&
	       futex->memory->inode == row->inode && futex->memory->offset == row->offset;
}

/* Find the futex of a row without resolved memory. NULL: it is gone. Locked. */
static const struct futex *find_one(struct engine *e, const struct engine_futex *row)
{
	struct futex_key key = { .uaddr = row->uaddr,
				 .generation = row->generation,
				 .shared = row->shared };
	const struct futex *futex = futex_table_find(futexes_table(model_futexes(e->model)), &key);

	return futex && futex->id == row->id ? futex : NULL;
}

size_t engine_futex_members(struct engine *e, const struct engine_futex *row,
			    struct engine_futex_member *members, size_t max)
{
	size_t at = 0, count = 0;
	bool more;

	if (!atomic_load(&e->ready))
		return 0;
	if (!row->has_place && max) {
		members[0] = (struct engine_futex_member){ row->pid, row->uaddr };
		return 1;
	}
	do {
		const struct futex_table *table;

		collector_lock(e->collector);
		table = futexes_table(model_futexes(e->model));
		for (int i = 0; i < SLICE_FUTEXES && at < table->count && count < max; i++) {
			const struct futex *futex = table->all[at++];

			if (is_asked_for(row, futex))
				members[count++] = (struct engine_futex_member){
					.pid = futex->pid,
					.uaddr = futex->key.uaddr,
				};
		}
		more = at < table->count && count < max;
		collector_unlock(e->collector);
	} while (more);
	return count;
}

/* Copy the calls that wait on the futex and that the filter passes. Locked. */
static size_t copy_waiters(struct engine *e, const struct futex *futex, struct call *calls,
			   size_t max)
{
	const struct futexes *futexes = model_futexes(e->model);
	const struct futex_waiter *waiter = futex->first_waiter;
	uint64_t now_ns = collector_now(e->collector);
	size_t count = 0;

	for (; waiter && count < max; waiter = waiter->next) {
		const struct task *task = futexes_waiting_task(futexes, waiter);

		if (task && collector_matches(e->collector, &task->call, now_ns))
			model_call_at(e->model, task, now_ns, &calls[count++]);
	}
	return count;
}

/* Look up the futex by its key, as a scan can visit many thousands. */
static size_t copy_waiters_of_one(struct engine *e, const struct engine_futex *row,
				  struct call *calls, size_t max)
{
	const struct futex *futex;
	size_t count;

	collector_lock(e->collector);
	futex = find_one(e, row);
	count = futex ? copy_waiters(e, futex, calls, max) : 0;
	collector_unlock(e->collector);
	return count;
}

size_t engine_futex_waiters(struct engine *e, const struct engine_futex *row, struct call *calls,
			    size_t max)
{
	size_t at = 0, count = 0;
	bool more;

	if (!atomic_load(&e->ready))
		return 0;
	if (!row->has_place)
		return copy_waiters_of_one(e, row, calls, max);
	do {
		const struct futex_table *table;

		collector_lock(e->collector);
		table = futexes_table(model_futexes(e->model));
		for (int i = 0; i < SLICE_FUTEXES && at < table->count && count < max; i++) {
			const struct futex *futex = table->all[at++];

			if (futex->first_waiter && is_asked_for(row, futex))
				count += copy_waiters(e, futex, calls + count, max - count);
		}
		more = at < table->count && count < max;
		collector_unlock(e->collector);
	} while (more);
	return count;
}

uint32_t engine_futex_owner(struct engine *e, const struct call *call)
{
	struct futex_op op;

	if (atomic_load(&e->ready) && e->observations)
		return recorded_locks_holder(e, call);
	if (!is_live(e) || !futex_op_parse(&op, call->nr, call->args) || !futex_op_waits(&op))
		return 0;
	return futex_owner(e->memory_reader, call->pid, op.uaddr, &op);
}

/* -- Deadlocks --------------------------------------------------------------------------- */

/* A wait with the data needed to look up the lock owner. */
struct long_wait {
	struct deadlock_wait wait;
	struct futex_op op;
};

struct long_waits {
	struct long_wait *waits;
	size_t count, cap;
};

static void add_wait(struct long_waits *waits, const struct task *task,
		     const struct futex_waiter *waiter, uint64_t now_ns)
{
	uint64_t age_ns = now_ns > waiter->enter_ns ? now_ns - waiter->enter_ns : 0;
	struct futex_op op;

	if (!futex_op_parse(&op, task->call.nr, task->call.args))
		return;
	if (age_ns < (op.has_timeout ? LONG_TIMED_NS : LONG_NS))
		return;
	/* A requeue moved the waiter to a priority-inheritance lock, whose word holds the owner. */
	if (waiter->at != waiter->origin && op.uaddr2)
		op.inherits = true;
	waits->waits = mem_grow(waits->waits, &waits->cap, waits->count + 1, sizeof(*waits->waits));
	waits->waits[waits->count++] = (struct long_wait){
		.wait = {
			.pid = task->process->pid,
			.tid = waiter->tid,
			.uaddr = waiter->at->key.uaddr,
			.enter_ns = waiter->enter_ns,
		},
		.op = op,
	};
}

/* Gather a slice. False: the table is done. Locked. */
static bool gather_some(struct engine *e, struct long_waits *waits, size_t *at, uint64_t now_ns)
{
	const struct futexes *futexes = model_futexes(e->model);
	const struct futex_table *table = futexes_table(futexes);
	size_t end = waits->count + SLICE_WAITERS;

	for (int i = 0; i < SLICE_FUTEXES && *at < table->count && waits->count < end; i++) {
		const struct futex_waiter *waiter = table->all[(*at)++]->first_waiter;

		for (; waiter && waits->count < WAITERS_MAX; waiter = waiter->next) {
			const struct task *task = futexes_waiting_task(futexes, waiter);

			if (task)
				add_wait(waits, task, waiter, now_ns);
		}
	}
	return *at < table->count && waits->count < WAITERS_MAX;
}

/* Order by operation: it determines how the lock owner is derived. */
static int compare_ops(const struct futex_op *a, const struct futex_op *b)
{
	if (a->inherits != b->inherits)
		return a->inherits ? 1 : -1;
	if (a->shared != b->shared)
		return a->shared ? 1 : -1;
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->uaddr > b->uaddr) - (a->uaddr < b->uaddr);
}

static int compare_lock(const void *a, const void *b)
{
	const struct deadlock_wait *one = &((const struct long_wait *)a)->wait;
	const struct deadlock_wait *other = &((const struct long_wait *)b)->wait;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	if (one->uaddr != other->uaddr)
		return one->uaddr < other->uaddr ? -1 : 1;
	return compare_ops(&((const struct long_wait *)a)->op, &((const struct long_wait *)b)->op);
}

/* Read each lock once: thousands of threads can wait for it. */
static struct deadlock_wait *ask_owners(struct engine *e, struct long_waits *waits)
{
	struct deadlock_wait *owned = mem_alloc((waits->count + 1) * sizeof(*owned));
	uint32_t owner = 0;

	if (waits->count)
		qsort(waits->waits, waits->count, sizeof(*waits->waits), compare_lock);
	for (size_t i = 0; i < waits->count; i++) {
		struct long_wait *wait = &waits->waits[i];

		if (!i || compare_lock(wait - 1, wait))
			owner = futex_owner(e->memory_reader, wait->wait.pid, wait->wait.uaddr,
					    &wait->op);
		owned[i] = wait->wait;
		owned[i].owner = owner;
	}
	return owned;
}

/* True if the wait continues. After a requeue, /proc still shows the futex argument of the call. */
static bool goes_on(void *ctx, const struct deadlock_wait *wait)
{
	struct engine *e = ctx;
	const struct task *task;
	uint64_t uaddr = 0;

	collector_lock(e->collector);
	task = tasks_find(model_tasks(e->model), wait->tid);
	if (task && task->in_call && task->call.enter_ns == wait->enter_ns)
		uaddr = task->call.args[0];
	collector_unlock(e->collector);
	return uaddr && futex_owner_waits(e->memory_reader, wait->pid, wait->tid, uaddr);
}

void wait_graph_begin_file(struct wait_graph *watch, uint32_t file)
{
	pthread_mutex_lock(&watch->mutex);
	recorded_locks_begin_file(&watch->reported, file);
	pthread_mutex_unlock(&watch->mutex);
}

/* Scan once. Under the mutex of the wait graph. */
static void look(struct engine *e, struct wait_graph *watch)
{
	struct long_waits waits = { .waits = NULL };
	struct deadlock_wait *owned;
	uint64_t now_ns = clock_now_ns();
	size_t at = 0;
	bool more;

	if (watch->looked_ns && now_ns - watch->looked_ns < LOOK_EVERY_NS)
		return;
	watch->looked_ns = now_ns;
	do {
		if (at)
			collector_make_way(e->collector);
		collector_lock(e->collector);
		more = gather_some(e, &waits, &at, now_ns);
		collector_unlock(e->collector);
	} while (more);
	owned = ask_owners(e, &waits);
	recorded_locks_write_holders(&watch->reported, e, owned, waits.count);
	deadlocks_look(&watch->deadlocks, owned, waits.count, now_ns, goes_on, e);
	recorded_locks_write_deadlocks(&watch->reported, e, &watch->deadlocks);
	free(owned);
	free(waits.waits);
}

void wait_graph_look(struct engine *e)
{
	pthread_mutex_lock(&e->wait_graph->mutex);
	look(e, e->wait_graph);
	pthread_mutex_unlock(&e->wait_graph->mutex);
}

size_t engine_deadlocks(struct engine *e, struct engine_deadlock *out, size_t max)
{
	struct wait_graph *watch = e->wait_graph;
	size_t count = 0;

	if (atomic_load(&e->ready) && e->observations)
		return recorded_locks_deadlocks(e, out, max);
	if (!is_live(e))
		return 0;
	engine_futexes_place(e);
	pthread_mutex_lock(&watch->mutex);
	look(e, watch);
	for (size_t i = 0; i < watch->deadlocks.count && count < max; i++)
		if (watch->deadlocks.found[i].confirmed)
			recorded_locks_copy(e, &watch->deadlocks.found[i], &out[count++]);
	pthread_mutex_unlock(&watch->mutex);
	return count;
}

size_t engine_deadlocks_recorded(struct engine *e, size_t *cursor, struct engine_deadlock *out,
				 size_t max)
{
	return atomic_load(&e->ready) && e->observations
		       ? recorded_locks_deadlocks_ever(e, cursor, out, max)
		       : 0;
}

void engine_deadlocks_settle(struct engine *e)
{
	struct wait_graph *watch = e->wait_graph;
	const struct timespec while_doubtful = { .tv_nsec = DEADLOCKS_CONFIRM_NS + NS_PER_MS };
	size_t doubtful;

	if (!is_live(e))
		return;
	pthread_mutex_lock(&watch->mutex);
	watch->looked_ns = 0;
	look(e, watch);
	doubtful = deadlocks_doubtful(&watch->deadlocks);
	pthread_mutex_unlock(&watch->mutex);
	if (!doubtful)
		return;
	nanosleep(&while_doubtful, NULL);
	pthread_mutex_lock(&watch->mutex);
	watch->looked_ns = 0;
	look(e, watch);
	pthread_mutex_unlock(&watch->mutex);
}
