#include "engine/model/prefetch_queue.h"

#include <sys/syscall.h>

/*
 * Steps of a record: look up task and totals of the thread, load them, then the slot of the cell,
 * the cell, the bucket. A step needs the memory that the previous step loaded. A record takes about
 * 50 ns and a memory access 100 ns, so there are STEP_RECORDS records between two steps.
 */
#define STEP_RECORDS 3
#define STEPS 5
/* Totals with fewer cells fit into the caches. */
#define CELLS_FEW 1024

_Static_assert((STEPS - 1) * STEP_RECORDS < PREFETCH_QUEUE_DEPTH, "the last step is in time");

void prefetch_queue_init(struct prefetch_queue *prefetch_queue, struct model *model)
{
	prefetch_queue->model = model;
	prefetch_queue->first = prefetch_queue->end = 0;
}

static struct prefetch_queue_entry *entry_of(struct prefetch_queue *prefetch_queue, uint64_t number)
{
	return &prefetch_queue->entries[number & (PREFETCH_QUEUE_DEPTH - 1)];
}

static uint32_t nr_of(const struct record *record)
{
	switch (record->kind) {
	case RECORD_ENTER:
		return record->enter.nr;
	case RECORD_EXIT:
		return record->exit.nr;
	default:
		return record->call.nr;
	}
}

/* An execve can end threads, so prefetched pointers would be invalid. */
static bool is_execve(uint32_t nr)
{
	return nr == SYS_execve || nr == SYS_execveat;
}

static bool may_wait(const struct record *record)
{
	switch (record->kind) {
	case RECORD_ENTER:
		return !record->enter.bytes.len && !is_execve(record->enter.nr);
	case RECORD_CALL:
		return !record->call.bytes.len && !is_execve(record->call.nr);
	case RECORD_EXIT:
		return !is_execve(record->exit.nr);
	default:
		return false;
	}
}

/* Return the time of the enter that matches an exit, from the queue or the model; 0: unknown. */
static uint64_t entered_ns(struct prefetch_queue *prefetch_queue, uint64_t number)
{
	uint32_t tid = entry_of(prefetch_queue, number)->record.tid;
	const struct task *task;

	for (uint64_t i = number; i-- > prefetch_queue->first;) {
		const struct record *record = &entry_of(prefetch_queue, i)->record;

		if (record->tid == tid && record->kind == RECORD_ENTER)
			return record->time_ns;
	}
	task = tasks_find(model_tasks(prefetch_queue->model), tid);
	return task && task->in_call ? task->entered_ns : 0;
}

static void foresee_bucket(struct prefetch_queue *prefetch_queue, uint64_t number)
{
	struct prefetch_queue_entry *entry = entry_of(prefetch_queue, number);
	const struct record *record = &entry->record;
	uint64_t dur_ns;

	if (!entry->all.cell && !entry->matched.cell)
		return;
	if (record->kind == RECORD_CALL) {
		dur_ns = record->call.dur_ns;
	} else {
		uint64_t from_ns = entered_ns(prefetch_queue, number);

		if (!from_ns || from_ns > record->time_ns)
			return;
		dur_ns = record->time_ns - from_ns;
	}
	totals_foresee_duration(&entry->all, dur_ns);
	totals_foresee_duration(&entry->matched, dur_ns);
}

static void find(const struct prefetch_queue *prefetch_queue, const struct record *record)
{
	const struct totals *all = model_totals_all(prefetch_queue->model);
	const struct totals *matched = model_totals(prefetch_queue->model);

	tasks_foresee(model_tasks(prefetch_queue->model), record->tid);
	if (record->kind == RECORD_ENTER)
		return;
	totals_foresee_thread(all, record->pid, record->tid);
	if (matched != all)
		totals_foresee_thread(matched, record->pid, record->tid);
}

static void foresee_task(const struct prefetch_queue *prefetch_queue,
			 struct prefetch_queue_entry *entry)
{
	const struct totals *all = model_totals_all(prefetch_queue->model);
	const struct totals *matched = model_totals(prefetch_queue->model);
	const struct record *record = &entry->record;

	tasks_foresee_task(model_tasks(prefetch_queue->model), record->tid,
			   record->kind != RECORD_CALL);
	if (record->kind == RECORD_ENTER)
		return;
	totals_foresee_cells(all, &entry->all, record->pid, record->tid);
	if (matched != all)
		totals_foresee_cells(matched, &entry->matched, record->pid, record->tid);
}

/* A RECORD_ENTER changes no totals: all.thread and matched.thread of its entry are NULL. */
static void foresee_slot(struct prefetch_queue_entry *entry)
{
	if (entry->all.thread)
		totals_foresee_slot(&entry->all, nr_of(&entry->record));
	if (entry->matched.thread)
		totals_foresee_slot(&entry->matched, nr_of(&entry->record));
}

static void foresee_cell(struct prefetch_queue_entry *entry)
{
	if (entry->all.thread)
		totals_foresee_cell(&entry->all, nr_of(&entry->record));
	if (entry->matched.thread)
		totals_foresee_cell(&entry->matched, nr_of(&entry->record));
}

static void feed_first(struct prefetch_queue *prefetch_queue)
{
	model_feed(prefetch_queue->model, &entry_of(prefetch_queue, prefetch_queue->first)->record);
	prefetch_queue->first++;
}

void prefetch_queue_flush(struct prefetch_queue *prefetch_queue)
{
	while (prefetch_queue->first < prefetch_queue->end)
		feed_first(prefetch_queue);
}

void prefetch_queue_feed(struct prefetch_queue *prefetch_queue, const struct record *record)
{
	struct prefetch_queue_entry *entry;
	uint64_t number, waiting;

	if (!may_wait(record) ||
	    totals_cells(model_totals_all(prefetch_queue->model)) < CELLS_FEW) {
		prefetch_queue_flush(prefetch_queue);
		model_feed(prefetch_queue->model, record);
		return;
	}
	if (prefetch_queue->end - prefetch_queue->first == PREFETCH_QUEUE_DEPTH)
		feed_first(prefetch_queue);
	number = prefetch_queue->end++;
	entry = entry_of(prefetch_queue, number);
	entry->record = *record;
	entry->all = entry->matched = (struct totals_foresee){ NULL, NULL };
	find(prefetch_queue, record);
	waiting = number - prefetch_queue->first;
	if (waiting >= STEP_RECORDS)
		foresee_task(prefetch_queue, entry_of(prefetch_queue, number - STEP_RECORDS));
	if (waiting >= 2 * STEP_RECORDS)
		foresee_slot(entry_of(prefetch_queue, number - 2 * STEP_RECORDS));
	if (waiting >= 3 * STEP_RECORDS)
		foresee_cell(entry_of(prefetch_queue, number - 3 * STEP_RECORDS));
	if (waiting >= 4 * STEP_RECORDS)
		foresee_bucket(prefetch_queue, number - 4 * STEP_RECORDS);
}
