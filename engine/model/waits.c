#include "engine/model/waits.h"

#include "engine/base/clock.h"
#include "engine/model/pairing.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

/* A thread cannot leave its CPU, get one and leave it again in less than this. */
#define SAME_SWITCH_NS (500 * NS_PER_US)

static void count_wait(struct task *task, uint64_t time_ns)
{
	uint64_t waited = elapsed_ns(task->wait_since_ns, time_ns);

	if (task->wait == TASK_BLOCKED)
		task->call.blocked_ns += waited;
	else if (task->wait == TASK_RUNNABLE)
		task->call.runnable_ns += waited;
	task->wait_since_ns = time_ns;
}

/* -- Which stack ----------------------------------------------------------------- */

void wait_show_stack(const struct task *task, struct call *call, uint32_t stack_id, bool earlier)
{
	bool found = stack_id && stack_id == task->found_stack_id;

	call->stack_id = stack_id;
	call->flags = (uint8_t)((call->flags & ~(CALL_STACK_EARLIER | CALL_STACK_FOUND)) |
				(earlier ? CALL_STACK_EARLIER : 0) |
				(found ? CALL_STACK_FOUND : 0));
}

static void show_stack(struct task *task, uint32_t stack_id, bool earlier)
{
	wait_show_stack(task, &task->call, stack_id, earlier);
}

static bool is_of(const struct wait_memory *memory, const struct call *call)
{
	return memory->stack_id && memory->nr == call->nr && memory->arg == call->args[0];
}

static struct wait_memory *memory_of(struct task *task)
{
	const struct call *call = &task->call;
	uint64_t arg = call->args[0];

	return &task->memory[(call->nr ^ arg >> 2 ^ arg >> 7 ^ arg >> 12) & (WAIT_MEMORIES - 1)];
}

static void remember_stack(struct task *task, uint32_t stack_id)
{
	struct wait_memory *memory = memory_of(task);

	if (!is_of(memory, &task->call))
		*memory = (struct wait_memory){ .nr = task->call.nr, .arg = task->call.args[0] };
	memory->stack_id = stack_id;
}

static uint32_t recall_stack(struct task *task)
{
	const struct wait_memory *memory = memory_of(task);

	return is_of(memory, &task->call) ? memory->stack_id : 0;
}

static void take_waker_stack(struct task *task, uint32_t stack_id, bool rationed)
{
	struct wait_memory *memory = memory_of(task);
	struct call *call = &task->call;
	bool known = is_of(memory, call);

	if (stack_id && known) {
		memory->waker_tid = call->waker_tid;
		memory->waker_stack_id = stack_id;
	} else if (rationed) {
		call->flags |= CALL_WAKER_STACK_EARLIER;
		if (known && memory->waker_tid == call->waker_tid)
			stack_id = memory->waker_stack_id;
	}
	call->waker_stack_id = stack_id;
}

/* -- The three times --------------------------------------------------------------- */

void wait_end(struct task *task, uint64_t time_ns)
{
	uint64_t whole = elapsed_ns(task->wait_start_ns, time_ns);

	if (task->wait == TASK_RUNNING)
		return;
	count_wait(task, time_ns);
	task->wait = TASK_RUNNING;
	/* Where a thread lost its CPU says little; a real wait goes before. */
	if (!task->wait_blocked)
		whole = 0;
	if (task->wait_stack_id && (!task->longest_stack_id || whole > task->longest_wait_ns)) {
		task->longest_stack_id = task->wait_stack_id;
		task->longest_stack_earlier = task->wait_stack_earlier;
		task->longest_wait_ns = whole;
	} else if (!task->longest_stack_id) {
		task->longest_stack_earlier |= task->wait_stack_earlier;
	}
	/* Without one of a wait, where it was found to be is better than nothing. */
	if (task->longest_stack_id || !task->call.stack_id)
		show_stack(task, task->longest_stack_id, task->longest_stack_earlier);
}

static struct task *waiting_task(const struct pairing *pairing, uint32_t tid)
{
	struct task *task = tasks_find(pairing->tasks, tid);

	/* Between a call's return and its restart, waits are not the call's. */
	return task && task->in_call && !task->held ? task : NULL;
}

/*
 * A source may tell of a switch twice, the second time to add what the first could
 * not tell, or because it cannot know whether the first had room.
 */
static bool told_again(const struct task *task, const struct record *record)
{
	return task->wait != TASK_RUNNING &&
	       elapsed_ns(task->wait_start_ns, record->time_ns) < SAME_SWITCH_NS;
}

/* The same of a waking, which was counted already. */
static bool woken_again(const struct task *task, const struct record *record)
{
	return task->wait == TASK_RUNNABLE && record->waking.stack.user_regs &&
	       task->call.waker_kind == WAKER_THREAD && task->call.waker_tid == record->tid &&
	       elapsed_ns(task->wait_since_ns, record->time_ns) < SAME_SWITCH_NS;
}

/*
 * Where a thread is found waiting says nothing that its switch-out has not said better, unless
 * nobody could unwind that.
 */
static bool wants_seed(const struct task *task, const struct record *record)
{
	if (task->call.nr != record->seed.nr ||
	    memcmp(task->call.args, record->seed.args, sizeof(task->call.args)))
		return false;
	return !task->call.stack_id || (task->wait != TASK_RUNNING && task->wait_stack_earlier) ||
	       (record->seed.stack && record->seed.stack->user_regs && !task->wait_stack_exact);
}

bool pairing_wants_stack(const struct pairing *pairing, const struct record *record)
{
	const struct task *task;

	switch (record->kind) {
	case RECORD_SWITCH_OUT:
		task = waiting_task(pairing, record->tid);
		return task && (record->switch_out.stack.user_regs || !told_again(task, record));
	case RECORD_WAKING:
		task = waiting_task(pairing, record->waking.tid);
		return task && (task->wait == TASK_BLOCKED || woken_again(task, record));
	case RECORD_SEED:
		task = waiting_task(pairing, record->tid);
		return task && wants_seed(task, record);
	default:
		return false;
	}
}

static void take_wait_stack(struct task *task, uint32_t stack_id, bool is_exact)
{
	task->wait_stack_id = stack_id;
	task->wait_stack_exact = is_exact;
	task->wait_stack_earlier = false;
	if (stack_id && task->wait_blocked)
		remember_stack(task, stack_id);
	if (stack_id && (task->wait_blocked || !task->call.stack_id))
		show_stack(task, stack_id, false);
}

/* No stack was taken, because there are too many waits. */
static void take_earlier_stack(struct task *task)
{
	task->wait_stack_id = recall_stack(task);
	task->wait_stack_exact = false;
	task->wait_stack_earlier = true;
	if (task->wait_stack_id || !task->call.stack_id)
		show_stack(task, task->wait_stack_id, true);
}

/* It was taken for blocked, as most are that leave their CPU in a call. */
static void was_preempted(struct task *task)
{
	task->wait = TASK_RUNNABLE;
	task->wait_blocked = false;
	if (task->longest_stack_id)
		show_stack(task, task->longest_stack_id, task->longest_stack_earlier);
}

void pairing_switch_out(struct pairing *pairing, const struct record *record, uint32_t stack_id)
{
	struct task *task = waiting_task(pairing, record->tid);

	if (!task)
		return;
	if (told_again(task, record)) {
		if (record->switch_out.stack.user_regs && stack_id)
			take_wait_stack(task, stack_id, true);
		if (!record->switch_out.unsure && task->wait_unsure) {
			task->wait_unsure = false;
			if (record->switch_out.preempted && task->wait == TASK_BLOCKED)
				was_preempted(task);
		}
		return;
	}
	/* Its switch-in was lost: when the wait ended is not known, so it is not counted. */
	task->wait = record->switch_out.preempted ? TASK_RUNNABLE : TASK_BLOCKED;
	task->wait_blocked = !record->switch_out.preempted;
	task->wait_unsure = record->switch_out.unsure;
	task->wait_since_ns = record->time_ns;
	task->wait_start_ns = record->time_ns;
	if (task->wait_blocked) {
		task->call.waker_kind = WAKER_NONE;
		task->call.waker_tid = 0;
		task->call.waker_stack_id = 0;
		task->call.flags &= (uint8_t)~CALL_WAKER_STACK_EARLIER;
	}
	if (record->switch_out.rationed && task->wait_blocked && !stack_id)
		take_earlier_stack(task);
	else
		take_wait_stack(task, stack_id, record->switch_out.stack.user_regs != NULL);
}

void pairing_switch_in(struct pairing *pairing, const struct record *record)
{
	struct task *task = waiting_task(pairing, record->tid);

	if (task)
		wait_end(task, record->time_ns);
}

void pairing_seed_wait(struct pairing *pairing, const struct record *record, uint32_t stack_id)
{
	struct task *task = waiting_task(pairing, record->tid);

	if (!task || !wants_seed(task, record))
		return;
	/* Where nothing is known of its wait, this is when it was found waiting. */
	if (task->call.flags & CALL_SEEDED && task->wait == TASK_RUNNING &&
	    task->call.enter_ns == record->time_ns) {
		task->wait = TASK_BLOCKED;
		task->wait_blocked = true;
		task->wait_since_ns = record->time_ns;
		task->wait_start_ns = record->time_ns;
	}
	if (!stack_id)
		return;
	task->found_stack_id = stack_id;
	if (task->wait != TASK_RUNNING)
		take_wait_stack(task, stack_id, false);
	else
		show_stack(task, stack_id, false); /* nobody tells of switches */
}

static enum waker_kind kind_of_waker(const struct record *record)
{
	/* The idle task wakes nobody by itself, and no thread wakes itself. */
	if (!record->tid || record->tid == record->waking.tid)
		return WAKER_INTERRUPT;
	if (record->waking.has_interrupt_state && record->waking.in_interrupt)
		return WAKER_INTERRUPT;
	return WAKER_THREAD;
}

void pairing_waking(struct pairing *pairing, const struct record *record, uint32_t stack_id)
{
	struct task *task = waiting_task(pairing, record->waking.tid);
	struct call *call;

	if (!task)
		return;
	if (woken_again(task, record) && stack_id)
		take_waker_stack(task, stack_id, false);
	if (task->wait != TASK_BLOCKED)
		return;
	count_wait(task, record->time_ns);
	task->wait = TASK_RUNNABLE;
	call = &task->call;
	call->waker_kind = (uint8_t)kind_of_waker(record);
	call->waker_tid = call->waker_kind == WAKER_THREAD ? record->tid : 0;
	if (call->waker_tid)
		tasks_note_waker(pairing->tasks, call->waker_tid);
	take_waker_stack(task, stack_id, record->waking.rationed);
}

bool wait_timed_out(const struct call *call)
{
	switch (call->nr) {
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_poll:
	case SYS_ppoll:
	case SYS_select:
	case SYS_pselect6:
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2:
	case SYS_io_getevents:
		return call->ret == 0;
	case SYS_rt_sigtimedwait:
	case SYS_semtimedop:
		return call->ret == -EAGAIN;
	default:
		return call->ret == -ETIMEDOUT;
	}
}
