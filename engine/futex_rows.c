#include "engine/futex_rows.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/tasks/idle_waits.h"

#include <stdlib.h>
#include <string.h>

/* Number of futexes per hold of the lock; takes about 100 µs. */
#define SLICE 256

static void copy_wakers(struct engine_futex *row, const struct futex *futex,
			const struct model *model)
{
	row->waker_count = futex->waker_count < ENGINE_FUTEX_WAKERS ? (uint32_t)futex->waker_count
								    : ENGINE_FUTEX_WAKERS;
	for (uint32_t i = 0; i < row->waker_count; i++) {
		struct engine_futex_waker *waker = &row->wakers[i];

		waker->tid = futex->wakers[i].tid;
		waker->count = futex->wakers[i].count;
		escape_name(waker->name, sizeof(waker->name),
			    model_name(model, futex->wakers[i].comm_id));
	}
}

static void copy_sums(struct engine_futex *row, const struct futex *futex,
		      const struct model *model)
{
	row->waits = futex->waits;
	row->untimed = futex->waits - futex->times.count;
	row->total_ns = futex->total_ns;
	row->max_ns = futex->max_ns;
	row->contended_ns = futex->contended_ns;
	row->errors = futex->errors;
	row->would_block = futex->would_block;
	row->timeouts = futex->timeouts;
	row->wakes = futex->wakes;
	row->woken = futex->woken;
	row->requeued = futex->requeued;
	histogram_project(&futex->times, ENGINE_HISTOGRAM_LOW_NS, ENGINE_HISTOGRAM_HIGH_NS,
			  row->histogram, ENGINE_HISTOGRAM_CELLS);
	copy_wakers(row, futex, model);
}

/* Count the waiters that the filter passes. True if any thread waits, whatever the filter. */
static bool copy_waiters(struct engine_futex *row, const struct futex_rows *rows,
			 const struct futexes *futexes, const struct futex *futex, uint64_t now_ns)
{
	const struct futex_waiter *waiter;
	struct futex_op op;
	bool any = false;

	for (waiter = futex->first_waiter; waiter; waiter = waiter->next) {
		uint64_t age_ns = now_ns > waiter->enter_ns ? now_ns - waiter->enter_ns : 0;
		const struct task *task = futexes_waiting_task(futexes, waiter);

		if (!task)
			continue;
		any = true;
		if (rows->wanted && !rows->wanted(rows->wanted_ctx, &task->call))
			continue;
		row->waiters++;
		row->idle += futexes_is_idle(futexes, task, now_ns);
		if (futex_op_parse(&op, task->call.nr, task->call.args) &&
		    idle_futex_is_lock(&op) && age_ns > row->lock_ns)
			row->lock_ns = age_ns;
		if (age_ns > row->oldest_ns)
			row->oldest_ns = age_ns;
	}
	return any;
}

/* Return the futex with the sums; a filter has its own table with sums of matching calls. */
static const struct futex *sums_of(const struct model *model, const struct futexes *futexes,
				   const struct futex *futex)
{
	const struct futexes *matched = model_futexes_matched(model);

	if (matched) {
		futexes = matched;
		futex = futex_table_find(futexes_table(matched), &futex->key);
	}
	return futex && futexes_is_current(futexes, futex) ? futex : NULL;
}

static bool was_used(const struct futexes *futexes, const struct futex *futex)
{
	return futexes_is_current(futexes, futex) && (futex->waits || futex->wakes);
}

bool futex_rows_gather(struct futex_rows *rows, struct model *model, uint64_t now_ns)
{
	const struct futexes *futexes = model_futexes(model);
	const struct futex_table *table = futexes_table(futexes);
	const struct process *process;

	for (int i = 0; i < SLICE && rows->at < table->count; i++) {
		const struct futex *futex = table->all[rows->at++];
		const struct futex *sums = sums_of(model, futexes, futex);
		bool waited_on;
		struct engine_futex row = {
			.id = futex->id,
			.pid = futex->pid,
			.uaddr = futex->key.uaddr,
			.generation = futex->key.generation,
			.shared = futex->key.shared,
			.processes = 1,
			.has_place = futex->backing == FUTEX_BACKING_KNOWN,
		};

		if (futex->memory) {
			row.device = futex->memory->device;
			row.inode = futex->memory->inode;
			row.offset = futex->memory->offset;
		}
		if (sums)
			copy_sums(&row, sums, model);
		waited_on = copy_waiters(&row, rows, futexes, futex, now_ns);
		if (!row.waits && !row.wakes && !waited_on && !was_used(futexes, futex))
			continue;
		process = tasks_process(model_tasks(model), futex->pid);
		escape_name(row.name, sizeof(row.name),
			    model_name(model, futexes_is_alive(futexes, futex) ? process->comm_id
									       : futex->comm_id));
		rows->rows = mem_grow(rows->rows, &rows->cap, rows->count + 1, sizeof(*rows->rows));
		rows->rows[rows->count++] = row;
	}
	return rows->at < table->count;
}

/*
 * Order rows on the same memory next to each other, the first seen first; rows without a place
 * (private futexes) last.
 */
static int compare_place(const void *a, const void *b)
{
	const struct engine_futex *one = a, *other = b;

	if (one->has_place != other->has_place)
		return one->has_place ? -1 : 1;
	if (one->device != other->device)
		return one->device < other->device ? -1 : 1;
	if (one->inode != other->inode)
		return one->inode < other->inode ? -1 : 1;
	if (one->offset != other->offset)
		return one->offset < other->offset ? -1 : 1;
	return (one->id > other->id) - (one->id < other->id);
}

static bool is_same_place(const struct engine_futex *a, const struct engine_futex *b)
{
	return a->has_place && b->has_place && a->device == b->device && a->inode == b->inode &&
	       a->offset == b->offset;
}

static void merge_waker(struct engine_futex *into, const struct engine_futex_waker *waker)
{
	struct engine_futex_waker *least = NULL;

	for (uint32_t i = 0; i < into->waker_count; i++) {
		if (into->wakers[i].tid == waker->tid) {
			into->wakers[i].count += waker->count;
			return;
		}
		if (!least || into->wakers[i].count < least->count)
			least = &into->wakers[i];
	}
	if (into->waker_count < ENGINE_FUTEX_WAKERS)
		into->wakers[into->waker_count++] = *waker;
	else if (least->count < waker->count)
		*least = *waker;
}

static void merge(struct engine_futex *into, const struct engine_futex *from)
{
	into->processes++;
	into->waits += from->waits;
	into->untimed += from->untimed;
	into->total_ns += from->total_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	into->errors += from->errors;
	into->would_block += from->would_block;
	into->timeouts += from->timeouts;
	into->wakes += from->wakes;
	into->woken += from->woken;
	into->requeued += from->requeued;
	into->waiters += from->waiters;
	into->idle += from->idle;
	into->contended_ns += from->contended_ns;
	if (from->lock_ns > into->lock_ns)
		into->lock_ns = from->lock_ns;
	if (from->oldest_ns > into->oldest_ns)
		into->oldest_ns = from->oldest_ns;
	for (size_t i = 0; i < ENGINE_HISTOGRAM_CELLS; i++)
		into->histogram[i] += from->histogram[i];
	for (uint32_t i = 0; i < from->waker_count; i++)
		merge_waker(into, &from->wakers[i]);
}

static int compare_wakers(const void *a, const void *b)
{
	const struct engine_futex_waker *one = a, *other = b;

	if (one->count != other->count)
		return one->count > other->count ? -1 : 1;
	return (one->tid > other->tid) - (one->tid < other->tid);
}

/* True if the row has activity that the filter passes. */
static bool is_matched(const struct engine_futex *row)
{
	return row->waits || row->waiters || row->wakes;
}

static size_t drop_unmatched(struct engine_futex *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (is_matched(&rows[i]))
			rows[kept++] = rows[i];
	return kept;
}

size_t futex_rows_finish(struct futex_rows *rows, struct engine_futex **out, size_t *all)
{
	size_t kept = 0;

	if (rows->count)
		qsort(rows->rows, rows->count, sizeof(*rows->rows), compare_place);
	for (size_t i = 0; i < rows->count; i++) {
		if (kept && is_same_place(&rows->rows[kept - 1], &rows->rows[i]))
			merge(&rows->rows[kept - 1], &rows->rows[i]);
		else
			rows->rows[kept++] = rows->rows[i];
	}
	*all = kept;
	kept = drop_unmatched(rows->rows, kept);
	for (size_t i = 0; i < kept; i++)
		qsort(rows->rows[i].wakers, rows->rows[i].waker_count,
		      sizeof(rows->rows[i].wakers[0]), compare_wakers);
	free(*out);
	*out = rows->rows;
	*rows = (struct futex_rows){ .rows = NULL };
	return kept;
}
