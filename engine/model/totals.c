#include "engine/model/totals.h"

#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/model/totals_cells.h"

#include <stdlib.h>
#include <string.h>

/* How many ended processes are looked at for folding: seldom, but not for long. */
#define FOLD_PROCESSES 256

/* A thread, or with tid 0 those of a process that were folded. */
struct totals_thread {
	uint32_t tid;
	bool ended;
	struct owner *owner;
	struct totals_thread *next; /* of the same owner */
	struct totals_thread *prev_of_all, *next_of_all;
	struct totals_cells cells;
};

/* A process. */
struct owner {
	uint32_t pid;
	bool ended;
	uint32_t ended_threads;
	struct totals_thread *threads;
	struct totals_thread *folded; /* one of them, or NULL */
	struct owner *prev_ended, *next_ended;
};

struct totals {
	struct idmap threads; /* by pid and tid; not the folded ones */
	struct idmap owners;  /* by pid */
	struct totals_thread *last;  /* calls come in runs of one thread; never one that ended */
	uint64_t last_key;
	struct owner *first_ended, *last_ended; /* oldest first */
	size_t ended;
	struct totals_thread *all; /* newest first */
	struct totals_walk *walks;
	size_t cells;
};

static uint64_t thread_key(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | tid;
}

struct totals *totals_new(void)
{
	return mem_zalloc(1, sizeof(struct totals));
}

static void free_thread(struct totals *totals, struct totals_thread *thread)
{
	totals->cells -= totals_cells_release(&thread->cells);
	free(thread);
}

static void free_owner(struct totals *totals, struct owner *owner)
{
	for (struct totals_thread *thread = owner->threads, *next; thread; thread = next) {
		next = thread->next;
		free_thread(totals, thread);
	}
	free(owner);
}

void totals_clear(struct totals *totals)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while (totals->walks) {
		totals->walks->cleared = true;
		totals_walk_end(totals->walks);
	}
	totals->all = NULL;
	while ((slot = idmap_next(&totals->owners, &cursor)))
		free_owner(totals, slot->value);
	idmap_clear(&totals->owners);
	idmap_clear(&totals->threads);
	totals->last = NULL;
	totals->first_ended = totals->last_ended = NULL;
	totals->ended = 0;
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

static void unlink_ended(struct totals *totals, struct owner *owner)
{
	if (!owner->ended)
		return;
	*(owner->prev_ended ? &owner->prev_ended->next_ended : &totals->first_ended) =
		owner->next_ended;
	*(owner->next_ended ? &owner->next_ended->prev_ended : &totals->last_ended) =
		owner->prev_ended;
	owner->prev_ended = owner->next_ended = NULL;
	owner->ended = false;
	totals->ended--;
}

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

static struct owner *get_owner(struct totals *totals, uint32_t pid)
{
	struct owner *owner = idmap_get(&totals->owners, pid);

	if (owner)
		return owner;
	owner = mem_zalloc(1, sizeof(*owner));
	owner->pid = pid;
	idmap_put(&totals->owners, pid, owner);
	return owner;
}

static struct totals_thread *get_thread(struct totals *totals, uint32_t pid, uint32_t tid)
{
	uint64_t key = thread_key(pid, tid);
	struct totals_thread *thread;

	if (totals->last && totals->last_key == key)
		return totals->last;
	thread = idmap_get(&totals->threads, key);
	if (!thread) {
		thread = add_thread(totals, get_owner(totals, pid), tid);
		idmap_put(&totals->threads, key, thread);
	} else if (thread->ended) {
		thread->ended = false;
		thread->owner->ended_threads--;
	}
	unlink_ended(totals, thread->owner);
	totals->last = thread;
	totals->last_key = key;
	return thread;
}

static struct totals_cell *thread_cell(struct totals *totals, struct totals_thread *thread,
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
	cell = thread_cell(totals, get_thread(totals, call->pid, call->tid), call->nr);
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
	if (ns < cell->min_ns)
		cell->min_ns = ns;
	if (ns > cell->max_ns)
		cell->max_ns = ns;
	histogram_add(&cell->durations, ns);
}

/* -- Foreseeing ---------------------------------------------------------------- */

void totals_foresee_thread(const struct totals *totals, uint32_t pid, uint32_t tid)
{
	idmap_prefetch(&totals->threads, thread_key(pid, tid));
}

void totals_foresee_cells(const struct totals *totals, struct totals_foresee *foresee,
			  uint32_t pid, uint32_t tid)
{
	foresee->thread = idmap_get(&totals->threads, thread_key(pid, tid));
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

/* -- Folding ------------------------------------------------------------------- */

/* Where the sums of threads without an identity of their own go. */
static struct totals_thread *folded_of(struct totals *totals, struct owner *owner)
{
	if (!owner->folded)
		owner->folded = add_thread(totals, owner, 0);
	return owner->folded;
}

void totals_add_counted(struct totals *totals, const struct record *record)
{
	struct totals_thread *thread = folded_of(totals, get_owner(totals, record->pid));
	struct totals_cell *cell = thread_cell(totals, thread, record->counted.nr);

	cell->calls += record->counted.calls;
	if (record->counted.errors) {
		cell->errors += record->counted.errors;
		errno_counts_add(&cell->errnos, ERRNO_COUNTS_UNKNOWN, record->counted.errors);
	}
	cell->total_ns += record->counted.total_ns;
	if (record->counted.min_ns < cell->min_ns)
		cell->min_ns = record->counted.min_ns;
	if (record->counted.max_ns > cell->max_ns)
		cell->max_ns = record->counted.max_ns;
	histogram_add_group(&cell->durations, record->counted.group, record->counted.steps);
}

static void merge_thread(struct totals *totals, struct totals_thread *into,
			 const struct totals_thread *from)
{
	const struct totals_slot *slot;
	size_t cursor = 0;

	while ((slot = totals_cells_next(&from->cells, &cursor)))
		totals_cell_merge(thread_cell(totals, into, slot->nr), slot->cell);
}

static void unlink_of_all(struct totals *totals, struct totals_thread *thread)
{
	*(thread->prev_of_all ? &thread->prev_of_all->next_of_all : &totals->all) =
		thread->next_of_all;
	if (thread->next_of_all)
		thread->next_of_all->prev_of_all = thread->prev_of_all;
}

static void fold_ended_threads(struct totals *totals, struct owner *owner)
{
	struct totals_thread *into = folded_of(totals, owner);
	struct totals_thread **link = &owner->threads;

	while (*link) {
		struct totals_thread *thread = *link;

		if (!thread->ended) {
			link = &thread->next;
			continue;
		}
		merge_thread(totals, into, thread);
		*link = thread->next;
		idmap_remove(&totals->threads, thread_key(owner->pid, thread->tid));
		unlink_of_all(totals, thread);
		free_thread(totals, thread);
	}
	owner->ended_threads = 0;
}

static void end_thread(struct totals *totals, struct totals_thread *thread)
{
	if (thread->ended || thread == thread->owner->folded)
		return;
	thread->ended = true;
	thread->owner->ended_threads++;
	if (totals->last == thread)
		totals->last = NULL;
}

void totals_end_thread(struct totals *totals, uint32_t pid, uint32_t tid)
{
	struct totals_thread *thread = idmap_get(&totals->threads, thread_key(pid, tid));

	if (!thread)
		return;
	end_thread(totals, thread);
	if (!totals->walks && thread->owner->ended_threads > TOTALS_ENDED_THREADS)
		fold_ended_threads(totals, thread->owner);
}

static uint64_t owner_calls(const struct owner *owner)
{
	uint64_t calls = 0;

	for (const struct totals_thread *thread = owner->threads; thread; thread = thread->next) {
		const struct totals_slot *slot;
		size_t cursor = 0;

		while ((slot = totals_cells_next(&thread->cells, &cursor)))
			calls += slot->cell->calls;
	}
	return calls;
}

static void fold_owner(struct totals *totals, struct owner *owner)
{
	struct totals_thread *into = folded_of(totals, get_owner(totals, TOTALS_ENDED_PID));

	for (struct totals_thread *thread = owner->threads; thread; thread = thread->next) {
		merge_thread(totals, into, thread);
		unlink_of_all(totals, thread);
		if (thread != owner->folded)
			idmap_remove(&totals->threads, thread_key(owner->pid, thread->tid));
	}
	unlink_ended(totals, owner);
	idmap_remove(&totals->owners, owner->pid);
	free_owner(totals, owner);
}

/*
 * Of the oldest that ended, those with at most as many calls as their average:
 * what was busy stays. One at least has no more than the average.
 */
static void fold_processes(struct totals *totals)
{
	struct owner *owner = totals->first_ended, *next;
	uint64_t calls[FOLD_PROCESSES], sum = 0;
	size_t count = 0;

	for (; owner && count < FOLD_PROCESSES; owner = owner->next_ended)
		sum += calls[count++] = owner_calls(owner);
	owner = totals->first_ended;
	for (size_t i = 0; i < count; i++, owner = next) {
		next = owner->next_ended;
		if (calls[i] <= sum / count)
			fold_owner(totals, owner);
	}
}

void totals_end_process(struct totals *totals, uint32_t pid)
{
	struct owner *owner = idmap_get(&totals->owners, pid);

	if (!owner || owner->ended)
		return;
	for (struct totals_thread *thread = owner->threads; thread; thread = thread->next)
		end_thread(totals, thread);
	if (!totals->walks && owner->ended_threads > TOTALS_ENDED_THREADS)
		fold_ended_threads(totals, owner);
	owner->ended = true;
	owner->prev_ended = totals->last_ended;
	*(totals->last_ended ? &totals->last_ended->next_ended : &totals->first_ended) = owner;
	totals->last_ended = owner;
	/* What a walk puts off, the next ones to end make up for. */
	if (++totals->ended > TOTALS_ENDED_PROCESSES && !totals->walks)
		fold_processes(totals);
}

bool totals_has(const struct totals *totals, uint32_t pid)
{
	return idmap_get(&totals->owners, pid) != NULL;
}

/* -- Reading ------------------------------------------------------------------- */

/* The number of its cells. */
static size_t each_of_thread(const struct totals_thread *thread, totals_each_fn *each, void *ctx)
{
	const struct totals_slot *slot;
	size_t cursor = 0;

	while ((slot = totals_cells_next(&thread->cells, &cursor)))
		each(ctx, thread->owner->pid, thread->tid, slot->nr, slot->cell);
	return thread->cells.count;
}

void totals_walk_begin(struct totals_walk *walk, struct totals *totals)
{
	*walk = (struct totals_walk){
		.totals = totals,
		.next = totals->all,
		.others = totals->walks,
	};
	totals->walks = walk;
}

bool totals_walk_step(struct totals_walk *walk, size_t cells, totals_each_fn *each, void *ctx)
{
	/* A thread without cells takes time too. */
	for (size_t told = 0; walk->totals && walk->next && told < cells; told++) {
		told += each_of_thread(walk->next, each, ctx);
		walk->next = walk->next->next_of_all;
	}
	return walk->totals && walk->next;
}

void totals_walk_end(struct totals_walk *walk)
{
	struct totals_walk **link;

	if (!walk->totals)
		return;
	for (link = &walk->totals->walks; *link != walk; link = &(*link)->others)
		continue;
	*link = walk->others;
	walk->totals = NULL;
	walk->next = NULL;
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
	const struct totals_thread *thread;
	const struct owner *owner;

	if (!pid) {
		for (thread = totals->all; thread; thread = thread->next_of_all)
			each_of_thread(thread, add_to_sum, sum);
		return;
	}
	owner = idmap_get(&totals->owners, pid);
	for (thread = owner ? owner->threads : NULL; thread; thread = thread->next)
		each_of_thread(thread, add_to_sum, sum);
}
