/* totals_fold - folds ended threads into their process and ended processes into their name. */
#include "engine/base/mem.h"
#include "engine/model/totals_private.h"

#include <stdlib.h>
#include <string.h>

/* Number of ended processes that one fold_processes() examines; bounds its time. */
#define FOLD_PROCESSES 256

void totals_unlink_ended(struct totals *totals, struct owner *owner)
{
	if (!owner->ended)
		return;
	*(owner->prev_ended ? &owner->prev_ended->next_ended
			    : &totals->first_ended) = owner->next_ended;
	*(owner->next_ended ? &owner->next_ended->prev_ended
			    : &totals->last_ended) = owner->prev_ended;
	owner->prev_ended = owner->next_ended = NULL;
	owner->ended = false;
	totals->ended--;
}

static void merge_thread(struct totals *totals, struct totals_thread *into,
			 const struct totals_thread *from)
{
	const struct totals_slot *slot;
	size_t cursor = 0;

	while ((slot = totals_cells_next(&from->cells, &cursor))) {
		struct totals_cell *cell = totals_thread_cell(totals, into, slot->nr);

		totals_cell_merge(cell, slot->cell);
		totals_cell_merge_period(cell, slot->cell);
	}
}

static void fold_ended_threads(struct totals *totals, struct owner *owner)
{
	struct totals_thread *into = totals_folded(totals, owner);
	struct totals_thread **link = &owner->threads;

	while (*link) {
		struct totals_thread *thread = *link;

		if (!thread->ended) {
			link = &thread->next;
			continue;
		}
		merge_thread(totals, into, thread);
		*link = thread->next;
		idmap_remove(&totals->threads, totals_thread_key(owner->pid, thread->tid));
		totals_unlink_of_all(totals, thread);
		totals_free_thread(totals, thread);
	}
	owner->ended_threads = 0;
}

static void mark_ended(struct totals *totals, struct totals_thread *thread)
{
	if (thread->ended || thread == thread->owner->folded)
		return;
	thread->ended = true;
	thread->owner->ended_threads++;
	if (totals->last == thread)
		totals->last = NULL;
}

/* Frees threads of the owner: the caller must not use them afterwards. */
static void fold_if_many(struct totals *totals, struct owner *owner)
{
	if (owner->ended_threads > TOTALS_ENDED_THREADS)
		fold_ended_threads(totals, owner);
}

void totals_thread_ended(struct totals *totals, struct totals_thread *thread)
{
	struct owner *owner = thread->owner;

	mark_ended(totals, thread);
	fold_if_many(totals, owner);
}

void totals_end_thread(struct totals *totals, uint32_t pid, uint32_t tid)
{
	/* Create a missing thread: the reader can have taken its sums and must see its end. */
	if (!totals_is_group(pid))
		totals_thread_ended(totals, totals_thread(totals, pid, tid));
}

/* -- Processes ------------------------------------------------------------------------- */

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

static uint32_t group_pid(const struct owner *owner)
{
	return owner->label.name_id ? TOTALS_GROUP_PID + owner->label.name_id : TOTALS_ENDED_PID;
}

/* Return a process's group. Traced programs choose names, so the number of groups is bounded. */
static struct owner *group_of(struct totals *totals, const struct owner *owner)
{
	struct owner *group = idmap_get(&totals->owners, group_pid(owner));

	if (group)
		return group;
	if (totals->groups >= TOTALS_GROUPS)
		return totals_owner(totals, TOTALS_ENDED_PID);
	totals->groups++;
	return totals_owner(totals, group_pid(owner));
}

static size_t count_threads(const struct owner *owner)
{
	size_t count = 0;

	for (const struct totals_thread *thread = owner->threads; thread; thread = thread->next)
		count++;
	return count;
}

struct totals_thread *totals_group_thread(struct totals *totals, struct owner *group,
					  uint32_t comm_id)
{
	if (!comm_id || group->pid == TOTALS_ENDED_PID ||
	    (!idmap_get(&totals->threads, totals_thread_key(group->pid, comm_id)) &&
	     count_threads(group) >= TOTALS_GROUP_OWNERS))
		return totals_folded(totals, group);
	return totals_thread(totals, group->pid, comm_id);
}

size_t totals_group_owners(const struct totals *totals, uint32_t pid, uint32_t *owners, size_t max)
{
	const struct owner *group = idmap_get(&totals->owners, pid);
	size_t count = 0;

	for (const struct totals_thread *thread = group ? group->threads : NULL; thread;
	     thread = thread->next)
		if (count++ < max)
			owners[count - 1] = thread->tid;
	return count;
}

void totals_label_group(struct owner *group, const struct totals_label *label, uint64_t processes)
{
	if (!group->folded_processes)
		group->label = *label;
	if (group->label.parent_pid != label->parent_pid)
		group->label.parent_pid = 0;
	if (group->label.comm_id != label->comm_id)
		group->label.comm_id = label->name_id;
	group->label.ns_pid = 0;
	if (group->pid == TOTALS_ENDED_PID)
		group->label = (struct totals_label){ 0 };
	group->folded_processes += processes;
}

static void fold_owner(struct totals *totals, struct owner *owner)
{
	struct owner *group = group_of(totals, owner);
	struct totals_thread *into = totals_group_thread(totals, group, owner->label.comm_id);

	for (struct totals_thread *thread = owner->threads; thread; thread = thread->next) {
		merge_thread(totals, into, thread);
		totals_unlink_of_all(totals, thread);
		if (thread != owner->folded)
			idmap_remove(&totals->threads, totals_thread_key(owner->pid, thread->tid));
	}
	owner_sum_merge(group, owner);
	totals_label_group(group, &owner->label, 1);
	totals_unlink_ended(totals, owner);
	idmap_remove(&totals->owners, owner->pid);
	totals_free_owner(totals, owner);
}

/*
 * Examines the oldest ended processes and folds those with at most the average number of calls. So
 * busy processes keep an entry of their own.
 */
static void fold_processes(struct totals *totals)
{
	struct owner *owner = totals->first_ended, *next;
	uint64_t calls[FOLD_PROCESSES], sum = 0;
	size_t count = 0, with_calls = 0;

	for (; owner && count < FOLD_PROCESSES; owner = owner->next_ended) {
		sum += calls[count] = owner_calls(owner);
		with_calls += calls[count++] != 0;
	}
	owner = totals->first_ended;
	for (size_t i = 0; i < count; i++, owner = next) {
		next = owner->next_ended;
		/* An entry without calls reports the end of a process whose sums were taken. */
		if (calls[i] && calls[i] <= sum / with_calls)
			fold_owner(totals, owner);
	}
}

void totals_end_process(struct totals *totals, uint32_t pid, const struct totals_label *label)
{
	struct owner *owner = totals_is_group(pid) ? NULL : totals_owner(totals, pid);

	if (!owner || owner->ended)
		return;
	for (struct totals_thread *thread = owner->threads; thread; thread = thread->next)
		mark_ended(totals, thread);
	fold_if_many(totals, owner);
	if (label)
		owner->label = *label;
	owner->ended = true;
	owner->prev_ended = totals->last_ended;
	*(totals->last_ended ? &totals->last_ended->next_ended : &totals->first_ended) = owner;
	totals->last_ended = owner;
	if (++totals->ended > TOTALS_ENDED_PROCESSES)
		fold_processes(totals);
}

size_t totals_ended(const struct totals *totals)
{
	return totals->ended;
}

/* Count the ended processes of each name; a count is stored as a pointer, never 0. */
static void count_names(const struct totals *totals, struct idmap *names)
{
	for (struct owner *owner = totals->first_ended; owner; owner = owner->next_ended) {
		uintptr_t count = (uintptr_t)idmap_get(names, owner->label.name_id);

		idmap_put(names, owner->label.name_id, (void *)(count + 1));
	}
}

/* True if a process must share the entry of its name. */
static bool is_one_of_many(const struct totals *totals, const struct owner *owner,
			   const struct idmap *names, size_t per_name)
{
	uint32_t name_id = owner->label.name_id;

	/* Rows without a name differ only in their pid. */
	if (!name_id && per_name > TOTALS_ENDED_NAMELESS)
		per_name = TOTALS_ENDED_NAMELESS;
	return per_name != SIZE_MAX && (idmap_get(&totals->owners, group_pid(owner)) ||
					(uintptr_t)idmap_get(names, name_id) > per_name);
}

void totals_fold(struct totals *totals, size_t per_name, size_t most, uint32_t spared)
{
	struct idmap names = IDMAP_INIT;
	struct owner *owner = totals->first_ended, *next;

	if (!owner)
		return;
	count_names(totals, &names);
	for (; owner; owner = next) {
		next = owner->next_ended;
		if (owner->pid == spared)
			continue;
		if (totals->ended > most || is_one_of_many(totals, owner, &names, per_name))
			fold_owner(totals, owner);
	}
	idmap_release(&names);
}
