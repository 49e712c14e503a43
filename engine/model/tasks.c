#include "engine/model/tasks.h"

#include "engine/base/idmap.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define NAME_BYTES 16
/* Programs may rename themselves without end; what comes after has no name. */
#define NAMES_MAX (1u << 20)

struct name {
	char text[NAME_BYTES];
};

struct tasks {
	struct idmap by_tid;
	struct idmap by_pid;
	uint32_t generation;
	/* Oldest first. */
	struct task *first_ended, *last_ended;
	size_t ended;
	struct process *first_ended_process, *last_ended_process;
	size_t ended_processes;

	struct name *names; /* [0] is empty */
	size_t name_count, name_cap;
	uint32_t *name_slots; /* ids by hash, linear probing; 0: free */
	size_t name_slot_count;
	uint64_t name_seed; /* names are chosen by others: no collisions on purpose */
};

struct tasks *tasks_new(void)
{
	struct tasks *tasks = mem_zalloc(1, sizeof(*tasks));

	tasks->names = mem_grow(tasks->names, &tasks->name_cap, 1, sizeof(*tasks->names));
	memset(&tasks->names[0], 0, sizeof(tasks->names[0]));
	tasks->name_count = 1;
	tasks->name_slot_count = 256;
	tasks->name_slots = mem_zalloc(tasks->name_slot_count, sizeof(*tasks->name_slots));
	if (getrandom(&tasks->name_seed, sizeof(tasks->name_seed), GRND_NONBLOCK) < 0)
		tasks->name_seed = (uintptr_t)tasks;
	return tasks;
}

void tasks_free(struct tasks *tasks)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	if (!tasks)
		return;
	while ((slot = idmap_next(&tasks->by_tid, &cursor)))
		free(slot->value);
	cursor = 0;
	while ((slot = idmap_next(&tasks->by_pid, &cursor)))
		free(slot->value);
	idmap_release(&tasks->by_tid);
	idmap_release(&tasks->by_pid);
	free(tasks->names);
	free(tasks->name_slots);
	free(tasks);
}

/* -- Names --------------------------------------------------------------- */

static uint32_t name_hash(const struct tasks *tasks, const struct name *name)
{
	uint64_t hash = tasks->name_seed;
	uint64_t words[2];

	memcpy(words, name->text, sizeof(words));
	for (size_t i = 0; i < 2; i++) {
		hash = (hash ^ words[i]) * 0xff51afd7ed558ccdULL;
		hash ^= hash >> 32;
	}
	return (uint32_t)(hash * 0x9e3779b97f4a7c15ULL >> 32);
}

static uint32_t *name_slot(const struct tasks *tasks, const struct name *name)
{
	size_t mask = tasks->name_slot_count - 1;

	for (size_t i = name_hash(tasks, name) & mask;; i = (i + 1) & mask) {
		uint32_t *slot = &tasks->name_slots[i];

		if (!*slot || !memcmp(&tasks->names[*slot], name, sizeof(*name)))
			return slot;
	}
}

static void grow_name_slots(struct tasks *tasks)
{
	free(tasks->name_slots);
	tasks->name_slot_count *= 2;
	tasks->name_slots = mem_zalloc(tasks->name_slot_count, sizeof(*tasks->name_slots));
	for (uint32_t id = 1; id < tasks->name_count; id++)
		*name_slot(tasks, &tasks->names[id]) = id;
}

uint32_t tasks_name_id(struct tasks *tasks, const char *comm)
{
	struct name name = { .text = "" };
	uint32_t *slot;

	memcpy(name.text, comm, strnlen(comm, NAME_BYTES - 1));
	if (!name.text[0])
		return 0;
	slot = name_slot(tasks, &name);
	if (*slot)
		return *slot;
	if (tasks->name_count >= NAMES_MAX)
		return 0;
	if (tasks->name_count * 2 >= tasks->name_slot_count) {
		grow_name_slots(tasks);
		slot = name_slot(tasks, &name);
	}
	tasks->names = mem_grow(tasks->names, &tasks->name_cap, tasks->name_count + 1,
				sizeof(*tasks->names));
	tasks->names[tasks->name_count] = name;
	*slot = (uint32_t)tasks->name_count++;
	return *slot;
}

const char *tasks_name(const struct tasks *tasks, uint32_t id)
{
	return tasks->names[id < tasks->name_count ? id : 0].text;
}

/* -- Lists of what ended --------------------------------------------------- */

static void unlink_ended(struct tasks *tasks, struct task *task)
{
	if (!task->ended)
		return;
	*(task->prev_ended ? &task->prev_ended->next_ended : &tasks->first_ended) =
		task->next_ended;
	*(task->next_ended ? &task->next_ended->prev_ended : &tasks->last_ended) =
		task->prev_ended;
	task->prev_ended = task->next_ended = NULL;
	task->ended = false;
	tasks->ended--;
}

static void link_ended(struct tasks *tasks, struct task *task)
{
	task->ended = true;
	task->prev_ended = tasks->last_ended;
	*(tasks->last_ended ? &tasks->last_ended->next_ended : &tasks->first_ended) = task;
	tasks->last_ended = task;
	tasks->ended++;
}

static void unlink_ended_process(struct tasks *tasks, struct process *process)
{
	if (!process->ended)
		return;
	*(process->prev_ended ? &process->prev_ended->next_ended
			      : &tasks->first_ended_process) = process->next_ended;
	*(process->next_ended ? &process->next_ended->prev_ended
			      : &tasks->last_ended_process) = process->prev_ended;
	process->prev_ended = process->next_ended = NULL;
	process->ended = false;
	tasks->ended_processes--;
}

static void link_ended_process(struct tasks *tasks, struct process *process)
{
	if (process->ended)
		return;
	process->ended = true;
	process->prev_ended = tasks->last_ended_process;
	*(tasks->last_ended_process ? &tasks->last_ended_process->next_ended
				    : &tasks->first_ended_process) = process;
	tasks->last_ended_process = process;
	tasks->ended_processes++;
}

/* -- Processes --------------------------------------------------------------- */

struct process *tasks_process(const struct tasks *tasks, uint32_t pid)
{
	return idmap_get(&tasks->by_pid, pid);
}

static struct process *get_process(struct tasks *tasks, uint32_t pid)
{
	struct process *process = tasks_process(tasks, pid);

	if (process)
		return process;
	process = mem_zalloc(1, sizeof(*process));
	process->pid = pid;
	process->generation = ++tasks->generation;
	idmap_put(&tasks->by_pid, pid, process);
	return process;
}

/* The number now means another process. */
static void renew_process(struct tasks *tasks, struct process *process)
{
	unlink_ended_process(tasks, process);
	process->parent_pid = 0;
	process->comm_id = 0;
	process->generation = ++tasks->generation;
}

struct process *tasks_make_process(struct tasks *tasks, uint32_t pid, const char *comm)
{
	struct process *process = get_process(tasks, pid);

	process->comm_id = tasks_name_id(tasks, comm);
	if (!process->threads)
		link_ended_process(tasks, process);
	return process;
}

size_t tasks_ended_processes(const struct tasks *tasks)
{
	return tasks->ended_processes;
}

void tasks_forget_processes(struct tasks *tasks, tasks_keep_fn *keep, void *ctx)
{
	struct process *process = tasks->first_ended_process, *next;

	for (; process; process = next) {
		next = process->next_ended;
		if (process->tasks || keep(ctx, process))
			continue;
		unlink_ended_process(tasks, process);
		idmap_remove(&tasks->by_pid, process->pid);
		free(process);
	}
}

/* -- Tasks --------------------------------------------------------------- */

struct task *tasks_find(const struct tasks *tasks, uint32_t tid)
{
	return idmap_get(&tasks->by_tid, tid);
}

static void join_process(struct tasks *tasks, struct task *task, struct process *process)
{
	unlink_ended_process(tasks, process);
	process->threads++;
	process->tasks++;
	task->process = process;
	if (!task->comm_id)
		task->comm_id = process->comm_id;
}

/* The task is no longer among its process's living threads. */
static void leave_process(struct tasks *tasks, struct process *process)
{
	if (process->threads)
		process->threads--;
	if (!process->threads)
		link_ended_process(tasks, process);
}

/* A blank task for this tid: new, or what another one left. */
static struct task *blank_task(struct tasks *tasks, uint32_t tid)
{
	struct task *task = tasks_find(tasks, tid);

	if (task) {
		struct process *process = task->process;

		process->tasks--;
		if (task->ended)
			unlink_ended(tasks, task);
		else
			leave_process(tasks, process);
		memset(task, 0, sizeof(*task));
	} else {
		task = mem_zalloc(1, sizeof(*task));
		idmap_put(&tasks->by_tid, tid, task);
	}
	task->tid = tid;
	return task;
}

struct task *tasks_get(struct tasks *tasks, uint32_t pid, uint32_t tid)
{
	struct task *task = tasks_find(tasks, tid);
	struct process *process;

	if (task && !task->ended) {
		process = task->process;
		if (!pid || process->pid == pid)
			return task;
		if (!process->pid) {
			/* Its process was not known until now. */
			process->tasks--;
			leave_process(tasks, process);
			join_process(tasks, task, get_process(tasks, pid));
			task->call.pid = pid;
			return task;
		}
	}
	task = blank_task(tasks, tid);
	process = get_process(tasks, pid);
	/* A leader that starts again in a process that ended: the pid was used again. */
	if (process->ended && pid == tid)
		renew_process(tasks, process);
	join_process(tasks, task, process);
	return task;
}

struct task *tasks_fork(struct tasks *tasks, uint32_t parent_tid, uint32_t pid, uint32_t tid)
{
	const struct task *parent = tasks_find(tasks, parent_tid);
	struct process *process = tasks_process(tasks, pid);
	/* Taken first: a record may claim that a thread is its own parent. */
	uint32_t comm_id = parent ? parent->comm_id : 0;
	uint32_t parent_pid = parent ? parent->process->pid : 0;
	struct task *task = blank_task(tasks, tid);

	if (process && pid == tid)
		renew_process(tasks, process);
	process = get_process(tasks, pid);
	task->comm_id = comm_id;
	if (pid == tid) {
		process->comm_id = comm_id;
		process->parent_pid = parent_pid;
	}
	join_process(tasks, task, process);
	return task;
}

/* The older half, so that this is seldom. */
static void forget_tasks(struct tasks *tasks)
{
	while (tasks->ended > TASKS_ENDED_MAX / 2) {
		struct task *task = tasks->first_ended;

		unlink_ended(tasks, task);
		task->process->tasks--;
		idmap_remove(&tasks->by_tid, task->tid);
		free(task);
	}
}

void tasks_end(struct tasks *tasks, struct task *task)
{
	if (task->ended)
		return;
	if (tasks->ended >= TASKS_ENDED_MAX)
		forget_tasks(tasks);
	link_ended(tasks, task);
	leave_process(tasks, task->process);
}

void tasks_rename(struct tasks *tasks, struct task *task, const char *comm)
{
	task->comm_id = tasks_name_id(tasks, comm);
	if (task->in_call && !task->call.comm_id)
		task->call.comm_id = task->comm_id;
	if (task->tid == task->process->pid || !task->process->comm_id)
		task->process->comm_id = task->comm_id;
}

void tasks_exec(struct tasks *tasks, struct task *task)
{
	task->process->generation = ++tasks->generation;
	memset(task->memory, 0, sizeof(task->memory));
}

void tasks_call_at(const struct task *task, uint64_t now_ns, struct call *call)
{
	uint64_t waited;

	*call = task->call;
	if (now_ns < call->enter_ns)
		now_ns = call->enter_ns;
	call->dur_ns = (int64_t)(now_ns - call->enter_ns);
	waited = now_ns > task->wait_since_ns ? now_ns - task->wait_since_ns : 0;
	if (task->wait == TASK_BLOCKED)
		call->blocked_ns += waited;
	else if (task->wait == TASK_RUNNABLE)
		call->runnable_ns += waited;
}

void tasks_each(const struct tasks *tasks, tasks_each_fn *each, void *ctx)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&tasks->by_tid, &cursor)))
		each(ctx, slot->value);
}
