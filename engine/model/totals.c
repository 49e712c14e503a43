#include "engine/model/totals.h"

#include "engine/base/mem.h"
#include "engine/model/totals_private.h"

#include <stdlib.h>
#include <string.h>

struct totals *totals_new(void)
{
	return mem_zalloc(1, sizeof(struct totals));
}

void totals_free_thread(struct totals *totals, struct totals_thread *thread)
{
	totals->cells -= totals_cells_release(&thread->cells);
	free(thread);
}

void totals_free_owner(struct totals *totals, struct owner *owner)
{
	for (struct totals_thread *thread = owner->threads, *next; thread; thread = next) {
		next = thread->next;
		totals_free_thread(totals, thread);
	}
	owner_sum_free(owner->sum);
	free(owner);
}

void totals_clear(struct totals *totals)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	totals->all = NULL;
	while ((slot = idmap_next(&totals->owners, &cursor)))
		totals_free_owner(totals, slot->value);
	idmap_clear(&totals->owners);
	idmap_clear(&totals->threads);
	totals->last = NULL;
	totals->first_ended = totals->last_ended = NULL;
	totals->ended = totals->groups = 0;
	totals_cells_release(&totals->syscalls);
}

void totals_free(struct totals *totals)
{
	if (!totals)
		return;
	totals_clear(totals);
	idmap_release(&totals->owners);
	idmap_release(&totals->threads);
	free(totals);
}

/* -- Threads and processes --------------------------------------------------- */

static struct totals_thread *add_thread(struct totals *totals, struct owner *owner, uint32_t tid)
{
	struct totals_thread *thread = mem_zalloc(1, sizeof(*thread));

	thread->next_of_all = totals->all;
	if (totals->all)
		totals->all->prev_of_all = thread;
	totals->all = thread;
	thread->tid = tid;
	thread->owner = owner;
	thread->next = owner->threads;
	owner->threads = thread;
	return thread;
}

void totals_unlink_of_all(struct totals *totals, struct totals_thread *thread)
{
	*(thread->prev_of_all ? &thread->prev_of_all->next_of_all
			      : &totals->all) = thread->next_of_all;
	if (thread->next_of_all)
		thread->next_of_all->prev_of_all = thread->prev_of_all;
}

struct owner *totals_owner(struct totals *totals, uint32_t pid)
{
	struct owner *owner = idmap_get(&totals->owners, pid);

	if (owner)
		return owner;
	owner = mem_zalloc(1, sizeof(*owner));
	owner->pid = pid;
	idmap_put(&totals->owners, pid, owner);
	return owner;
}

struct totals_thread *totals_thread(struct totals *totals, uint32_t pid, uint32_t tid)
{
	uint64_t key = totals_thread_key(pid, tid);
	struct totals_thread *thread;

	if (totals->last && totals->last_key == key)
		return totals->last;
	thread = idmap_get(&totals->threads, key);
	if (!thread) {
		thread = add_thread(totals, totals_owner(totals, pid), tid);
		idmap_put(&totals->threads, key, thread);
	} else if (thread->ended) {
		thread->ended = false;
		thread->owner->ended_threads--;
	}
	totals_unlink_ended(totals, thread->owner);
	totals->last = thread;
	totals->last_key = key;
	return thread;
}

struct totals_cell *totals_thread_cell(struct totals *totals, struct totals_thread *thread,
				       uint32_t nr)
{
	uint16_t before = thread->cells.count;
	struct totals_cell *cell = totals_cells_get(&thread->cells, nr);

	totals->cells += (size_t)(thread->cells.count - before);
	return cell;
}

void totals_add(struct totals *totals, const struct call *call)
{
	struct totals_cell *cell;

	if (call->state != CALL_DONE && call->state != CALL_ORPHAN)
		return;
	cell = totals_thread_cell(totals, totals_thread(totals, call->pid, call->tid), call->nr);
	cell->calls++;
	if (call_failed(call)) {
		cell->errors++;
		errno_counts_add(&cell->errnos, (uint32_t)-call->ret, 1);
	}
	if (call->dur_ns < 0)
		return;
	uint64_t ns = (uint64_t)call->dur_ns;
	cell->total_ns += ns;
	if (call->blocked_ns | call->runnable_ns) {
		cell->blocked_ns += call->blocked_ns;
		cell->runnable_ns += call->runnable_ns;
	}
	cell->waits_unknown += !call_waits_are_known(call);
	if (ns < cell->min_ns)
		cell->min_ns = ns;
	if (ns > cell->max_ns)
		cell->max_ns = ns;
	histogram_add(&cell->durations, ns);
}

/* -- Prefetching --------------------------------------------------------------- */

void totals_foresee_thread(const struct totals *totals, uint32_t pid, uint32_t tid)
{
	idmap_prefetch(&totals->threads, totals_thread_key(pid, tid));
}

void totals_foresee_cells(const struct totals *totals, struct totals_foresee *foresee, uint32_t pid,
			  uint32_t tid)
{
	foresee->thread = idmap_get(&totals->threads, totals_thread_key(pid, tid));
	foresee->cell = NULL;
	__builtin_prefetch(foresee->thread);
}

void totals_foresee_slot(struct totals_foresee *foresee, uint32_t nr)
{
	if (foresee->thread)
		__builtin_prefetch(totals_cells_first(&foresee->thread->cells, nr));
}

void totals_foresee_cell(struct totals_foresee *foresee, uint32_t nr)
{
	if (!foresee->thread || !foresee->thread->cells.slots)
		return;
	foresee->cell = totals_cells_slot(&foresee->thread->cells, nr)->cell;
	__builtin_prefetch(foresee->cell, 1);
}

void totals_foresee_duration(const struct totals_foresee *foresee, uint64_t dur_ns)
{
	if (foresee->cell)
		histogram_prefetch(&foresee->cell->durations, dur_ns);
}

size_t totals_cells(const struct totals *totals)
{
	return totals->cells;
}

struct totals_thread *totals_folded(struct totals *totals, struct owner *owner)
{
	if (!owner->folded)
		owner->folded = add_thread(totals, owner, 0);
	return owner->folded;
}

void totals_add_aggregate(struct totals *totals, const struct record *record)
{
	struct totals_thread *thread = totals_folded(totals, totals_owner(totals, record->pid));
	struct totals_cell *cell = totals_thread_cell(totals, thread, record->aggregate.nr);

	cell->calls += record->aggregate.calls;
	if (record->aggregate.errors) {
		cell->errors += record->aggregate.errors;
		errno_counts_add(&cell->errnos, ERRNO_COUNTS_UNKNOWN, record->aggregate.errors);
	}
	cell->total_ns += record->aggregate.total_ns;
	cell->waits_unknown += record->aggregate.calls;
	if (record->aggregate.min_ns < cell->min_ns)
		cell->min_ns = record->aggregate.min_ns;
	if (record->aggregate.max_ns > cell->max_ns)
		cell->max_ns = record->aggregate.max_ns;
	histogram_add_group(&cell->durations, record->aggregate.group, record->aggregate.steps);
}

bool totals_has(const struct totals *totals, uint32_t pid)
{
	const struct owner *owner = idmap_get(&totals->owners, pid);

	return owner && owner->threads;
}

/* -- Reading ------------------------------------------------------------------- */

static void each_of_thread(const struct totals_thread *thread, totals_each_fn *each, void *ctx)
{
	const struct totals_slot *slot;
	size_t cursor = 0;

	while ((slot = totals_cells_next(&thread->cells, &cursor)))
		each(ctx, thread->owner->pid, thread->tid, slot->nr, slot->cell);
}

void totals_each(const struct totals *totals, totals_each_fn *each, void *ctx)
{
	for (const struct totals_thread *thread = totals->all; thread; thread = thread->next_of_all)
		each_of_thread(thread, each, ctx);
}

void totals_each_of(const struct totals *totals, uint32_t pid, totals_each_fn *each, void *ctx)
{
	const struct owner *owner = idmap_get(&totals->owners, pid);
	const struct totals_thread *thread = owner ? owner->threads : NULL;

	for (; thread; thread = thread->next)
		each_of_thread(thread, each, ctx);
}

static void add_to_sum(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr,
		       const struct totals_cell *cell)
{
	(void)pid;
	(void)tid;
	(void)nr;
	totals_cell_merge(ctx, cell);
}

void totals_sum(const struct totals *totals, uint32_t pid, struct totals_cell *sum)
{
	if (pid)
		totals_each_of(totals, pid, add_to_sum, sum);
	else
		totals_each(totals, add_to_sum, sum);
}

static size_t cells_bytes(const struct totals_cells *cells)
{
	size_t cursor = 0, bytes = cells->slots ? sizeof(*cells->slots) << cells->bits : 0;
	const struct totals_slot *slot;

	while ((slot = totals_cells_next(cells, &cursor)))
		bytes += sizeof(*slot->cell) + histogram_bytes(&slot->cell->durations);
	return bytes;
}

size_t totals_bytes(const struct totals *totals)
{
	size_t bytes = idmap_bytes(&totals->threads) + idmap_bytes(&totals->owners) +
		       totals->owners.count * sizeof(struct owner) + cells_bytes(&totals->syscalls);
	struct idmap_slot *slot;
	size_t cursor = 0;

	for (const struct totals_thread *thread = totals->all; thread; thread = thread->next_of_all)
		bytes += sizeof(*thread) + cells_bytes(&thread->cells);
	while ((slot = idmap_next(&totals->owners, &cursor))) {
		const struct owner_sum *sum = ((const struct owner *)slot->value)->sum;

		if (sum)
			bytes += sizeof(*sum) + histogram_bytes(&sum->cell.durations);
	}
	return bytes;
}
