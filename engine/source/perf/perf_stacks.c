#include "engine/source/perf/perf_stacks.h"

#include "engine/source/perf/perf_open.h"
#include "engine/source/perf/perf_waker_names.h"

#define FLAGS_INTERRUPT 0x18 /* TRACE_FLAG_HARDIRQ | TRACE_FLAG_SOFTIRQ */

void perf_stacks_limit(struct record_stack *stack, uint32_t max)
{
	uint32_t frames = 0;
	bool user = false;

	if (!max || stack->count < max)
		return;
	for (uint32_t i = 0; i < stack->count; i++) {
		user = user || stack->ips[i] == PERF_CONTEXT_USER;
		frames += stack->ips[i] < PERF_CONTEXT_MAX;
	}
	if (frames >= max)
		stack->cut = STACK_CUT_USER | (user ? 0 : STACK_CUT_KERNEL);
}

/*
 * Read what follows the common fields, in the order of the kernel: callchain, raw bytes, user
 * registers, user stack. False if the sample is malformed.
 */
static bool read_stack_sample(const struct perf_decode *decode, struct perf_cursor *rest,
			      uint64_t type, struct record_stack *stack, const unsigned char **raw,
			      size_t *raw_bytes)
{
	uint64_t count, abi, bytes, filled;
	uint32_t len;
	const void *at;

	memset(stack, 0, sizeof(*stack));
	*raw = NULL;
	*raw_bytes = 0;
	if (type & PERF_SAMPLE_CALLCHAIN) {
		if (!perf_cursor_u64(rest, &count) || count > rest->left / sizeof(uint64_t))
			return false;
		/* Positions and sizes of records are multiples of 8, so ips is aligned. */
		stack->ips = perf_cursor_take(rest, count * sizeof(uint64_t));
		stack->count = (uint32_t)count;
		perf_stacks_limit(stack, decode->max_stack);
	}
	if (type & PERF_SAMPLE_RAW) {
		at = perf_cursor_take(rest, sizeof(len));
		if (!at)
			return false;
		memcpy(&len, at, sizeof(len));
		*raw = perf_cursor_take(rest, len);
		if (!*raw)
			return false;
		*raw_bytes = len;
	}
	if (type & PERF_SAMPLE_REGS_USER) {
		if (!perf_cursor_u64(rest, &abi))
			return false;
		if (abi != PERF_SAMPLE_REGS_ABI_NONE) {
			stack->user_regs = perf_cursor_take(
				rest,
				sizeof(uint64_t) * (size_t)__builtin_popcountll(decode->regs_mask));
			if (!stack->user_regs)
				return false;
			stack->user_regs_mask = decode->regs_mask;
		}
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		if (!perf_cursor_u64(rest, &bytes))
			return false;
		if (bytes) {
			stack->user_stack = perf_cursor_take(rest, bytes);
			if (!stack->user_stack || !perf_cursor_u64(rest, &filled) || filled > bytes)
				return false;
			stack->user_stack_bytes = (uint32_t)filled;
		}
	}
	return true;
}

/* Count a stack for perf_stack_limit; a user stack counts twice, for its unwinding. */
static void count_stack(struct perf_decode *decode, const struct perf_id *event)
{
	if (event->kind == PERF_KIND_SWITCH || event->kind == PERF_KIND_WAKING)
		decode->stacks++;
	else if (decode->deep_alone && event->kind != PERF_KIND_BARE_WAKING)
		decode->stacks += 2;
}

bool perf_stacks_enter(struct perf_decode *decode, struct perf_cursor *rest,
		       struct record_stack *stack, const unsigned char **raw, size_t *raw_bytes)
{
	return read_stack_sample(decode, rest, decode->types[PERF_KIND_ENTER], stack, raw,
				 raw_bytes) &&
	       *raw;
}

/*
 * Convert prev_state of sched_switch. It is 0 or has one bit set. Since Linux 4.14 the bits have
 * the order of the letters in the kernel's TASK_STATE_TO_CHAR_STR.
 */
static enum run_state state_of(uint64_t prev_state)
{
	static const uint8_t states[] = { THREAD_SLEEPING, THREAD_DISK, THREAD_STOPPED,
					  THREAD_TRACED,   THREAD_DEAD, THREAD_ZOMBIE,
					  THREAD_PARKED,   THREAD_IDLE };

	for (size_t i = 0; i < sizeof(states); i++)
		if (prev_state >> i & 1)
			return states[i];
	return THREAD_RUNNABLE;
}

void perf_stacks_switch(struct perf_decode *decode, const struct perf_id *event,
			struct record *record, struct perf_cursor *rest, record_fn *take, void *ctx)
{
	const unsigned char *raw;
	const struct record switched = *record;
	uint32_t next;
	size_t bytes;

	if (!read_stack_sample(decode, rest, decode->types[event->kind], &record->switch_out.stack,
			       &raw, &bytes) ||
	    (raw && bytes < decode->switch_bytes)) {
		decode->malformed++;
		return;
	}
	/*
	 * The low byte has the states in which a task does not run. Preemption sets only a higher
	 * bit (TASK_REPORT_MAX, which moved between kernel versions).
	 */
	record->switch_out.preempted = raw &&
				       !(tracepoint_value(&decode->switch_state, raw, 0) & 0xff);
	record->switch_out.state =
		raw ? (uint8_t)state_of(tracepoint_value(&decode->switch_state, raw, 0))
		    : THREAD_STATE_UNKNOWN;
	count_stack(decode, event);
	record->switch_out.stack_limited = false;
	record->switch_out.unsure = !raw && !decode->blocked_alone;
	record->kind = RECORD_SWITCH_OUT;
	if (perf_decode_is_task(record->tid) &&
	    perf_decode_wants(decode, record->pid, record->tid)) {
		if (!decode->per_task)
			task_table_set_pid(&decode->tasks, record->tid, record->pid);
		perf_decode_pass(decode, record, take, ctx);
	}
	if (raw && decode->next_from_switch) {
		next = (uint32_t)tracepoint_value(&decode->switch_next, raw, 0);
		perf_decode_switch_in(decode, &switched, task_table_pid(&decode->tasks, next), next,
				      take, ctx);
	}
}

/* Wakings and running tasks are sampled on whole CPUs, even if the other events are on tasks. */
static bool wants_on_cpus(const struct perf_decode *decode, uint32_t pid, uint32_t tid)
{
	if (!decode->per_task)
		return perf_decode_wants(decode, pid, tid);
	/* If the process of a thread is unknown, assume that the thread is its leader. */
	return !(task_table_word(&decode->tasks, tid) & TASK_OWN) &&
	       task_table_watched(&decode->tasks, pid ? pid : tid, tid);
}

void perf_stacks_running(struct perf_decode *decode, const struct perf_id *event,
			 struct record *record, struct perf_cursor *rest, record_fn *take,
			 void *ctx)
{
	const unsigned char *raw;
	size_t bytes;

	if (!read_stack_sample(decode, rest, decode->types[event->kind], &record->running.stack,
			       &raw, &bytes)) {
		decode->malformed++;
		return;
	}
	record->kind = RECORD_RUNNING;
	if (perf_decode_is_task(record->tid) && wants_on_cpus(decode, record->pid, record->tid))
		perf_decode_pass(decode, record, take, ctx);
}

/* Drop the user part: the user code that was interrupted is unrelated to the wakeup. */
static void leave_out_user(struct record_stack *stack)
{
	for (uint32_t i = 0; i < stack->count; i++)
		if (stack->ips[i] == PERF_CONTEXT_USER)
			stack->count = i;
	stack->cut &= STACK_CUT_KERNEL;
	stack->user_regs = NULL;
	stack->user_regs_mask = 0;
	stack->user_stack = NULL;
	stack->user_stack_bytes = 0;
}

/* Emit the name of an unwatched waker, which no record contains. */
static void meet_waker(struct perf_decode *decode, const struct record *record, record_fn *take,
		       void *ctx)
{
	uint32_t pid = record->pid, tid = record->tid;

	if (!decode->waker_names || (!decode->select && !decode->per_task) || !tid ||
	    task_table_word(&decode->tasks, tid) & TASK_NAMED ||
	    task_table_watched(&decode->tasks, pid, tid))
		return;
	perf_waker_names_meet(decode->waker_names, decode, record, take, ctx);
}

void perf_stacks_waking(struct perf_decode *decode, const struct perf_id *event,
			struct record *record, struct perf_cursor *rest, record_fn *take, void *ctx)
{
	const unsigned char *raw;
	uint32_t pid, tid;
	size_t bytes;

	if (!read_stack_sample(decode, rest, decode->types[event->kind], &record->waking.stack,
			       &raw, &bytes) ||
	    !raw || bytes < decode->waking_bytes) {
		decode->malformed++;
		return;
	}
	count_stack(decode, event);
	tid = (uint32_t)tracepoint_value(&decode->waking_tid, raw, 0);
	pid = task_table_pid(&decode->tasks, tid);
	if (!wants_on_cpus(decode, pid, tid))
		return;
	if (!perf_decode_is_task(record->tid))
		record->pid = record->tid = 0;
	record->kind = RECORD_WAKING;
	record->waking.stack_limited = event->kind == PERF_KIND_BARE_WAKING;
	record->waking.tid = tid;
	record->waking.pid = pid;
	record->waking.raw = (struct record_bytes){ .chunks = raw, .len = bytes };
	record->waking.has_interrupt_state = true;
	record->waking.in_interrupt = tracepoint_value(&decode->waking_flags, raw, 0) &
				      FLAGS_INTERRUPT;
	if (record->waking.in_interrupt)
		leave_out_user(&record->waking.stack);
	else
		meet_waker(decode, record, take, ctx);
	perf_decode_pass(decode, record, take, ctx);
}
