/*
 * totals_merge - adds the counts since the last take to the totals of the reader.
 *
 * The sums of processes and system calls are updated too, so that the cost depends on the number of
 * changed cells.
 */
#include "engine/base/mem.h"
#include "engine/model/totals_private.h"

#include <stdlib.h>

#define DIGEST_LOW_NS 1000ULL /* 1 us ... */
#define DIGEST_HIGH_NS 1000000000ULL /* ... to 1 s */

/* -- Cells ----------------------------------------------------------------------------- */

uint64_t totals_cell_last(const struct totals_cell *cell, uint32_t period)
{
	if (cell->period == period)
		return cell->before_calls;
	return cell->period + 1 == period ? cell->period_calls : 0;
}

/* Call before adding the calls to the cell. */
static void count_period(struct totals_cell *cell, uint32_t period, uint64_t calls)
{
	if (cell->period != period) {
		cell->before_calls = (uint32_t)totals_cell_last(cell, period);
		cell->period_calls = 0;
		cell->period = period;
	}
	cell->period_calls += (uint32_t)calls;
}

void totals_digest_make(struct totals_digest *digest, const struct totals_cell *cell)
{
	digest->p50_ns = totals_cell_quantile(cell, 0.50);
	digest->p95_ns = totals_cell_quantile(cell, 0.95);
	digest->p99_ns = totals_cell_quantile(cell, 0.99);
	digest->deviation_ns = (uint64_t)histogram_deviation(&cell->durations);
	histogram_project(&cell->durations, DIGEST_LOW_NS, DIGEST_HIGH_NS, digest->histogram,
			  TOTALS_DIGEST_CELLS);
}

/* -- Sums of a process ------------------------------------------------------------------ */

void owner_sum_free(struct owner_sum *sum)
{
	if (!sum)
		return;
	totals_cell_release(&sum->cell);
	free(sum);
}

static struct owner_sum *sum_of(struct owner *owner)
{
	if (!owner->sum) {
		owner->sum = mem_alloc_lines(sizeof(*owner->sum));
		totals_cell_init(&owner->sum->cell);
	}
	owner->sum->digested = false;
	return owner->sum;
}

void owner_sum_merge(struct owner *into, const struct owner *from)
{
	struct owner_sum *sum;

	if (!from->sum)
		return;
	sum = sum_of(into);
	totals_cell_merge(&sum->cell, &from->sum->cell);
	totals_cell_merge_period(&sum->cell, &from->sum->cell);
}

/* -- Absorbing --------------------------------------------------------------------------- */

struct absorbing {
	struct totals *totals;
	struct owner_sum *sum;
	struct totals_thread *thread;
	uint32_t period;
};

/* Takes ownership of `from`. */
static void absorb_cell(const struct absorbing *absorbing, uint32_t nr, struct totals_cell *from)
{
	struct totals *totals = absorbing->totals;
	struct totals_cell *syscall = totals_cells_get(&totals->syscalls, nr);
	uint16_t before = absorbing->thread->cells.count;
	struct totals_cell *cell;

	totals_cell_merge(&absorbing->sum->cell, from);
	count_period(&absorbing->sum->cell, absorbing->period, from->calls);
	totals_cell_merge(syscall, from);
	count_period(syscall, absorbing->period, from->calls);
	cell = totals_cells_take(&absorbing->thread->cells, nr, from);
	totals->cells += (size_t)(absorbing->thread->cells.count - before);
	if (cell == from) {
		cell->period = cell->period_calls = cell->before_calls = 0;
		count_period(cell, absorbing->period, cell->calls);
		return;
	}
	totals_cell_merge(cell, from);
	count_period(cell, absorbing->period, from->calls);
	totals_cell_release(from);
	free(from);
}

static void absorb_thread(struct totals *into, struct owner *owner, struct totals_thread *thread,
			  const struct totals_thread *from, uint32_t period)
{
	struct absorbing absorbing = { into, sum_of(owner), thread, period };
	const struct totals_slot *slot;
	size_t cursor = 0;

	while ((slot = totals_cells_next(&from->cells, &cursor)))
		absorb_cell(&absorbing, slot->nr, slot->cell);
}

static bool has_cells(const struct owner *owner)
{
	for (const struct totals_thread *thread = owner->threads; thread; thread = thread->next)
		if (thread->cells.count)
			return true;
	return false;
}

static struct totals_thread *own_thread(struct totals *into, struct owner *owner,
					const struct totals_thread *thread)
{
	uint64_t key = totals_thread_key(owner->pid, thread->tid);

	if (!thread->tid)
		return totals_folded(into, owner);
	if (totals_is_group(owner->pid))
		return totals_group_thread(into, owner, thread->tid);
	if (!thread->cells.count)
		return idmap_get(&into->threads, key);
	return totals_thread(into, owner->pid, thread->tid);
}

static void absorb_owner(struct totals *into, const struct owner *from, uint32_t period)
{
	struct owner *owner = idmap_get(&into->owners, from->pid);

	/* The reader has no sums of this process, and it made no calls since the last take. */
	if (!owner && !has_cells(from))
		return;
	owner = totals_owner(into, from->pid);
	if (totals_is_group(from->pid)) {
		into->groups += !owner->folded_processes && from->pid != TOTALS_ENDED_PID;
		totals_label_group(owner, &from->label, from->folded_processes);
	}
	/* The process is alive or its pid was reused, so the old label is void. */
	totals_unlink_ended(into, owner);
	for (struct totals_thread *thread = from->threads; thread; thread = thread->next) {
		struct totals_thread *own = own_thread(into, owner, thread);

		if (!own)
			continue;
		absorb_thread(into, owner, own, thread, period);
		totals_cells_forget(&thread->cells);
		if (thread->ended)
			totals_thread_ended(into, own);
	}
	if (from->ended)
		totals_end_process(into, from->pid, &from->label);
}

void totals_absorb(struct totals *into, struct totals *from, uint32_t period)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	/* Take ended processes in the order of their ends, so that the oldest are folded first. */
	for (struct owner *owner = from->first_ended; owner; owner = owner->next_ended)
		absorb_owner(into, owner, period);
	while ((slot = idmap_next(&from->owners, &cursor))) {
		const struct owner *owner = slot->value;

		if (!owner->ended)
			absorb_owner(into, owner, period);
	}
	from->cells = 0;
	totals_clear(from);
}

/* -- Reading -------------------------------------------------------------------------- */

static void show(struct owner *owner, struct totals_process *process)
{
	struct owner_sum *sum = owner->sum;

	if (!sum->digested) {
		totals_digest_make(&sum->digest, &sum->cell);
		sum->digested = true;
	}
	*process = (struct totals_process){
		.pid = owner->pid,
		.ended = owner->ended || totals_is_group(owner->pid),
		.folded = owner->folded_processes,
		.label = owner->label,
		.sum = &sum->cell,
		.digest = &sum->digest,
	};
}

void totals_processes(const struct totals *totals, totals_process_fn *each, void *ctx)
{
	struct totals_process process;
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&totals->owners, &cursor))) {
		struct owner *owner = slot->value;

		if (!owner->sum || !owner->sum->cell.calls)
			continue;
		show(owner, &process);
		each(ctx, &process);
	}
}

void totals_identities(const struct totals *totals, void (*each)(void *ctx, uint32_t id), void *ctx)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&totals->owners, &cursor))) {
		const struct owner *owner = slot->value;

		if (!owner->ended && !totals_is_group(owner->pid))
			continue;
		each(ctx, owner->label.comm_id);
		each(ctx, owner->label.name_id);
		if (!totals_is_group(owner->pid))
			continue;
		for (const struct totals_thread *thread = owner->threads; thread;
		     thread = thread->next)
			each(ctx, thread->tid);
	}
}

bool totals_process(const struct totals *totals, uint32_t pid, struct totals_process *process)
{
	struct owner *owner = idmap_get(&totals->owners, pid);

	if (!owner || !owner->sum)
		return false;
	show(owner, process);
	return true;
}

void totals_syscalls(const struct totals *totals, totals_each_fn *each, void *ctx)
{
	const struct totals_slot *slot;
	size_t cursor = 0;

	while ((slot = totals_cells_next(&totals->syscalls, &cursor)))
		each(ctx, 0, 0, slot->nr, slot->cell);
}
