#include "engine/model/waits.h"

#include "engine/base/clock.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

/*
 * Two switch-outs of one call within this time, without a switch-in in between, are one switch that
 * was recorded twice.
 */
#define SAME_SWITCH_NS (500 * NS_PER_US)

static uint16_t short_cpu(uint32_t cpu)
{
	return cpu < UINT16_MAX ? (uint16_t)cpu : UINT16_MAX;
}

static void count_wait(struct task *task, uint64_t time_ns)
{
	uint64_t waited = elapsed_ns(task->wait_since_ns, time_ns);

	if (task->wait == TASK_BLOCKED)
		task->call.blocked_ns += waited;
	else if (task->wait == TASK_RUNNABLE)
		task->call.runnable_ns += waited;
	task->wait_since_ns = time_ns;
}

/* -- Stacks ---------------------------------------------------------------------- */

static uint16_t kind_of_stack(const struct task *task, uint32_t stack_id, bool earlier, bool waited)
{
	bool found = stack_id && stack_id == task->found_stack_id;

	return (uint16_t)((earlier ? CALL_STACK_EARLIER : 0) | (found ? CALL_STACK_FOUND : 0) |
			  (stack_id && !waited && !found ? CALL_STACK_PREEMPTED : 0));
}

/* Show the stack of the current wait. */
static void show_stack(struct task *task, uint32_t stack_id, bool earlier)
{
	wait_show_stack(&task->call, stack_id,
			kind_of_stack(task, stack_id, earlier, task->wait_blocked));
}

static void show_longest(struct task *task)
{
	uint32_t stack_id = task->longest_stack_id;

	wait_show_stack(
		&task->call, stack_id,
		kind_of_stack(task, stack_id, task->longest_stack_earlier, task->longest_is_wait));
}

/*
 * True if the call ran longer than it blocked. False if waits are unknown: the remaining time may
 * be time off the CPU.
 */
static bool ran_most(const struct call *call, uint64_t end_ns)
{
	uint64_t took = elapsed_ns(call->enter_ns, end_ns);
	uint64_t waited = call->blocked_ns + call->runnable_ns;

	return call_waits_are_known(call) && took > waited && took - waited > call->blocked_ns;
}

/*
 * For a call that never waited, the best stack is that of a sample on the CPU. The stack of a
 * preemption is used only without a sample. A call that mostly ran gets the stack of the sample in
 * addition to that of its wait.
 */
void wait_show_sample(struct task *task, struct call *call, uint64_t end_ns)
{
	uint64_t after_us = elapsed_ns(call->enter_ns, task->sampled_ns) / NS_PER_US;

	call->ran_stack_id = 0;
	if (task->sampled_ns < call->enter_ns || task->sampled_ns > end_ns)
		return;
	call->ran_after_us = after_us < UINT32_MAX ? (uint32_t)after_us : 0;
	if (!call->stack_id || call->flags & (CALL_STACK_PREEMPTED | CALL_STACK_SAMPLED) ||
	    call_stack_is_of_enter(call))
		wait_show_stack(call, task->sampled_stack_id, CALL_STACK_SAMPLED);
	else if (ran_most(call, end_ns))
		call->ran_stack_id = task->sampled_stack_id;
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

static void take_waker_stack(struct task *task, uint32_t stack_id, bool stack_limited)
{
	struct wait_memory *memory = memory_of(task);
	struct call *call = &task->call;
	bool known = is_of(memory, call);

	if (stack_id && known) {
		memory->waker_tid = call->waker_tid;
		memory->waker_stack_id = stack_id;
	} else if (stack_limited) {
		call->flags |= CALL_WAKER_STACK_EARLIER;
		if (known && memory->waker_tid == call->waker_tid)
			stack_id = memory->waker_stack_id;
	}
	call->waker_stack_id = stack_id;
}

/* -- Blocked and runnable time ----------------------------------------------------- */

void wait_begin(struct task *task, uint64_t time_ns, uint8_t state)
{
	task->wait = TASK_BLOCKED;
	task->wait_blocked = true;
	task->wait_since_ns = task->wait_start_ns = time_ns;
	task->call.thread_state = state & 15;
}

void wait_end(struct task *task, uint64_t time_ns)
{
	uint64_t whole = elapsed_ns(task->wait_start_ns, time_ns);

	if (task->wait == TASK_RUNNING)
		return;
	count_wait(task, time_ns);
	task->wait = TASK_RUNNING;
	/* The stack of a preemption has little value, so any real wait replaces it. */
	if (!task->wait_blocked)
		whole = 0;
	if (task->wait_stack_id && (!task->longest_stack_id || whole > task->longest_wait_ns)) {
		task->longest_stack_id = task->wait_stack_id;
		task->longest_is_wait = task->wait_blocked;
		task->longest_stack_earlier = task->wait_stack_earlier;
		task->longest_wait_ns = whole;
	} else if (!task->longest_stack_id) {
		task->longest_stack_earlier |= task->wait_stack_earlier;
	}
	/* If no wait has a stack, the stack from /proc stays. */
	if (task->longest_stack_id || !task->call.stack_id)
		show_longest(task);
	if (__builtin_expect(task->sampled, 0))
		wait_show_sample(task, &task->call, time_ns);
}

/* -- Losses -------------------------------------------------------------------------- */

bool wait_switches_lost(const struct pairing *pairing, uint32_t cpu, uint64_t since_ns)
{
	if (__builtin_expect(pairing->blind_before_ns < since_ns, 1))
		return false;
	return cpu < pairing->blind_count && pairing->cpu_switches_lost_ns[cpu] >= since_ns;
}

static void learn(struct task *task, enum wait_evidence evidence)
{
	wait_learn(&task->call, &task->waits, evidence);
}

/* A thread that counts as waiting runs: its switch-in was lost, if the source emits any. */
static void learn_of_lost_in(const struct pairing *pairing, struct task *task)
{
	if (!pairing->ins_unreported)
		learn(task, EVIDENCE_LOST);
}

/*
 * Judge a thread that counted as running since wait_since_ns; its present record is from `cpu`.
 * Another CPU than on_cpu means a missed switch. on_cpu is unknown for a call found in /proc.
 */
static void judge_running(const struct pairing *pairing, struct task *task, uint32_t cpu)
{
	if (!pairing->ins_unreported && task->on_cpu != UINT16_MAX && cpu != UINT16_MAX &&
	    task->on_cpu != cpu)
		learn(task, EVIDENCE_LOST);
	else if (wait_switches_lost(pairing, cpu, task->wait_since_ns) ||
		 wait_switches_lost(pairing, task->on_cpu, task->wait_since_ns))
		learn(task, EVIDENCE_MAY_BE_LOST);
}

/* Judge a thread that counted as waiting until now, but may have run elsewhere in between. */
static void judge_waiting(const struct pairing *pairing, struct task *task)
{
	if (__builtin_expect(pairing->blind_before_ns >= task->wait_start_ns, 0))
		learn(task, EVIDENCE_MAY_BE_LOST);
}

/* Larger than differences of CPU clocks, and than corrections of times to keep records in order. */
#define CLOCKS_NS NS_PER_MS

/* The waits of a call cannot exceed its duration. */
static void fit_waits(struct task *task, uint64_t dur_ns)
{
	struct call *call = &task->call;
	uint64_t waited = call->blocked_ns + call->runnable_ns, excess;

	if (__builtin_expect(waited <= dur_ns, 1))
		return;
	excess = waited - dur_ns;
	if (excess > CLOCKS_NS)
		learn(task, EVIDENCE_LOST);
	if (call->runnable_ns < excess) {
		call->blocked_ns -= excess - call->runnable_ns;
		call->runnable_ns = 0;
	} else {
		call->runnable_ns -= excess;
	}
}

void wait_judge(const struct pairing *pairing, struct task *task, uint64_t time_ns, uint32_t cpu,
		uint16_t switches)
{
	struct call *call = &task->call;

	/* A returning thread runs on a CPU, so its switch-in was lost. */
	if (__builtin_expect(task->wait != TASK_RUNNING, 0)) {
		learn_of_lost_in(pairing, task);
		wait_end(task, time_ns);
	} else {
		judge_running(pairing, task, cpu);
	}
	if (!switches)
		learn(task, EVIDENCE_UNCOUNTED);
	else if (((unsigned int)(switches - 1) ^ task->outs) % RECORD_SWITCHES)
		learn(task, EVIDENCE_COUNT_DIFFERS);
	else
		learn(task, EVIDENCE_COUNT_EQUAL);
	if (__builtin_expect(task->sampled, 0))
		wait_show_sample(task, call, time_ns);
	fit_waits(task, elapsed_ns(call->enter_ns, time_ns));
}

/* Waits between the return of a call and its restart do not belong to the call. */
static bool waits_in_call(const struct task *task)
{
	return task->in_call && !task->held;
}

static struct task *waiting_task(const struct pairing *pairing, uint32_t tid)
{
	struct task *task = tasks_find(pairing->tasks, tid);

	return task && waits_in_call(task) ? task : NULL;
}

/*
 * A source can record a switch twice, to add data that the first record cannot hold. It also does
 * so if it does not know whether the ring had room for the first record.
 */
static bool is_repeated_switch(const struct pairing *pairing, const struct task *task,
			       const struct record *record)
{
	if (task->wait == TASK_RUNNING)
		return false;
	if (elapsed_ns(task->wait_start_ns, record->time_ns) < SAME_SWITCH_NS)
		return true;
	/* The records can be further apart if the CPU was interrupted, as by a hypervisor. */
	return !pairing->ins_unreported && task->on_cpu == short_cpu(record->cpu) &&
	       !wait_switches_lost(pairing, record->cpu, task->wait_start_ns);
}

/* True for a repeated waking that is already counted. */
static bool woken_again(const struct task *task, const struct record *record)
{
	return task->wait == TASK_RUNNABLE && record->waking.stack.user_regs &&
	       task->call.waker_kind == WAKER_THREAD && task->call.waker_tid == record->tid &&
	       elapsed_ns(task->wait_since_ns, record->time_ns) < SAME_SWITCH_NS;
}

static bool is_same_call(const struct task *task, const struct record *record)
{
	return task->call.nr == record->inflight.nr &&
	       !memcmp(task->call.args, record->inflight.args, sizeof(task->call.args));
}

/*
 * True if the stack of an in-flight record is useful. The stack of the switch-out is better, unless
 * it is missing or could not be unwound exactly.
 */
static bool wants_seed(const struct task *task, const struct record *record)
{
	if (!is_same_call(task, record))
		return false;
	return !task->call.stack_id || (task->wait != TASK_RUNNING && task->wait_stack_earlier) ||
	       (record->inflight.stack && record->inflight.stack->user_regs &&
		!task->wait_stack_exact);
}

/*
 * Minimum age of a call for a sample: the stack of a younger call is random. BPF programs report a
 * call without switches only at its exit; until then, the end of the previous call counts as enter.
 */
#define YOUNG_NS (2 * NS_PER_MS)

static bool wants_sample(const struct task *task, const struct record *record)
{
	uint64_t since_ns;

	if (!task || task->ended || task->held || (task->in_call && task->wait != TASK_RUNNING))
		return false;
	since_ns = task->in_call ? task->call.enter_ns : task->seen_ns;
	return elapsed_ns(since_ns, record->time_ns) >= YOUNG_NS;
}

bool pairing_wants_stack(const struct pairing *pairing, const struct record *record)
{
	const struct task *task;

	switch (record->kind) {
	case RECORD_SWITCH_OUT:
		task = waiting_task(pairing, record->tid);
		return task && (record->switch_out.stack.user_regs ||
				!is_repeated_switch(pairing, task, record));
	case RECORD_RUNNING:
		return wants_sample(tasks_find(pairing->tasks, record->tid), record);
	case RECORD_WAKING:
		task = waiting_task(pairing, record->waking.tid);
		return task && (task->wait == TASK_BLOCKED || woken_again(task, record));
	case RECORD_INFLIGHT:
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

/* Show the stack of an earlier wait: the stack limit left this wait without one. */
static void take_earlier_stack(struct task *task)
{
	task->wait_stack_id = recall_stack(task);
	task->wait_stack_exact = false;
	task->wait_stack_earlier = true;
	if (task->wait_stack_id || !task->call.stack_id)
		show_stack(task, task->wait_stack_id, true);
}

/* Correct a switch-out that counted as blocked, as most in a call do: it was a preemption. */
static void was_preempted(struct task *task)
{
	task->wait = TASK_RUNNABLE;
	task->wait_blocked = false;
	if (task->longest_stack_id)
		show_longest(task);
	else if (task->call.stack_id == task->wait_stack_id)
		show_stack(task, task->wait_stack_id, task->wait_stack_earlier);
}

void pairing_switch_out(struct pairing *pairing, const struct record *record, uint32_t stack_id)
{
	struct task *task = tasks_find(pairing->tasks, record->tid);

	if (!task)
		return;
	if (!waits_in_call(task)) {
		if (!record->switch_out.preempted && !pairing->ins_unreported)
			sleepers_add(&pairing->sleepers, task, record->time_ns);
		return;
	}
	if (record->switch_out.state && !record->switch_out.preempted)
		task->call.thread_state = record->switch_out.state & 15;
	if (is_repeated_switch(pairing, task, record)) {
		if (record->switch_out.stack.user_regs && stack_id)
			take_wait_stack(task, stack_id, true);
		if (!record->switch_out.unsure && task->wait_unsure) {
			task->wait_unsure = false;
			if (record->switch_out.preempted && task->wait == TASK_BLOCKED)
				was_preempted(task);
		}
		return;
	}
	task->outs++;
	/* The switch-in was lost. The end of the wait is unknown, so the wait is not counted. */
	if (__builtin_expect(task->wait != TASK_RUNNING, 0))
		learn_of_lost_in(pairing, task);
	else
		judge_running(pairing, task, record->cpu);
	task->on_cpu = short_cpu(record->cpu);
	task->wait = record->switch_out.preempted ? TASK_RUNNABLE : TASK_BLOCKED;
	task->wait_blocked = !record->switch_out.preempted;
	task->wait_unsure = record->switch_out.unsure;
	task->wait_since_ns = record->time_ns;
	task->wait_start_ns = record->time_ns;
	if (task->wait_blocked) {
		task->call.thread_state = record->switch_out.state & 15;
		task->call.waker_kind = WAKER_NONE;
		task->call.waker_tid = 0;
		task->call.waker_stack_id = 0;
		task->call.flags &= (uint16_t)~CALL_WAKER_STACK_EARLIER;
	}
	if (record->switch_out.stack_limited && task->wait_blocked && !stack_id)
		take_earlier_stack(task);
	else
		take_wait_stack(task, stack_id, record->switch_out.stack.user_regs != NULL);
}

void pairing_switch_in(struct pairing *pairing, const struct record *record)
{
	struct task *task = tasks_find(pairing->tasks, record->tid);

	if (!task)
		return;
	task->slept_ns = 0;
	if (!waits_in_call(task))
		return;
	/*
	 * A running thread's switch-out was lost, except in a call found in /proc: that thread can
	 * have left the CPU before tracing began.
	 */
	if (task->wait != TASK_RUNNING)
		judge_waiting(pairing, task);
	else if (!(task->call.flags & CALL_SEEDED))
		learn(task, EVIDENCE_LOST);
	wait_end(task, record->time_ns);
	task->wait_since_ns = record->time_ns;
	task->on_cpu = short_cpu(record->cpu);
}

void pairing_running(struct pairing *pairing, const struct record *record, uint32_t stack_id)
{
	struct task *task = tasks_find(pairing->tasks, record->tid);

	if (!stack_id || !wants_sample(task, record))
		return;
	task->sampled = true;
	task->sampled_ns = record->time_ns;
	task->sampled_stack_id = stack_id;
	if (task->in_call)
		wait_show_sample(task, &task->call, record->time_ns);
}

void pairing_watch_waits(struct pairing *pairing, bool watched, bool ins)
{
	pairing->ins_unreported = !ins;
	pairing->waits_unwatched = !watched;
}

void pairing_call_at(const struct pairing *pairing, const struct task *task, uint64_t now_ns,
		     struct call *call)
{
	tasks_call_at(task, now_ns, call);
	if (task->wait == TASK_RUNNING &&
	    wait_switches_lost(pairing, task->on_cpu, task->wait_since_ns))
		call->flags |= CALL_WAITS_UNKNOWN;
	if (!call_waits_are_known(call) && task->wait == TASK_RUNNING)
		call->thread_state = THREAD_STATE_UNKNOWN;
	/* The caller wants to see where the thread waits now. */
	if (task->wait == TASK_BLOCKED)
		call->ran_stack_id = 0;
	if (task->wait != TASK_RUNNING && task->wait_stack_id &&
	    (!call->stack_id || elapsed_ns(task->wait_start_ns, now_ns) > task->longest_wait_ns))
		wait_show_stack(call, task->wait_stack_id,
				kind_of_stack(task, task->wait_stack_id, task->wait_stack_earlier,
					      task->wait_blocked));
}

/* Take the thread state that /proc shows for this call: it can be the only evidence of a wait. */
static void take_found_state(struct task *task, const struct record *record)
{
	struct call *call = &task->call;

	if (is_same_call(task, record) && !call->thread_state &&
	    (task->wait == TASK_BLOCKED || call->flags & CALL_SEEDED))
		call->thread_state = record->inflight.state & 15;
}

void pairing_inflight_wait(struct pairing *pairing, const struct record *record, uint32_t stack_id)
{
	struct task *task = waiting_task(pairing, record->tid);

	if (!task)
		return;
	take_found_state(task, record);
	if (!wants_seed(task, record))
		return;
	/* No record shows when the wait began: it counts from the time of the in-flight record. */
	if (task->call.flags & CALL_SEEDED && task->wait == TASK_RUNNING &&
	    task->call.enter_ns == record->time_ns) {
		wait_begin(task, record->time_ns, record->inflight.state);
	}
	if (!stack_id)
		return;
	task->found_stack_id = stack_id;
	if (task->wait != TASK_RUNNING)
		take_wait_stack(task, stack_id, false);
	else
		show_stack(task, stack_id, false); /* the source emits no switch records */
}

static enum waker_kind kind_of_waker(const struct record *record)
{
	/* Neither the idle task nor the thread itself can be the waker: an interrupt was. */
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
	take_waker_stack(task, stack_id, record->waking.stack_limited);
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
