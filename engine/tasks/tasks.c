#include "engine/tasks/tasks.h"

#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/tasks/comm_history.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct tasks {
	struct idmap by_tid;
	struct task *all; /* living tasks, newest first */
	struct tasks_walk *walks;
	struct idmap by_pid;
	uint32_t generation;
	/* Oldest first. */
	struct task *first_ended, *last_ended;
	size_t ended;
	struct process *first_ended_process, *last_ended_process;
	size_t ended_processes;
	struct ended_process *ends; /* queue; [ends_taken, end_count) are not taken yet */
	size_t ends_taken, end_count, end_cap;

	struct identity_table *identity;
	uint32_t kept_turn; /* identity_turn() when the identities in use were last kept */
	struct comm_history former;
	uint64_t now_ns;
};

_Static_assert(offsetof(struct task, call) == 64, "a cache line for what every call needs");

struct tasks *tasks_new(void)
{
	struct tasks *tasks = mem_zalloc(1, sizeof(*tasks));

	tasks->identity = identity_new();
	comm_history_init(&tasks->former);
	return tasks;
}

static void release_all(struct tasks *tasks)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&tasks->by_tid, &cursor)))
		free(slot->value);
	cursor = 0;
	while ((slot = idmap_next(&tasks->by_pid, &cursor)))
		free(slot->value);
	idmap_release(&tasks->by_tid);
	idmap_release(&tasks->by_pid);
}

void tasks_free(struct tasks *tasks)
{
	if (!tasks)
		return;
	release_all(tasks);
	free(tasks->ends);
	identity_free(tasks->identity);
	comm_history_release(&tasks->former);
	free(tasks);
}

void tasks_clear(struct tasks *tasks)
{
	struct identity_table *identity = tasks->identity;
	uint32_t kept_turn = tasks->kept_turn;
	struct tasks_walk *walks = tasks->walks;
	struct comm_history former = tasks->former;

	release_all(tasks);
	free(tasks->ends);
	memset(tasks, 0, sizeof(*tasks));
	tasks->identity = identity;
	tasks->kept_turn = kept_turn;
	tasks->walks = walks;
	tasks->former = former;
	comm_history_clear(&tasks->former);
	for (struct tasks_walk *walk = walks; walk; walk = walk->others)
		walk->next = NULL;
}

/* -- Comms --------------------------------------------------------------- */

/* Keep the identities of all tasks and processes, once in each turn of the table. */
static void keep_identities(struct tasks *tasks)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	if (__builtin_expect(identity_turn(tasks->identity) == tasks->kept_turn, 1))
		return;
	tasks->kept_turn = identity_turn(tasks->identity);
	while ((slot = idmap_next(&tasks->by_tid, &cursor))) {
		const struct task *task = slot->value;

		identity_keep(tasks->identity, task->comm_id);
		identity_keep(tasks->identity, task->call.comm_id);
	}
	cursor = 0;
	while ((slot = idmap_next(&tasks->by_pid, &cursor)))
		identity_keep(tasks->identity, ((const struct process *)slot->value)->comm_id);
}

uint32_t tasks_name_id(struct tasks *tasks, const char *comm)
{
	uint32_t id = identity_id(tasks->identity, comm);

	keep_identities(tasks);
	return id;
}

void tasks_keep_identity(struct tasks *tasks, uint32_t id)
{
	identity_keep(tasks->identity, id);
}

const char *tasks_name(const struct tasks *tasks, uint32_t id)
{
	return identity_name(tasks->identity, id);
}

const struct identity_table *tasks_identity(const struct tasks *tasks)
{
	return tasks->identity;
}

/* Add the current comm of a tid, or the fact that the tid was unknown, to the comm history. */
static void leave_name(struct tasks *tasks, uint32_t tid)
{
	const struct task *task = tasks_find(tasks, tid);

	comm_history_add(&tasks->former, tid, task ? task->process->pid : 0,
			 task ? task->comm_id : 0, tasks->now_ns);
}

void tasks_set_time(struct tasks *tasks, uint64_t now_ns)
{
	tasks->now_ns = now_ns;
}

void tasks_note_waker(struct tasks *tasks, uint32_t tid)
{
	comm_history_want(&tasks->former, tid);
}

bool tasks_name_at(const struct tasks *tasks, uint32_t tid, uint64_t time_ns, uint32_t *pid,
		   uint32_t *comm_id)
{
	const struct comm_history_entry *former = comm_history_find(&tasks->former, tid, time_ns);
	const struct task *task = former ? NULL : tasks_find(tasks, tid);

	*pid = former ? former->pid : task ? task->process->pid : 0;
	*comm_id = former ? former->comm_id : task ? task->comm_id : 0;
	return *pid || *comm_id;
}

/* -- Lists of ended tasks and processes ------------------------------------ */

static void unlink_ended(struct tasks *tasks, struct task *task)
{
	if (!task->ended)
		return;
	*(task->prev_ended ? &task->prev_ended->next_ended
			   : &tasks->first_ended) = task->next_ended;
	*(task->next_ended ? &task->next_ended->prev_ended : &tasks->last_ended) = task->prev_ended;
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
	tasks_note_end(tasks, process->pid, process->comm_id);
}

void tasks_note_end(struct tasks *tasks, uint32_t pid, uint32_t comm_id)
{
	/* A recount passes many calls of one process in a row: queue its end once. */
	if (tasks->end_count > tasks->ends_taken && tasks->ends[tasks->end_count - 1].pid == pid)
		return;
	tasks->ends = mem_grow(tasks->ends, &tasks->end_cap, tasks->end_count + 1,
			       sizeof(*tasks->ends));
	tasks->ends[tasks->end_count++] = (struct ended_process){ pid, comm_id };
}

bool tasks_next_end(struct tasks *tasks, struct ended_process *ended)
{
	if (tasks->ends_taken == tasks->end_count) {
		tasks->ends_taken = tasks->end_count = 0;
		return false;
	}
	*ended = tasks->ends[tasks->ends_taken++];
	return true;
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

/* Handle the reuse of the pid by another process. */
static void renew_process(struct tasks *tasks, struct process *process)
{
	unlink_ended_process(tasks, process);
	process->parent_pid = 0;
	process->comm_id = 0;
	process->kernel = false;
	process->generation = ++tasks->generation;
}

size_t tasks_ended_processes(const struct tasks *tasks)
{
	return tasks->ended_processes;
}

void tasks_forget_processes(struct tasks *tasks, size_t most)
{
	struct process *process = tasks->first_ended_process, *next;

	if (tasks->ended_processes <= most)
		return;
	for (size_t more = tasks->ended_processes - most / 2; process && more; more--) {
		next = process->next_ended;
		if (!process->tasks) {
			unlink_ended_process(tasks, process);
			idmap_remove(&tasks->by_pid, process->pid);
			free(process);
		}
		process = next;
	}
}

/* -- Tasks --------------------------------------------------------------- */

struct task *tasks_find(const struct tasks *tasks, uint32_t tid)
{
	return idmap_get(&tasks->by_tid, tid);
}

void tasks_foresee(const struct tasks *tasks, uint32_t tid)
{
	idmap_prefetch(&tasks->by_tid, tid);
}

void tasks_foresee_task(const struct tasks *tasks, uint32_t tid, bool call)
{
	const char *task = idmap_get(&tasks->by_tid, tid);

	if (!task)
		return;
	__builtin_prefetch(task, 1);
	for (size_t line = 64; call && line < sizeof(struct call) + 64; line += 64)
		__builtin_prefetch(task + line, 1);
}

static void join_process(struct tasks *tasks, struct task *task, struct process *process)
{
	unlink_ended_process(tasks, process);
	process->threads++;
	process->tasks++;
	task->process = process;
	if (!*tasks_name(tasks, task->comm_id))
		task->comm_id = process->comm_id;
}

/* Remove one thread from the count of living threads; end the process if it was the last. */
static void leave_process(struct tasks *tasks, struct process *process)
{
	if (process->threads)
		process->threads--;
	if (!process->threads)
		link_ended_process(tasks, process);
}

static void link_of_all(struct tasks *tasks, struct task *task)
{
	task->next_of_all = tasks->all;
	if (tasks->all)
		tasks->all->prev_of_all = task;
	tasks->all = task;
}

static void unlink_of_all(struct tasks *tasks, struct task *task)
{
	for (struct tasks_walk *walk = tasks->walks; walk; walk = walk->others)
		if (walk->next == task)
			walk->next = task->next_of_all;
	*(task->prev_of_all ? &task->prev_of_all->next_of_all : &tasks->all) = task->next_of_all;
	if (task->next_of_all)
		task->next_of_all->prev_of_all = task->prev_of_all;
	task->prev_of_all = task->next_of_all = NULL;
}

/* Return a zeroed task for this tid: a new one, or the object of an earlier thread. */
static struct task *blank_task(struct tasks *tasks, uint32_t tid)
{
	struct task *task = tasks_find(tasks, tid);

	leave_name(tasks, tid);
	if (task) {
		struct process *process = task->process;

		process->tasks--;
		if (task->ended) {
			unlink_ended(tasks, task);
		} else {
			leave_process(tasks, process);
			unlink_of_all(tasks, task);
		}
	} else {
		task = mem_alloc_lines(sizeof(*task));
		idmap_put(&tasks->by_tid, tid, task);
	}
	memset(task, 0, sizeof(*task));
	link_of_all(tasks, task);
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
			/* The pid of the thread was unknown until now. */
			leave_name(tasks, tid);
			process->tasks--;
			leave_process(tasks, process);
			join_process(tasks, task, get_process(tasks, pid));
			task->call.pid = pid;
			return task;
		}
	}
	task = blank_task(tasks, tid);
	process = get_process(tasks, pid);
	/* A leader that starts in an ended process: the pid was reused. */
	if (process->ended && pid == tid)
		renew_process(tasks, process);
	join_process(tasks, task, process);
	return task;
}

struct task *tasks_fork(struct tasks *tasks, uint32_t parent_tid, uint32_t pid, uint32_t tid)
{
	const struct task *parent = tasks_find(tasks, parent_tid);
	struct process *process = tasks_process(tasks, pid);
	/* Copy before blank_task(): a malformed record can name a thread as its own parent. */
	uint32_t comm_id = parent ? parent->comm_id : 0;
	uint32_t parent_pid = parent ? parent->process->pid : 0;
	bool kernel = parent && parent->process->kernel;
	struct task *task = blank_task(tasks, tid);

	if (process && pid == tid)
		renew_process(tasks, process);
	process = get_process(tasks, pid);
	task->comm_id = comm_id;
	if (pid == tid) {
		process->comm_id = comm_id;
		process->parent_pid = parent_pid;
		process->kernel = kernel;
	}
	join_process(tasks, task, process);
	return task;
}

/* Frees the older half at once, so that calls are rare. */
static void forget_tasks(struct tasks *tasks)
{
	while (tasks->ended > TASKS_ENDED_MAX / 2) {
		struct task *task = tasks->first_ended;

		leave_name(tasks, task->tid);
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
	unlink_of_all(tasks, task);
	link_ended(tasks, task);
	leave_process(tasks, task->process);
}

void tasks_rename(struct tasks *tasks, struct task *task, const char *comm)
{
	uint32_t comm_id = identity_renamed(tasks->identity, task->comm_id, comm);

	if (comm_id != task->comm_id)
		leave_name(tasks, task->tid);
	task->comm_id = comm_id;
	keep_identities(tasks);
	if (task->in_call && !*tasks_name(tasks, task->call.comm_id))
		task->call.comm_id = task->comm_id;
	if (task->tid == task->process->pid || !*tasks_name(tasks, task->process->comm_id))
		task->process->comm_id = task->comm_id;
}

void tasks_own(struct tasks *tasks, struct task *task, uint32_t uid, const char *cgroup,
	       uint32_t ns_pid)
{
	task->process->ns_pid = ns_pid;
	task->comm_id = identity_owned(tasks->identity, task->comm_id, uid, cgroup);
	keep_identities(tasks);
	if (task->in_call && identity_uid(tasks->identity, task->call.comm_id) == USERS_UNKNOWN)
		task->call.comm_id = task->comm_id;
	if (task->tid == task->process->pid)
		task->process->comm_id = task->comm_id;
}

void tasks_exec(struct tasks *tasks, struct task *task)
{
	task->process->generation = ++tasks->generation;
	task->process->kernel = false;
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
	/* The thread runs or waits for a CPU: the state from a switch or /proc is out of date. */
	if (task->wait == TASK_RUNNABLE ||
	    (task->wait == TASK_RUNNING && !(call->flags & CALL_SEEDED)))
		call->thread_state = call_waits_are_known(call) ? THREAD_RUNNABLE
								: THREAD_STATE_UNKNOWN;
}

void tasks_each(const struct tasks *tasks, tasks_each_fn *each, void *ctx)
{
	for (struct task *task = tasks->all; task; task = task->next_of_all)
		each(ctx, task);
	for (struct task *task = tasks->first_ended; task; task = task->next_ended)
		each(ctx, task);
}

void tasks_walk_begin(struct tasks_walk *walk, struct tasks *tasks)
{
	*walk = (struct tasks_walk){
		.tasks = tasks,
		.next = tasks->all,
		.others = tasks->walks,
	};
	tasks->walks = walk;
}

bool tasks_walk_step(struct tasks_walk *walk, size_t count, tasks_each_fn *each, void *ctx)
{
	for (; walk->next && count; count--) {
		struct task *task = walk->next;

		walk->next = task->next_of_all;
		each(ctx, task);
	}
	if (!walk->next)
		tasks_walk_end(walk);
	return walk->next;
}

void tasks_walk_end(struct tasks_walk *walk)
{
	struct tasks_walk **link;

	if (!walk->tasks)
		return;
	for (link = &walk->tasks->walks; *link != walk; link = &(*link)->others)
		continue;
	*link = walk->others;
	walk->tasks = NULL;
	walk->next = NULL;
}

void tasks_bytes(const struct tasks *tasks, size_t *of_tasks, size_t *of_names)
{
	*of_tasks = idmap_bytes(&tasks->by_tid) + tasks->by_tid.count * sizeof(struct task) +
		    idmap_bytes(&tasks->by_pid) + tasks->by_pid.count * sizeof(struct process);
	*of_names = identity_bytes(tasks->identity) + idmap_bytes(&tasks->former.last) +
		    (tasks->former.ring ? COMM_HISTORY_MAX * sizeof(*tasks->former.ring) : 0);
}
