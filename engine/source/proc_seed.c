#include "engine/source/proc_seed.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What is read in one step goes to the unwinder at once, which has room for some of these. */
#define STEP_BYTES ((size_t)2 << 20)
#define NEWCOMERS_MAX 256 /* some 5 ms of reading */

void proc_seed_init(struct proc_seed *seed, struct task_table *tasks)
{
	memset(seed, 0, sizeof(*seed));
	seed->tasks = tasks;
	seed->task_dir_fd = -1;
}

static void close_process(struct proc_seed *seed)
{
	if (seed->task_dir)
		closedir(seed->task_dir); /* and task_dir_fd with it */
	seed->task_dir = NULL;
	seed->task_dir_fd = -1;
}

void proc_seed_release(struct proc_seed *seed)
{
	close_process(seed);
	task_list_release(&seed->processes);
	task_list_release(&seed->single);
	task_list_release(&seed->newcomers);
	while (seed->next < seed->count)
		proc_seed_pop(seed);
	free(seed->items);
	seed->items = NULL;
	seed->count = seed->capacity = seed->next = 0;
}

void proc_seed_begin(struct proc_seed *seed, const struct task_list *processes,
		     const struct task_list *threads)
{
	close_process(seed);
	seed->processes.count = seed->single.count = 0;
	seed->owner_pid = 0;
	seed->denied = 0;
	for (size_t i = 0; i < processes->count; i++)
		task_list_add(&seed->processes, processes->ids[i]);
	for (size_t i = 0; i < threads->count; i++)
		task_list_add(&seed->single, threads->ids[i]);
}

void proc_seed_also(struct proc_seed *seed, uint32_t pid)
{
	task_list_add(&seed->processes, pid);
}

void proc_seed_newcomer(struct proc_seed *seed, uint32_t pid)
{
	if (seed->newcomers.count < NEWCOMERS_MAX)
		task_list_add(&seed->newcomers, pid);
}

static struct proc_seed_item *new_item(struct proc_seed *seed)
{
	if (seed->next == seed->count)
		seed->next = seed->count = 0;
	seed->items = mem_grow(seed->items, &seed->capacity, seed->count + 1, sizeof(*seed->items));
	seed->items[seed->count].stack = NULL;
	seed->items[seed->count].cgroup = NULL;
	return &seed->items[seed->count++];
}

void proc_seed_add(struct proc_seed *seed, const struct record *record)
{
	new_item(seed)->record = *record;
}

struct record *proc_seed_peek(struct proc_seed *seed)
{
	struct proc_seed_item *item;

	if (seed->next == seed->count)
		return NULL;
	item = &seed->items[seed->next];
	/* The array moves as it grows, so a name's address is known only now. */
	if (item->record.kind == RECORD_TASK)
		item->record.task.comm = item->comm;
	if (item->record.kind == RECORD_SEED)
		item->record.seed.stack = item->stack ? &item->stack->stack : NULL;
	return &item->record;
}

void proc_seed_pop(struct proc_seed *seed)
{
	free(seed->items[seed->next].stack);
	free(seed->items[seed->next++].cgroup);
}

bool proc_seed_parse_call(struct record *record, const char *text)
{
	uint64_t values[SYSCALL_ARGS + 2];
	char *end;
	long nr = strtol(text, &end, 10);

	/* "running", or "-1 sp pc" where it waits for something else, such as a page. */
	if (end == text || nr < 0)
		return false;
	for (size_t i = 0; i < SYSCALL_ARGS + 2; i++) {
		text = end;
		values[i] = strtoull(text, &end, 16);
		if (end == text)
			return false;
	}
	record->kind = RECORD_SEED;
	record->seed.nr = (uint32_t)nr;
	memcpy(record->seed.args, values, sizeof(record->seed.args));
	/* Its registers mean nothing: what it goes by is on the stack. */
	if (nr == SYS_rt_sigreturn)
		record->seed.args[0] = values[SYSCALL_ARGS];
	record->seed.sp = values[SYSCALL_ARGS];
	record->seed.pc = values[SYSCALL_ARGS + 1];
	record->seed.state = THREAD_STATE_UNKNOWN;
	return true;
}

/*
 * The stack of a call that is known to be in flight at record->time_ns. NULL also where
 * the thread has gone on meanwhile: its words may be those of another moment.
 */
static struct proc_stack *read_stack(struct proc_seed *seed, int dir_fd, const char *path,
				     const struct record *record, const char *text, long len)
{
	struct proc_stack *stack;
	char again[256];

	stack = proc_stack_read(dir_fd, record->tid, record->seed.sp, record->seed.pc,
				&seed->stacks);
	if (!stack)
		return NULL;
	seed->step_bytes += stack->stack.user_stack_bytes;
	if (proc_read_at(dir_fd, path, again, sizeof(again)) == len &&
	    !memcmp(again, text, (size_t)len))
		return stack;
	free(stack);
	return NULL;
}

/* Read once for each process: of other threads it is hardly ever another. */
static void tell_owner(struct proc_seed *seed, int dir_fd, const struct record *record)
{
	struct proc_seed_item *item;
	char thread[16];

	snprintf(thread, sizeof(thread), "%u", record->tid);
	if (seed->owner_pid != record->pid) {
		if (!proc_owner_read(&seed->owner, dir_fd, thread))
			return;
		seed->owner_pid = record->pid;
	}
	item = new_item(seed);
	item->record = *record;
	item->record.kind = RECORD_OWNER;
	item->record.owner.uid = seed->owner.uid;
	if (seed->owner.cgroup[0])
		item->cgroup = mem_strndup(seed->owner.cgroup, sizeof(seed->owner.cgroup));
	item->record.owner.cgroup = item->cgroup;
	item->record.owner.ns_pid = seed->owner.ns_pid;
	item->record.owner.comm = NULL;
}

static enum run_state state_of_letter(char letter)
{
	static const char letters[] = "?RSDTtPIXZ"; /* in the order of enum run_state */
	const char *at = letter ? strchr(letters, letter) : NULL;

	return at ? (enum run_state)(at - letters) : THREAD_STATE_UNKNOWN;
}

static void read_thread(struct proc_seed *seed, int dir_fd, uint32_t pid, uint32_t tid,
			const struct kernel_filter *filter)
{
	struct record record = { .kind = RECORD_TASK, .pid = pid, .tid = tid };
	char path[48], text[256];
	struct proc_seed_item *item;
	struct proc_stat stat;
	long len;

	record.time_ns = clock_now_ns();
	snprintf(path, sizeof(path), "%u/stat", tid);
	if (!proc_stat_read(&stat, dir_fd, path))
		return;
	task_table_set_pid(seed->tasks, tid, pid);
	record.task.parent_pid = stat.parent_pid;
	item = new_item(seed);
	item->record = record;
	memcpy(item->comm, stat.comm, sizeof(item->comm));
	item->comm[15] = '\0'; /* what the rest of the kernel calls it */

	tell_owner(seed, dir_fd, &record);

	/* A kernel thread's registers hold zeroes, which would read as read(0, …). */
	if (stat.flags & PROC_STAT_KTHREAD)
		return;
	snprintf(path, sizeof(path), "%u/syscall", tid);
	len = proc_read_at(dir_fd, path, text, sizeof(text));
	record.time_ns = clock_now_ns();
	if (len == -EPERM || len == -EACCES)
		seed->denied++;
	if (len <= 0 || !proc_seed_parse_call(&record, text) ||
	    !kernel_filter_allows(filter, record.seed.nr))
		return;
	record.seed.state = (uint8_t)state_of_letter(stat.state);
	item = new_item(seed);
	item->record = record;
	if (seed->stacks.names)
		item->stack = read_stack(seed, dir_fd, path, &record, text, len);
}

/* The next process; false when there is none. */
static bool open_process(struct proc_seed *seed)
{
	char path[64];
	uint32_t pid;

	while (seed->processes.count) {
		pid = seed->processes.ids[--seed->processes.count];
		if (task_table_word(seed->tasks, pid) & TASK_OWN)
			continue;
		snprintf(path, sizeof(path), "/proc/%u/task", pid);
		seed->task_dir = opendir(path);
		if (!seed->task_dir)
			continue; /* ended meanwhile */
		seed->task_dir_fd = dirfd(seed->task_dir);
		seed->pid = pid;
		return true;
	}
	return false;
}

static void read_single(struct proc_seed *seed, const struct kernel_filter *filter)
{
	uint32_t tid = seed->single.ids[--seed->single.count];
	uint32_t pid = proc_tasks_group(tid);
	char path[64];
	int dir_fd;

	if (!pid)
		return;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		return;
	read_thread(seed, dir_fd, pid, tid, filter);
	close(dir_fd);
}

static void read_newcomers(struct proc_seed *seed, uint64_t end_ns)
{
	struct record record = { .kind = RECORD_OWNER };
	char path[32];
	int dir_fd;

	while (seed->newcomers.count && clock_now_ns() < end_ns) {
		record.pid = record.tid = seed->newcomers.ids[--seed->newcomers.count];
		snprintf(path, sizeof(path), "/proc/%u/task", record.pid);
		dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir_fd < 0)
			continue; /* ended meanwhile */
		record.time_ns = clock_now_ns();
		seed->owner_pid = 0; /* it may be what was read before it ran its program */
		tell_owner(seed, dir_fd, &record);
		close(dir_fd);
	}
}

void proc_seed_step(struct proc_seed *seed, const struct kernel_filter *filter, uint64_t budget_ns)
{
	uint64_t end_ns = clock_now_ns() + budget_ns;
	struct dirent *entry;
	uint32_t tid;

	seed->step_bytes = 0;
	if (proc_seed_reading(seed) && proc_seed_held_back(seed))
		return;
	while (proc_seed_reading(seed) && seed->step_bytes < STEP_BYTES) {
		if (!seed->task_dir && !open_process(seed)) {
			if (seed->single.count)
				read_single(seed, filter);
		} else {
			entry = readdir(seed->task_dir);
			if (!entry) {
				close_process(seed);
				continue;
			}
			tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
			if (!tid || task_table_word(seed->tasks, tid) & TASK_OWN)
				continue;
			read_thread(seed, seed->task_dir_fd, seed->pid, tid, filter);
		}
		if (clock_now_ns() >= end_ns)
			break;
	}
	read_newcomers(seed, end_ns);
}
