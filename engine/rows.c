#include "engine/rows.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/base/users.h"
#include "engine/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Thread ids are below 1 << 22 (PID_MAX_LIMIT), numbers of calls below 1 << TID_SHIFT. */
#define TID_SHIFT 12
#define PID_SHIFT 36
_Static_assert(TOTALS_NR_OTHER < 1 << TID_SHIFT, "a number of a call fits its part of the key");

/* Of looking for parents, in one hold of the lock. */
#define PARENTS_ROWS 2048
static const char not_known[] = "(not known)";
/* Of the lock; how long a cell takes depends on whether it is in a cache. */
#define HOLD_NS (200 * NS_PER_US)
#define CELLS_PER_CLOCK 128

/* A row while it is summed up. Names are copied raw and escaped when there is time. */
struct row_sum {
	uint32_t pid, tid, nr;
	char name[64];
	struct totals_cell cell;
	double calls_per_s;
	uint32_t in_flight;
	uint64_t oldest_ns, waiting_ns;
	bool ended, bare;
	uint32_t parent_pid, threads;
	uint32_t uid;
	uint32_t who, ns_pid;
	const char *cgroup; /* the model's, which keeps it; NULL: not known */
};

struct rows {
	struct rows_query query;
	struct idmap index; /* key of the row to its place in sums, plus one */
	struct row_sum *sums;
	size_t count, cap;
	struct idmap users; /* uid plus one to its name, escaped; owned */

	/* While gathering. */
	struct totals_walk walk;
	struct tasks_walk tasks;
	bool in_tasks; /* the sums are done, those in flight come */
	size_t parents_at; /* rows whose parents have been looked for */
	/* Whose the last cell was: those of a thread come one after the other. */
	uint32_t last_pid, last_tid, last_who;
	const struct model *model;
	const struct rates *rates;
	rows_wanted_fn *wanted;
	void *wanted_ctx;
	uint64_t from_ns, now_ns;
};

struct rows *rows_new(void)
{
	struct rows *rows = mem_zalloc(1, sizeof(*rows));

	idmap_init(&rows->index);
	idmap_init(&rows->users);
	return rows;
}

static void rows_clear(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		totals_cell_release(&rows->sums[i].cell);
	rows->count = 0;
	idmap_clear(&rows->index);
}

void rows_free(struct rows *rows)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	if (!rows)
		return;
	rows_clear(rows);
	while ((slot = idmap_next(&rows->users, &cursor)))
		free(slot->value);
	idmap_release(&rows->users);
	idmap_release(&rows->index);
	free(rows->sums);
	free(rows);
}

static bool in_query(const struct rows *rows, uint32_t pid, uint32_t tid, uint32_t nr)
{
	return (!rows->query.one_nr || rows->query.nr == nr) &&
	       (!rows->query.pid || rows->query.pid == pid) &&
	       (!rows->query.tid || rows->query.tid == tid);
}

static bool of_syscalls(const struct rows_query *query)
{
	return query->kind == ROWS_SYSCALLS || query->kind == ROWS_PROCESS_SYSCALLS ||
	       query->kind == ROWS_THREAD_SYSCALLS || query->kind == ROWS_COMM_SYSCALLS;
}

static bool of_threads(const struct rows_query *query)
{
	return query->kind == ROWS_THREADS || query->kind == ROWS_THREAD_SYSCALLS;
}

static void own_row(const struct rows *rows, struct row_sum *sum, uint32_t who,
		    const struct process *process)
{
	sum->who = who;
	sum->cgroup = who_cgroup(model_who(rows->model), who);
	sum->uid = who_uid(model_who(rows->model), who);
	sum->ns_pid = process->ns_pid;
	sum->parent_pid = process->parent_pid;
	sum->threads = process->threads;
}

/* Of the thread, or of its process where it is known no more. */
static uint32_t who_of(struct rows *rows, uint32_t pid, uint32_t tid)
{
	const struct tasks *tasks = model_tasks(rows->model);
	const struct process *process;
	const struct task *task;

	if (rows->last_pid == pid && rows->last_tid == tid)
		return rows->last_who;
	rows->last_pid = pid;
	rows->last_tid = tid;
	task = tid ? tasks_find(tasks, tid) : NULL;
	process = tasks_process(tasks, pid);
	rows->last_who = task && task->process->pid == pid ? task->comm_id :
			 process ? process->comm_id : 0;
	return rows->last_who;
}

/* What is of one group has the same key. */
static uint64_t group_key(struct rows *rows, uint32_t pid, uint32_t tid)
{
	uint32_t who = who_of(rows, pid, tid);

	switch (rows->query.kind) {
	case ROWS_COMMS:
		return tasks_name_id(model_tasks(rows->model), model_name(rows->model, who));
	case ROWS_CGROUPS:
		return (uintptr_t)who_cgroup(model_who(rows->model), who);
	default:
		return who_uid(model_who(rows->model), who);
	}
}

/* The same for all processes of one name, whatever their threads are called. */
static uint32_t process_name_id(const struct rows *rows, uint32_t pid)
{
	struct tasks *tasks = model_tasks(rows->model);
	const struct process *process = tasks_process(tasks, pid);

	return process ? tasks_name_id(tasks, model_name(rows->model, process->comm_id)) : 0;
}

static void name_row(const struct rows *rows, struct row_sum *sum)
{
	const struct tasks *tasks = model_tasks(rows->model);
	const struct process *process = tasks_process(tasks, sum->pid);
	const struct task *task;
	const char *name = "";

	switch (rows->query.kind) {
	case ROWS_PROCESSES:
		sum->ended = !process || process->ended;
		if (!process)
			break;
		name = model_name(rows->model, process->comm_id);
		own_row(rows, sum, process->comm_id, process);
		break;
	case ROWS_THREADS:
		task = sum->tid ? tasks_find(tasks, sum->tid) : NULL;
		if (task && task->process->pid != sum->pid)
			task = NULL; /* the number was given to somebody else */
		sum->ended = !task || task->ended;
		if (task) {
			name = model_name(rows->model, task->comm_id);
			own_row(rows, sum, task->comm_id, task->process);
			sum->threads = 0; /* it is one */
		}
		if (sum->tid)
			break;
		/* Those that ended, and calls that are known by their process's sums alone. */
		sum->ended = !process || process->ended;
		name = sum->ended ? "(ended threads)" : "(other threads)";
		break;
	case ROWS_COMMS:
		name = model_name(rows->model, rows->last_who);
		break;
	case ROWS_CGROUPS:
		sum->cgroup = who_cgroup(model_who(rows->model), rows->last_who);
		break;
	case ROWS_USERS:
		sum->uid = who_uid(model_who(rows->model), rows->last_who);
		break;
	case ROWS_SYSCALLS:
	case ROWS_PROCESS_SYSCALLS:
	case ROWS_THREAD_SYSCALLS:
	case ROWS_COMM_SYSCALLS:
	case ROWS_COMM_PROCESSES:
	case ROWS_KIND_COUNT:
		break;
	}
	strncpy(sum->name, name, sizeof(sum->name) - 1);
}

static bool of_tasks(const struct rows_query *query)
{
	return query->kind == ROWS_PROCESSES || query->kind == ROWS_PROCESS_SYSCALLS ||
	       query->kind == ROWS_COMM_SYSCALLS || query->kind == ROWS_COMM_PROCESSES ||
	       of_threads(query);
}

static struct row_sum *add_row(struct rows *rows, uint64_t key, uint32_t pid, uint32_t tid,
			       uint32_t nr)
{
	const struct rows_query *query = &rows->query;
	struct row_sum *sum;

	rows->sums = mem_grow(rows->sums, &rows->cap, rows->count + 1, sizeof(*rows->sums));
	sum = &rows->sums[rows->count++];
	memset(sum, 0, sizeof(*sum));
	totals_cell_init(&sum->cell);
	sum->uid = USERS_UNKNOWN;
	sum->pid = of_tasks(query) ? pid : query->pid;
	sum->tid = of_threads(query) ? tid : query->tid;
	sum->nr = of_syscalls(query) ? nr : query->one_nr ? query->nr : 0;
	name_row(rows, sum);
	idmap_put(&rows->index, key, (void *)(uintptr_t)rows->count);
	return sum;
}

/* The row that a call of this thread belongs to, made if it is the first. */
static struct row_sum *row_of(struct rows *rows, uint32_t pid, uint32_t tid, uint32_t nr)
{
	uint64_t key;
	void *place;

	switch (rows->query.kind) {
	case ROWS_PROCESSES:
		key = pid;
		break;
	case ROWS_THREADS:
		key = (uint64_t)pid << 32 | tid;
		break;
	case ROWS_PROCESS_SYSCALLS:
		key = (uint64_t)pid << 32 | nr;
		break;
	case ROWS_THREAD_SYSCALLS:
		key = (uint64_t)pid << PID_SHIFT | (uint64_t)tid << TID_SHIFT | nr;
		break;
	case ROWS_COMM_SYSCALLS:
		key = (uint64_t)process_name_id(rows, pid) << TID_SHIFT | nr;
		break;
	case ROWS_COMM_PROCESSES:
		key = process_name_id(rows, pid);
		break;
	case ROWS_COMMS:
	case ROWS_CGROUPS:
	case ROWS_USERS:
		key = group_key(rows, pid, tid);
		break;
	default:
		key = nr;
		break;
	}
	place = idmap_get(&rows->index, key);
	if (place)
		return &rows->sums[(uintptr_t)place - 1];

	return add_row(rows, key, pid, tid, nr);
}

static void gather_cell(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr,
			const struct totals_cell *cell)
{
	struct rows *rows = ctx;
	struct row_sum *sum;

	if (!in_query(rows, pid, tid, nr) || !cell->calls)
		return;
	sum = row_of(rows, pid, tid, nr);
	totals_cell_merge(&sum->cell, cell);
	if (rows->rates)
		sum->calls_per_s += rates_of(rows->rates, pid, tid, nr);
}

static void gather_task(void *ctx, struct task *task)
{
	struct rows *rows = ctx;
	const struct call *call = &task->call;
	uint64_t age_ns;
	struct row_sum *sum;

	if (!task->in_call || task->ended ||
	    !in_query(rows, task->process->pid, task->tid, call->nr))
		return;
	if (rows->wanted && !rows->wanted(rows->wanted_ctx, call))
		return;
	sum = row_of(rows, task->process->pid, task->tid, call->nr);
	age_ns = rows->now_ns > call->enter_ns ? rows->now_ns - call->enter_ns : 0;
	sum->in_flight++;
	sum->waiting_ns += call->blocked_ns;
	if (task->wait == TASK_BLOCKED && rows->now_ns > task->wait_since_ns)
		sum->waiting_ns += rows->now_ns - task->wait_since_ns;
	if (age_ns > sum->oldest_ns)
		sum->oldest_ns = age_ns;
}

void rows_begin(struct rows *rows, const struct rows_query *query, const struct model *model,
		const struct rates *rates, rows_wanted_fn *wanted, void *ctx, uint64_t from_ns,
		uint64_t now_ns)
{
	rows_clear(rows);
	rows->query = *query;
	rows->model = model;
	rows->rates = rates;
	rows->wanted = wanted;
	rows->wanted_ctx = ctx;
	rows->from_ns = from_ns;
	rows->now_ns = now_ns;
	rows->in_tasks = false;
	rows->parents_at = 0;
	rows->last_pid = UINT32_MAX;
	totals_walk_begin(&rows->walk, model_totals(model));
}

/* Those that are added have parents too: they are looked at in their turn. */
static bool add_parents(struct rows *rows)
{
	const struct tasks *tasks = model_tasks(rows->model);
	size_t until = rows->parents_at + PARENTS_ROWS;

	for (; rows->parents_at < rows->count && rows->parents_at < until; rows->parents_at++) {
		uint32_t parent = rows->sums[rows->parents_at].parent_pid;

		if (parent && !idmap_get(&rows->index, parent) && tasks_process(tasks, parent))
			add_row(rows, parent, parent, 0, 0)->bare = true;
	}
	return rows->parents_at < rows->count;
}

static bool gather_cells(struct rows *rows)
{
	uint64_t until_ns = clock_now_ns() + HOLD_NS;

	do {
		if (!totals_walk_step(&rows->walk, CELLS_PER_CLOCK, gather_cell, rows))
			return false;
	} while (clock_now_ns() < until_ns);
	return true;
}

bool rows_gather(struct rows *rows)
{
	if (rows->in_tasks) {
		if (rows->tasks.tasks && tasks_walk_step(&rows->tasks, TASKS_WALK_TASKS,
							 gather_task, rows))
			return true;
		return rows->query.parents && rows->query.kind == ROWS_PROCESSES &&
		       add_parents(rows);
	}
	if (gather_cells(rows))
		return true;
	totals_walk_end(&rows->walk);
	/* Sums that somebody set to zero meanwhile are not to be shown once more. */
	if (rows->walk.cleared)
		rows_clear(rows);
	rows->in_tasks = true;
	tasks_walk_begin(&rows->tasks, model_tasks(rows->model));
	return true;
}

/* As much as there is room for, cut between characters; it is escaped. */
static void copy_cut(char *out, size_t out_bytes, const struct str *text)
{
	size_t len = 0, next = 0;
	uint32_t code;

	while (next < out_bytes) {
		len = next;
		if (len == text->len)
			break;
		next += utf8_decode(text->data + len, text->len - len, &code);
	}
	memcpy(out, text->data, len);
	out[len] = '\0';
}

static void say_container(struct engine_row *row, const char *cgroup)
{
	struct container container;
	struct str text = STR_INIT;

	container_find(&container, cgroup);
	container_add_short(&text, &container);
	row->container_kind = container.kind;
	copy_cut(row->container, sizeof(row->container), &text);
	str_release(&text);
}

/* Read from a file once; who is renamed is so at the next start. */
static const char *user_name(struct rows *rows, uint32_t uid)
{
	char name[64], escaped[ENGINE_USER_BYTES];
	char *known = idmap_get(&rows->users, (uint64_t)uid + 1);

	if (known)
		return known;
	if (!users_name(uid, name, sizeof(name)))
		snprintf(name, sizeof(name), "%u", uid);
	known = mem_strdup(escape_name(escaped, sizeof(escaped), name));
	idmap_put(&rows->users, (uint64_t)uid + 1, known);
	return known;
}

static double mean_rate(const struct rows *rows, uint64_t calls)
{
	if (rows->now_ns <= rows->from_ns)
		return 0;
	return (double)calls * NS_PER_S / (double)(rows->now_ns - rows->from_ns);
}

static void finish_name(struct rows *rows, struct engine_row *row, const struct row_sum *sum,
			const struct syscalls *syscalls)
{
	const char *name = sum->name;

	if (sum->uid != USERS_UNKNOWN)
		snprintf(row->user, sizeof(row->user), "%s", user_name(rows, sum->uid));
	if (of_syscalls(&rows->query))
		name = syscalls_info(syscalls, sum->nr)->name;
	else if (rows->query.kind == ROWS_CGROUPS)
		name = sum->cgroup ? sum->cgroup : not_known;
	else if (rows->query.kind == ROWS_USERS)
		name = *row->user ? row->user : not_known;
	escape_name(row->name, sizeof(row->name), name);
}

static void finish_row(struct rows *rows, struct engine_row *row, const struct row_sum *sum,
		       const struct syscalls *syscalls)
{
	const struct totals_cell *cell = &sum->cell;

	row->pid = sum->pid;
	row->tid = sum->tid;
	row->nr = sum->nr;
	finish_name(rows, row, sum, syscalls);
	row->calls = cell->calls;
	row->errors = cell->errors;
	row->errno_count = (uint32_t)errno_counts_top(&cell->errnos, row->errnos, ENGINE_ERRNOS);
	row->total_ns = cell->total_ns;
	row->blocked_ns = cell->blocked_ns;
	row->runnable_ns = cell->runnable_ns;
	row->min_ns = cell->min_ns == UINT64_MAX ? 0 : cell->min_ns;
	row->max_ns = cell->max_ns;
	row->p50_ns = totals_cell_quantile(cell, 0.50);
	row->p95_ns = totals_cell_quantile(cell, 0.95);
	row->p99_ns = totals_cell_quantile(cell, 0.99);
	row->deviation_ns = (uint64_t)histogram_deviation(&cell->durations);
	row->calls_per_s = rows->rates ? sum->calls_per_s : mean_rate(rows, cell->calls);
	row->in_flight = sum->in_flight;
	row->oldest_ns = sum->oldest_ns;
	row->waiting_ns = sum->waiting_ns;
	row->ended = sum->ended;
	row->bare = sum->bare && !cell->calls && !sum->in_flight;
	row->parent_pid = sum->parent_pid;
	row->threads = sum->threads;
	row->uid = sum->uid;
	row->cgroup = sum->cgroup;
	row->owner = sum->who;
	row->ns_pid = sum->ns_pid;
	if (sum->cgroup)
		say_container(row, sum->cgroup);
	histogram_project(&cell->durations, ENGINE_HISTOGRAM_LOW_NS, ENGINE_HISTOGRAM_HIGH_NS,
			  row->histogram, ENGINE_HISTOGRAM_CELLS);
}

size_t rows_finish(struct rows *rows, const struct syscalls *syscalls, struct engine_row **out)
{
	struct engine_row *result = mem_zalloc(rows->count + 1, sizeof(*result));
	size_t count = rows->count;

	for (size_t i = 0; i < count; i++)
		finish_row(rows, &result[i], &rows->sums[i], syscalls);
	rows_clear(rows);
	*out = result;
	return count;
}
