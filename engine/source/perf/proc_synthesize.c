#include "engine/source/perf/proc_synthesize.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Limit of stack memory per step. The stacks of a step go together to the unwinder, which has room
 * for those of several steps.
 */
#define STEP_BYTES ((size_t)2 << 20)
#define NEWCOMERS_MAX 256 /* maximum number of listed newcomers: about 5 ms of reading */
#define NEWCOMERS_AT_ONCE 32
#define SLEEPERS_AT_ONCE 16
/*
 * While a request is pending, later records wait at most this long: the rings have room for that.
 * If the reply takes longer, its threads are read again.
 */
#define HOLD_NS (100 * NS_PER_MS)
#define WAIT_US 3000 /* longest wait for one reply */
#define FAILURES_MAX 4

static reader_handle_fn *const handlers[READER_WHAT_COUNT] = {
	[READER_TASKS] = proc_probe_handle,
};

void proc_synthesize_init(struct proc_synthesize *seed, struct task_table *tasks,
			  struct reader *reader)
{
	memset(seed, 0, sizeof(*seed));
	seed->tasks = tasks;
	seed->reader = reader;
	seed->has_own_reader = !reader;
	if (!reader)
		seed->reader = reader_new_here(handlers);
}

/* Stop reading the process. A reply that is still pending is used, but is not continued. */
static void leave_process(struct proc_synthesize *seed)
{
	seed->pid = 0;
	seed->plain = false;
}

void proc_synthesize_release(struct proc_synthesize *seed)
{
	task_list_release(&seed->processes);
	task_list_release(&seed->single);
	task_list_release(&seed->newcomers);
	task_list_release(&seed->sleepers);
	while (seed->next < seed->count)
		proc_synthesize_pop(seed);
	free(seed->items);
	seed->items = NULL;
	seed->count = seed->capacity = seed->next = 0;
	if (seed->has_own_reader)
		reader_free(seed->reader);
	seed->reader = NULL;
}

void proc_synthesize_begin(struct proc_synthesize *seed, const struct task_list *processes,
			   const struct task_list *threads)
{
	leave_process(seed);
	seed->processes.count = seed->single.count = 0;
	seed->denied = seed->unread = 0;
	for (size_t i = 0; i < processes->count; i++)
		task_list_add(&seed->processes, processes->ids[i]);
	for (size_t i = 0; i < threads->count; i++)
		task_list_add(&seed->single, threads->ids[i]);
}

void proc_synthesize_also(struct proc_synthesize *seed, uint32_t pid)
{
	task_list_add(&seed->processes, pid);
}

void proc_synthesize_newcomer(struct proc_synthesize *seed, uint32_t pid)
{
	if (seed->newcomers.count < NEWCOMERS_MAX)
		task_list_add(&seed->newcomers, pid);
}

void proc_synthesize_sleeper(struct proc_synthesize *seed, uint32_t tid)
{
	if (seed->sleepers.count < SLEEPERS_AT_ONCE)
		task_list_add(&seed->sleepers, tid);
}

static struct proc_synthesize_item *new_item(struct proc_synthesize *seed)
{
	if (seed->next == seed->count)
		seed->next = seed->count = 0;
	seed->items = mem_grow(seed->items, &seed->capacity, seed->count + 1, sizeof(*seed->items));
	seed->items[seed->count].stack = NULL;
	seed->items[seed->count].cgroup = NULL;
	return &seed->items[seed->count++];
}

void proc_synthesize_add(struct proc_synthesize *seed, const struct record *record)
{
	new_item(seed)->record = *record;
}

struct record *proc_synthesize_peek(struct proc_synthesize *seed)
{
	struct proc_synthesize_item *item;

	if (seed->next == seed->count)
		return NULL;
	item = &seed->items[seed->next];
	/* The array moves when it grows, so set addresses of names and stacks only here. */
	if (item->record.kind == RECORD_TASK)
		item->record.task.comm = item->comm;
	if (item->record.kind == RECORD_INFLIGHT)
		item->record.inflight.stack = item->stack ? &item->stack->stack : NULL;
	return &item->record;
}

void proc_synthesize_pop(struct proc_synthesize *seed)
{
	free(seed->items[seed->next].stack);
	free(seed->items[seed->next++].cgroup);
}

static void set_call(struct record *record, const struct proc_probe_call *call)
{
	record->kind = RECORD_INFLIGHT;
	record->inflight.nr = call->nr;
	memcpy(record->inflight.args, call->args, sizeof(record->inflight.args));
	record->inflight.sp = call->sp;
	record->inflight.pc = call->pc;
	record->inflight.state = THREAD_STATE_UNKNOWN;
	record->inflight.unentered = false;
}

bool proc_synthesize_parse_call(struct record *record, const char *text)
{
	struct proc_probe_call call;

	if (!proc_probe_parse_call(&call, text))
		return false;
	set_call(record, &call);
	return true;
}

/* -- Replies --------------------------------------------------------------------------------- */

static void emit_owner(struct proc_synthesize *seed, const struct proc_probe_task *task,
		       const char *cgroup)
{
	struct proc_synthesize_item *item = new_item(seed);

	item->record = (struct record){ .kind = RECORD_OWNER,
					.time_ns = task->time_ns,
					.pid = task->pid,
					.tid = task->stat.tid };
	item->record.owner.uid = task->uid;
	if (task->cgroup_bytes)
		item->cgroup = mem_strndup(cgroup, task->cgroup_bytes);
	item->record.owner.cgroup = item->cgroup;
	item->record.owner.ns_pid = task->ns_pid;
}

static void emit_task(struct proc_synthesize *seed, const struct proc_probe_task *task)
{
	struct proc_synthesize_item *item = new_item(seed);

	task_table_set_pid(seed->tasks, task->stat.tid, task->pid);
	item->record = (struct record){ .kind = RECORD_TASK,
					.time_ns = task->time_ns,
					.pid = task->pid,
					.tid = task->stat.tid };
	item->record.task.parent_pid = task->stat.parent_pid;
	item->record.task.kernel = task->stat.flags & PROC_STAT_KTHREAD;
	memcpy(item->comm, task->stat.comm, sizeof(item->comm));
	item->comm[15] = '\0'; /* /proc shows longer names for kernel workers */
}

static enum run_state state_of_letter(char letter)
{
	static const char letters[] = "?RSDTtPIXZ"; /* in the order of enum run_state */
	const char *at = letter ? strchr(letters, letter) : NULL;

	return at ? (enum run_state)(at - letters) : THREAD_STATE_UNKNOWN;
}

static void emit_call(struct proc_synthesize *seed, const struct proc_probe_task *task,
		      const char *kernel_half, const unsigned char *memory)
{
	struct proc_synthesize_item *item = new_item(seed);

	item->record = (struct record){ .time_ns = task->call_ns,
					.pid = task->pid,
					.tid = task->stat.tid };
	set_call(&item->record, &task->call);
	item->record.inflight.state = (uint8_t)state_of_letter(task->stat.state);
	item->record.inflight.unentered = seed->asked.flags & PROC_PROBE_UNENTERED;
	if (!seed->stacks.names || !(seed->asked.flags & PROC_PROBE_STACKS))
		return;
	item->stack = proc_stack_make(task, kernel_half, memory, &seed->stacks);
	seed->step_bytes += task->memory_bytes;
}

static void take_answer(struct proc_synthesize *seed, const struct kernel_filter *filter,
			const struct reader_result *answer)
{
	const struct proc_probe_task *task;
	const char *cgroup, *kernel_half;
	const unsigned char *memory;
	size_t at = 0;

	while ((task = proc_probe_next(answer, &at, &cgroup, &kernel_half, &memory))) {
		if (task_table_word(seed->tasks, task->stat.tid) & TASK_OWN)
			continue;
		/* Later records were passed on, so the call may have ended: read it again. */
		if (seed->stale) {
			if (task->has_stat && !(seed->asked.flags & PROC_PROBE_UNENTERED))
				task_list_add(&seed->single, task->stat.tid);
			continue;
		}
		if (task->has_stat)
			emit_task(seed, task);
		if (task->has_owner)
			emit_owner(seed, task, cgroup);
		seed->denied += task->denied;
		if (task->has_call && kernel_filter_allows(filter, task->call.nr))
			emit_call(seed, task, kernel_half, memory);
	}
}

/* -- Requests -------------------------------------------------------------------------------- */

static int send(struct proc_synthesize *seed, uint32_t flags, uint32_t pid, uint32_t tid,
		const void *payload, size_t payload_bytes)
{
	int code;

	if (seed->stacks.names && !seed->plain && !(flags & PROC_PROBE_OWNERS))
		flags |= PROC_PROBE_STACKS;
	seed->asked = (struct reader_request){
		.what = READER_TASKS,
		.flags = flags,
		.pid = pid,
		.tid = tid,
		.length = seed->stacks.stack_bytes,
		.payload_bytes = (uint32_t)payload_bytes,
	};
	if (seed->plain)
		seed->asked.flags |= READER_INSIST;
	seed->asked_ns = clock_now_ns();
	code = reader_send(seed->reader, &seed->asked, payload);
	seed->under_way = !code;
	seed->stale = false;
	return code;
}

static int send_newcomers(struct proc_synthesize *seed)
{
	struct task_list *newcomers = &seed->newcomers;
	size_t count = newcomers->count < NEWCOMERS_AT_ONCE ? newcomers->count : NEWCOMERS_AT_ONCE;
	int code = send(seed, PROC_PROBE_OWNERS, 0, 0, newcomers->ids + newcomers->count - count,
			count * sizeof(newcomers->ids[0]));

	if (!code)
		newcomers->count -= count;
	return code;
}

static int send_sleepers(struct proc_synthesize *seed)
{
	struct task_list *sleepers = &seed->sleepers;
	int code = send(seed, PROC_PROBE_UNENTERED, 0, 0, sleepers->ids,
			sleepers->count * sizeof(sleepers->ids[0]));

	sleepers->count = 0;
	return code;
}

/* Take the next process. False if there is none. */
static bool take_process(struct proc_synthesize *seed)
{
	while (seed->processes.count) {
		uint32_t pid = seed->processes.ids[--seed->processes.count];

		if (task_table_word(seed->tasks, pid) & TASK_OWN)
			continue;
		seed->pid = pid;
		seed->plain = seed->goes_on = false;
		return true;
	}
	return false;
}

static int send_single(struct proc_synthesize *seed)
{
	uint32_t tid = seed->single.ids[seed->single.count - 1];
	uint32_t pid = task_table_pid(seed->tasks, tid);
	int code = send(seed, PROC_PROBE_ONE, pid ? pid : tid, tid, NULL, 0);

	/* If reading stacks of this process hung before, read the thread without its stack. */
	if (code == -EHOSTDOWN) {
		seed->plain = true;
		code = send(seed, PROC_PROBE_ONE, pid ? pid : tid, tid, NULL, 0);
		seed->plain = false;
	}
	if (!code || code == -EHOSTDOWN)
		seed->single.count--;
	return code;
}

/* Send the next request. 0; -EAGAIN: later; -ENODATA: nothing is left to read; another -errno. */
static int ask_next(struct proc_synthesize *seed)
{
	int code;

	if (seed->pid || (seed->step_bytes < STEP_BYTES && take_process(seed))) {
		code = send(seed, seed->goes_on ? PROC_PROBE_ON : 0, seed->pid, 0, NULL, 0);
		if (code == -EHOSTDOWN && !seed->plain) {
			seed->plain = true;
			seed->goes_on = false;
			code = send(seed, 0, seed->pid, 0, NULL, 0);
		}
		return code;
	}
	if (seed->single.count)
		return send_single(seed);
	if (seed->sleepers.count)
		return send_sleepers(seed);
	return seed->newcomers.count ? send_newcomers(seed) : -ENODATA;
}

/*
 * Handle a failed request. Most likely an access to memory hung: read the process or thread again
 * without stacks.
 */
static void take_failure(struct proc_synthesize *seed, int code)
{
	bool one = seed->asked.flags & PROC_PROBE_ONE;

	if (code != -ETIMEDOUT && code != -EPIPE && code != -ESTALE)
		leave_process(seed); /* exited, or not permitted */
	else if (one && seed->asked.flags & PROC_PROBE_STACKS)
		task_list_add(&seed->single, seed->asked.tid);
	else if (seed->pid && !one && !seed->plain && !(seed->asked.flags & PROC_PROBE_OWNERS)) {
		seed->plain = code == -ETIMEDOUT ||
			      (code == -EPIPE && ++seed->failures >= FAILURES_MAX);
		seed->goes_on = false;
	} else {
		seed->unread++;
		leave_process(seed);
	}
}

static void receive(struct proc_synthesize *seed, const struct kernel_filter *filter, int code,
		    const struct reader_result *answer)
{
	bool of_process = seed->pid && seed->asked.pid == seed->pid &&
			  !(seed->asked.flags & (PROC_PROBE_ONE | PROC_PROBE_OWNERS));

	seed->under_way = false;
	if (code) {
		take_failure(seed, code);
		return;
	}
	seed->failures = 0;
	take_answer(seed, filter, answer);
	if (of_process && answer->more)
		seed->goes_on = true;
	else if (of_process)
		leave_process(seed);
}

/* No reader can be started: leave the remaining tasks unread. */
static void give_up(struct proc_synthesize *seed)
{
	seed->processes.count = seed->single.count = seed->newcomers.count = 0;
	seed->sleepers.count = 0;
	leave_process(seed);
}

static int left_us(uint64_t end_ns)
{
	uint64_t now_ns = clock_now_ns(), left;

	left = end_ns > now_ns ? (end_ns - now_ns) / NS_PER_US : 0;
	return left < WAIT_US ? (int)left : WAIT_US;
}

void proc_synthesize_step(struct proc_synthesize *seed, const struct kernel_filter *filter,
			  uint64_t budget_ns)
{
	uint64_t end_ns = clock_now_ns() + budget_ns;
	struct reader_result answer;
	int code;

	seed->step_bytes = 0;
	seed->later = false;
	if (!seed->under_way && proc_synthesize_reading(seed) && proc_synthesize_held_back(seed))
		return;
	do {
		code = seed->under_way ? 0 : ask_next(seed);
		if (code == -EPIPE && ++seed->failures >= FAILURES_MAX)
			give_up(seed);
		seed->later = code == -EAGAIN;
		if (code)
			break;
		code = reader_receive(seed->reader, seed->stale ? 0 : left_us(end_ns), &answer);
		if (code == -EAGAIN)
			break;
		receive(seed, filter, code, &answer);
	} while (seed->step_bytes < STEP_BYTES && clock_now_ns() < end_ns);
	if (seed->under_way && clock_now_ns() - seed->asked_ns > HOLD_NS)
		seed->stale = true;
	seed->later = seed->later || seed->stale;
}
