#include "engine/totals_rows.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"
#include "engine/base/users.h"
#include "engine/base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a key: tids are below 1 << 22 (PID_MAX_LIMIT), syscall numbers below 1 << TID_SHIFT. */
#define TID_SHIFT 12
#define PID_SHIFT 36
_Static_assert(TOTALS_NR_OTHER < 1 << TID_SHIFT, "a number of a call fits its part of the key");

/* Number of rows that get names and ancestors per hold of the lock; takes about 200 us. */
#define LABEL_ROWS 1024
/* Number of owners of a group: those counted separately, and one for the remaining ones. */
#define OWNERS_MAX (TOTALS_GROUP_OWNERS + 1)
static const char not_known[] = "(unknown)";

_Static_assert(TOTALS_DIGEST_CELLS == ENGINE_HISTOGRAM_CELLS, "histograms are copied whole");
_Static_assert(TOTALS_GROUP_PID == ENGINE_GROUP_PID, "groups are rows");

/* A row under construction. Names are copied raw under the lock and escaped later. */
struct row_sum {
	uint32_t pid, tid, nr;
	char name[64];
	struct totals_cell cell;
	bool borrowed; /* the cell is a copy of a cell of the totals */
	const struct totals_digest *digest; /* NULL: not computed yet */
	double calls_per_s;
	uint32_t in_flight;
	uint64_t oldest_ns, running_ns, waiting_ns, queued_ns;
	uint32_t running_unknown;
	bool ended, bare;
	uint64_t ended_processes;
	uint64_t group; /* rows of threads or processes with the same value are summed up */
	uint32_t parent_pid, threads;
	uint32_t uid;
	uint32_t identity, ns_pid;
	const char *cgroup; /* owned by the model; NULL: unknown */
};

struct rows {
	struct rows_query query;
	struct idmap index; /* key of the row to its index in sums, plus one */
	struct row_sum *sums;
	size_t count, cap;
	struct idmap users; /* uid plus one to its name, escaped; owned */

	/* Valid only while gathering. */
	struct rows_source source;
	enum rows_kind kind; /* kind to gather; the query's rows can be sums of these rows */
	const struct totals *totals;
	struct tasks_walk tasks;
	bool in_tasks; /* the walk over tasks has begun */
	size_t labelled; /* number of rows that have their names and ancestors */
};

/* The kind to gather for each kind of query; the rows of a query are sums of that kind's rows. */
static const enum rows_kind gathered[ROWS_KIND_COUNT] = {
	[ROWS_PROCESSES] = ROWS_PROCESSES,
	[ROWS_THREADS] = ROWS_THREADS,
	[ROWS_SYSCALLS] = ROWS_SYSCALLS,
	[ROWS_PROCESS_SYSCALLS] = ROWS_PROCESS_SYSCALLS,
	[ROWS_THREAD_SYSCALLS] = ROWS_THREAD_SYSCALLS,
	[ROWS_COMM_SYSCALLS] = ROWS_PROCESS_SYSCALLS,
	[ROWS_COMM_PROCESSES] = ROWS_PROCESSES,
	[ROWS_COMMS] = ROWS_THREADS,
	[ROWS_CGROUPS] = ROWS_THREADS,
	[ROWS_USERS] = ROWS_THREADS,
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
		if (!rows->sums[i].borrowed)
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
	tasks_walk_end(&rows->tasks);
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

static bool of_syscalls(enum rows_kind kind)
{
	return kind == ROWS_SYSCALLS || kind == ROWS_PROCESS_SYSCALLS ||
	       kind == ROWS_THREAD_SYSCALLS || kind == ROWS_COMM_SYSCALLS;
}

static bool of_threads(enum rows_kind kind)
{
	return kind == ROWS_THREADS || kind == ROWS_THREAD_SYSCALLS;
}

/* True if groups of ended processes are split by task owner, which replaces the tid. */
static bool by_owner(const struct rows *rows)
{
	return rows->query.kind == ROWS_CGROUPS || rows->query.kind == ROWS_USERS;
}

static bool of_tasks(enum rows_kind kind)
{
	return kind == ROWS_PROCESSES || kind == ROWS_PROCESS_SYSCALLS ||
	       kind == ROWS_COMM_SYSCALLS || kind == ROWS_COMM_PROCESSES || of_threads(kind);
}

/* -- Finished calls: not locked ----------------------------------------------------------- */

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
	sum->pid = rows->kind == ROWS_SYSCALLS ? query->pid : pid;
	sum->tid = of_threads(rows->kind) ? tid : query->tid;
	sum->nr = of_syscalls(rows->kind) ? nr : query->one_nr ? query->nr : 0;
	idmap_put(&rows->index, key, (void *)(uintptr_t)rows->count);
	return sum;
}

/* Return the row for a call of this thread, created on first use. */
static struct row_sum *row_of(struct rows *rows, uint32_t pid, uint32_t tid, uint32_t nr)
{
	uint64_t key;
	void *place;

	switch (rows->kind) {
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

	if (pid >= TOTALS_GROUP_PID && !by_owner(rows))
		tid = 0;
	if (!in_query(rows, pid, tid, nr) || !cell->calls)
		return;
	sum = row_of(rows, pid, tid, nr);
	totals_cell_merge(&sum->cell, cell);
	sum->calls_per_s += totals_reader_rate(rows->source.reader, cell);
}

/* Use a cell of the totals as the sums of a row; the totals still own its memory. */
static void borrow_cell(struct rows *rows, struct row_sum *sum, const struct totals_cell *cell)
{
	sum->cell = *cell;
	sum->borrowed = true;
	sum->calls_per_s = totals_reader_rate(rows->source.reader, cell);
}

static void gather_process(void *ctx, const struct totals_process *process)
{
	struct rows *rows = ctx;
	struct row_sum *sum = row_of(rows, process->pid, 0, 0);

	borrow_cell(rows, sum, process->sum);
	sum->digest = process->digest;
}

static void gather_syscall(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr,
			   const struct totals_cell *cell)
{
	struct rows *rows = ctx;

	if (in_query(rows, pid, tid, nr) && cell->calls)
		borrow_cell(rows, row_of(rows, pid, tid, nr), cell);
}

void rows_begin(struct rows *rows, const struct rows_query *query, const struct rows_source *source)
{
	bool whole = !query->tid && !query->pid;

	rows_clear(rows);
	rows->query = *query;
	rows->source = *source;
	rows->kind = gathered[query->kind];
	rows->totals = totals_reader_totals(source->reader);
	rows->in_tasks = false;
	rows->labelled = 0;
	if (rows->kind == ROWS_PROCESSES && whole && !query->one_nr)
		totals_processes(rows->totals, gather_process, rows);
	else if (rows->kind == ROWS_SYSCALLS && whole)
		totals_syscalls(rows->totals, gather_syscall, rows);
	else if (query->pid)
		totals_each_of(rows->totals, query->pid, gather_cell, rows);
	else
		totals_each(rows->totals, gather_cell, rows);
}

/* -- Calls in flight and names: locked ---------------------------------------------------- */

static void gather_task(void *ctx, struct task *task)
{
	struct rows *rows = ctx;
	const struct rows_source *source = &rows->source;
	const struct call *call = &task->call;
	uint64_t age_ns;
	struct row_sum *sum;

	if (!task->in_call || task->ended ||
	    !in_query(rows, task->process->pid, task->tid, call->nr))
		return;
	if (source->wanted && !source->wanted(source->wanted_ctx, call))
		return;
	sum = row_of(rows, task->process->pid, task->tid, call->nr);
	age_ns = source->now_ns > call->enter_ns ? source->now_ns - call->enter_ns : 0;
	sum->in_flight++;
	sum->running_ns += age_ns;
	sum->waiting_ns += call->blocked_ns;
	sum->queued_ns += call->runnable_ns;
	sum->running_unknown += !call_waits_are_known(call);
	if (task->wait != TASK_RUNNING && source->now_ns > task->wait_since_ns)
		*(task->wait == TASK_BLOCKED ? &sum->waiting_ns : &sum->queued_ns) +=
			source->now_ns - task->wait_since_ns;
	if (age_ns > sum->oldest_ns)
		sum->oldest_ns = age_ns;
}

/* Owner and name of the task of a row, as far as known. */
struct owner_of_row {
	const struct process *process; /* NULL: exited and evicted */
	const struct task *task; /* NULL: exited and evicted, or the row is not a thread */
	struct totals_label label; /* stored at the exit, if process is NULL; 0: unknown */
	uint32_t identity;
};

static void find_owner(const struct rows *rows, const struct row_sum *sum,
		       struct owner_of_row *owner)
{
	const struct tasks *tasks = model_tasks(rows->source.model);
	struct totals_process process;

	*owner = (struct owner_of_row){ .process = tasks_process(tasks, sum->pid) };
	owner->task = sum->tid ? tasks_find(tasks, sum->tid) : NULL;
	if (owner->task && owner->task->process->pid != sum->pid)
		owner->task = NULL; /* the tid was reused */
	if (owner->process) {
		owner->identity = owner->process->comm_id;
		owner->label.parent_pid = owner->process->parent_pid;
		owner->label.ns_pid = owner->process->ns_pid;
	} else if (totals_process(rows->totals, sum->pid, &process)) {
		owner->label = process.label;
		owner->identity = process.label.comm_id;
		if (sum->pid >= TOTALS_GROUP_PID && sum->tid)
			owner->identity = sum->tid;
	}
	if (owner->task)
		owner->identity = owner->task->comm_id;
}

static void own_row(const struct rows *rows, struct row_sum *sum, const struct owner_of_row *owner)
{
	const struct identity_table *identity = model_identities(rows->source.model);

	sum->identity = owner->identity;
	sum->cgroup = identity_cgroup(identity, owner->identity);
	sum->uid = identity_uid(identity, owner->identity);
	sum->ns_pid = owner->label.ns_pid;
	sum->parent_pid = owner->label.parent_pid;
}

/* Set the uid and cgroup that all members of a group share. */
static void own_group(const struct rows *rows, struct row_sum *sum)
{
	const struct identity_table *identity = model_identities(rows->source.model);
	uint32_t owners[OWNERS_MAX];
	size_t count = totals_group_owners(rows->totals, sum->pid, owners, OWNERS_MAX);

	for (size_t i = 0; i < count && i < OWNERS_MAX; i++) {
		if (!i || identity_uid(identity, owners[i]) == sum->uid)
			sum->uid = identity_uid(identity, owners[i]);
		else
			sum->uid = USERS_UNKNOWN;
		if (!i || identity_cgroup(identity, owners[i]) == sum->cgroup)
			sum->cgroup = identity_cgroup(identity, owners[i]);
		else
			sum->cgroup = NULL;
	}
}

static void name_row(struct row_sum *sum, const char *name)
{
	strncpy(sum->name, name, sizeof(sum->name) - 1);
}

/* Return one id for all processes of one comm, whatever the comms of their threads are. */
static uint32_t process_name_id(const struct rows *rows, const struct owner_of_row *owner)
{
	const struct model *model = rows->source.model;
	uint32_t identity = owner->process ? owner->process->comm_id : owner->identity;

	return tasks_name_id(model_tasks(model), model_name(model, identity));
}

/* True if the process has exited. A process of which only the sums are left can be alive. */
static bool has_ended(const struct rows *rows, const struct row_sum *sum,
		      const struct owner_of_row *owner)
{
	struct totals_process process;

	if (owner->process)
		return owner->process->ended;
	return totals_process(rows->totals, sum->pid, &process) && process.ended;
}

/* Name a process row, or a row of ended processes of one comm. */
static void label_process(const struct rows *rows, struct row_sum *sum,
			  const struct owner_of_row *owner)
{
	struct totals_process process;

	own_row(rows, sum, owner);
	sum->ended = has_ended(rows, sum, owner);
	sum->threads = owner->process ? owner->process->threads : 0;
	name_row(sum, model_name(rows->source.model, owner->identity));
	if (sum->pid >= TOTALS_GROUP_PID)
		own_group(rows, sum);
	if (sum->pid == TOTALS_ENDED_PID)
		name_row(sum, "(ended)");
	if (sum->ended && totals_process(rows->totals, sum->pid, &process))
		sum->ended_processes = process.folded;
}

static void label_thread(const struct rows *rows, struct row_sum *sum,
			 const struct owner_of_row *owner)
{
	if (sum->pid >= TOTALS_GROUP_PID) {
		label_process(rows, sum, owner);
		return;
	}
	sum->ended = !owner->task || owner->task->ended;
	if (owner->task || sum->tid == sum->pid) {
		name_row(sum, model_name(rows->source.model, owner->identity));
		own_row(rows, sum, owner);
	}
	if (sum->tid)
		return;
	/* The row sums up ended threads, or calls that are counted for no known thread. */
	sum->ended = has_ended(rows, sum, owner);
	name_row(sum, sum->ended ? "(ended threads)" : "(other threads)");
}

static void label_row(const struct rows *rows, struct row_sum *sum)
{
	const struct model *model = rows->source.model;
	struct owner_of_row owner;

	if (rows->kind == ROWS_SYSCALLS)
		return;
	find_owner(rows, sum, &owner);
	switch (rows->query.kind) {
	case ROWS_PROCESSES:
		label_process(rows, sum, &owner);
		break;
	case ROWS_THREADS:
		label_thread(rows, sum, &owner);
		break;
	case ROWS_COMMS:
		name_row(sum, model_name(model, owner.identity));
		sum->group = tasks_name_id(model_tasks(model), sum->name);
		break;
	case ROWS_CGROUPS:
		sum->cgroup = identity_cgroup(model_identities(model), owner.identity);
		sum->group = (uintptr_t)sum->cgroup;
		break;
	case ROWS_USERS:
		sum->uid = identity_uid(model_identities(model), owner.identity);
		sum->group = sum->uid;
		break;
	case ROWS_COMM_SYSCALLS:
		sum->group = (uint64_t)process_name_id(rows, &owner) << TID_SHIFT | sum->nr;
		break;
	case ROWS_COMM_PROCESSES:
		sum->group = process_name_id(rows, &owner);
		break;
	default:
		break;
	}
}

/* Add a row for the parent. label_rows() reaches it later and adds its parent in turn. */
static void add_parent(struct rows *rows, uint32_t parent_pid)
{
	const struct tasks *tasks = model_tasks(rows->source.model);

	if (parent_pid && !idmap_get(&rows->index, parent_pid) && tasks_process(tasks, parent_pid))
		add_row(rows, parent_pid, parent_pid, 0, 0)->bare = true;
}

static bool label_rows(struct rows *rows)
{
	bool parents = rows->query.parents && rows->query.kind == ROWS_PROCESSES;
	size_t until = rows->labelled + LABEL_ROWS;

	for (; rows->labelled < rows->count && rows->labelled < until; rows->labelled++) {
		label_row(rows, &rows->sums[rows->labelled]);
		if (parents)
			add_parent(rows, rows->sums[rows->labelled].parent_pid);
	}
	return rows->labelled < rows->count;
}

bool rows_look(struct rows *rows)
{
	if (!rows->in_tasks) {
		rows->in_tasks = true;
		tasks_walk_begin(&rows->tasks, model_tasks(rows->source.model));
	}
	if (rows->tasks.tasks && tasks_walk_step(&rows->tasks, TASKS_WALK_TASKS, gather_task, rows))
		return true;
	return label_rows(rows);
}

/* -- Results: not locked ------------------------------------------------------------------ */

static void add_to_group(struct row_sum *group, const struct row_sum *sum)
{
	totals_cell_merge(&group->cell, &sum->cell);
	group->calls_per_s += sum->calls_per_s;
	group->in_flight += sum->in_flight;
	group->running_ns += sum->running_ns;
	group->waiting_ns += sum->waiting_ns;
	group->queued_ns += sum->queued_ns;
	group->running_unknown += sum->running_unknown;
	if (sum->oldest_ns > group->oldest_ns)
		group->oldest_ns = sum->oldest_ns;
}

/* Sum rows of threads or processes by their groups. */
static void group_rows(struct rows *rows)
{
	struct row_sum *sums = rows->sums;
	size_t count = rows->count;

	rows->sums = NULL;
	rows->count = rows->cap = 0;
	rows->kind = rows->query.kind;
	idmap_clear(&rows->index);
	for (size_t i = 0; i < count; i++) {
		struct row_sum *sum = &sums[i], *group;
		void *place = idmap_get(&rows->index, sum->group);

		if (place) {
			group = &rows->sums[(uintptr_t)place - 1];
		} else {
			group = add_row(rows, sum->group, sum->pid, sum->tid, sum->nr);
			group->uid = sum->uid;
			group->cgroup = sum->cgroup;
			memcpy(group->name, sum->name, sizeof(group->name));
			if (!of_tasks(rows->kind))
				group->pid = rows->query.pid;
		}
		add_to_group(group, sum);
		if (!sum->borrowed)
			totals_cell_release(&sum->cell);
	}
	free(sums);
}

/* Copy as much escaped text as fits, cut between characters. */
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

/* Look up a user name. Cached until the engine is freed: later changes are not seen. */
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
	if (rows->source.now_ns <= rows->source.from_ns)
		return 0;
	return (double)calls * NS_PER_S / (double)(rows->source.now_ns - rows->source.from_ns);
}

static void finish_name(struct rows *rows, struct engine_row *row, const struct row_sum *sum,
			const struct syscalls *syscalls)
{
	const char *name = sum->name;

	if (sum->uid != USERS_UNKNOWN)
		snprintf(row->user, sizeof(row->user), "%s", user_name(rows, sum->uid));
	if (of_syscalls(rows->query.kind))
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
	const struct totals_digest *digest = sum->digest;
	struct totals_digest made;

	if (!digest) {
		totals_digest_make(&made, cell);
		digest = &made;
	}
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
	row->waits_unknown = cell->waits_unknown;
	row->untimed = totals_cell_untimed(cell);
	row->min_ns = cell->min_ns == UINT64_MAX ? 0 : cell->min_ns;
	row->max_ns = cell->max_ns;
	row->p50_ns = digest->p50_ns;
	row->p95_ns = digest->p95_ns;
	row->p99_ns = digest->p99_ns;
	row->deviation_ns = digest->deviation_ns;
	memcpy(row->histogram, digest->histogram, sizeof(row->histogram));
	row->calls_per_s = !totals_reader_has_rates(rows->source.reader)
				   ? mean_rate(rows, cell->calls)
			   : totals_reader_knows_rates(rows->source.reader) ? sum->calls_per_s
									    : NAN;
	row->in_flight = sum->in_flight;
	row->oldest_ns = sum->oldest_ns;
	row->running_ns = sum->running_ns;
	row->waiting_ns = sum->waiting_ns;
	row->queued_ns = sum->queued_ns;
	row->running_unknown = sum->running_unknown;
	row->ended = sum->ended;
	row->ended_processes = sum->ended_processes;
	row->bare = sum->bare && !cell->calls && !sum->in_flight;
	row->parent_pid = sum->parent_pid;
	row->threads = sum->threads;
	row->uid = sum->uid;
	row->cgroup = sum->cgroup;
	row->owner = sum->identity;
	row->ns_pid = sum->ns_pid;
	if (sum->cgroup)
		say_container(row, sum->cgroup);
}

size_t rows_finish(struct rows *rows, const struct syscalls *syscalls, struct engine_row **out)
{
	struct engine_row *result;
	size_t count;

	if (rows->kind != rows->query.kind)
		group_rows(rows);
	count = rows->count;
	result = mem_zalloc(count + 1, sizeof(*result));
	for (size_t i = 0; i < count; i++)
		finish_row(rows, &result[i], &rows->sums[i], syscalls);
	rows_clear(rows);
	*out = result;
	return count;
}
