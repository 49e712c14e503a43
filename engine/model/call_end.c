#include "engine/model/call_end.h"

#include "engine/model/waits.h"

void call_end_hold(struct pairing *pairing, struct task *task, int64_t ret, uint64_t time_ns,
		   uint32_t cpu, uint16_t switches)
{
	wait_judge(pairing, task, time_ns, cpu, switches);
	/* The source counts the switches of each part of a restarted call separately. */
	task->outs = 0;
	task->held = true;
	task->held_ret = ret;
	task->held_ns = time_ns;
	task->next_held = NULL;
	task->prev_held = pairing->last_held;
	*(pairing->last_held ? &pairing->last_held->next_held : &pairing->first_held) = task;
	pairing->last_held = task;
	pairing->held++;
}

void call_end_unhold(struct pairing *pairing, struct task *task)
{
	if (!task->held)
		return;
	*(task->prev_held ? &task->prev_held->next_held : &pairing->first_held) = task->next_held;
	*(task->next_held ? &task->next_held->prev_held : &pairing->last_held) = task->prev_held;
	task->prev_held = task->next_held = NULL;
	task->held = false;
	pairing->held--;
}

/*
 * True if records were lost on `cpu` while the call ran. The kernel reports a loss before the next
 * record of that CPU. So on the CPU of the enter, a loss that is reported after the enter happened
 * after it.
 */
static bool lost_on(const struct pairing *pairing, uint32_t cpu, uint64_t enter_ns)
{
	return cpu < pairing->cpu_count && pairing->cpu_lost_ns[cpu] >= enter_ns;
}

/*
 * True if enter and exit may belong to two calls with the same number. Recorded waits do not rule
 * that out: the thread may have waited between the two calls as well.
 */
static bool is_doubtful(const struct pairing *pairing, const struct call *call, uint32_t exit_cpu)
{
	if (__builtin_expect(pairing->lost_before_ns < call->enter_ns, 1))
		return false;
	return lost_on(pairing, call->cpu, call->enter_ns) ||
	       lost_on(pairing, exit_cpu, call->enter_ns);
}

static void report(struct pairing *pairing, struct task *task)
{
	task->in_call = false;
	task->wait = TASK_RUNNING;
	pairing->in_flight--;
	pairing->done(pairing->ctx, &task->call);
}

void call_end_as(struct pairing *pairing, struct task *task, int64_t ret, int64_t dur_ns)
{
	struct call *call = &task->call;

	call->dur_ns = dur_ns;
	call->ret = ret;
	call->state = CALL_DONE;
	if ((call->waker_kind == WAKER_INTERRUPT ||
	     (call->waker_kind == WAKER_NONE && call->blocked_ns)) &&
	    wait_timed_out(call))
		call->waker_kind = WAKER_TIMER;
	report(pairing, task);
}

void call_end_done(struct pairing *pairing, struct task *task, int64_t ret, uint64_t time_ns,
		   uint32_t cpu)
{
	struct call *call = &task->call;
	int64_t dur_ns = (int64_t)elapsed_ns(call->enter_ns, time_ns);

	wait_judge(pairing, task, time_ns, cpu, 0);
	if (__builtin_expect(task->unsure, 0)) {
		call->flags |= CALL_SEEDED;
		dur_ns = -1;
	} else if (__builtin_expect(call->flags & CALL_SEEDED, 0) ||
		   is_doubtful(pairing, call, cpu)) {
		dur_ns = -1;
	}
	call_end_as(pairing, task, ret, dur_ns);
}

void call_end_held(struct pairing *pairing, struct task *task)
{
	call_end_unhold(pairing, task);
	/* The waits were judged when the call returned. */
	task->on_cpu = UINT16_MAX;
	task->wait_since_ns = task->held_ns;
	call_end_done(pairing, task, task->held_ret, task->held_ns, UINT16_MAX);
}

/* An exiting thread runs on a CPU. If its last wait has no switch-in, that record was lost. */
static void judge_end(const struct pairing *pairing, struct task *task, uint64_t time_ns)
{
	if (task->wait != TASK_RUNNING && !pairing->ins_unreported)
		wait_learn(&task->call, &task->waits, EVIDENCE_LOST);
	wait_end(task, time_ns);
	if (wait_switches_lost(pairing, task->on_cpu, task->wait_since_ns))
		wait_learn(&task->call, &task->waits, EVIDENCE_MAY_BE_LOST);
	if (__builtin_expect(task->sampled, 0))
		wait_show_sample(task, &task->call, time_ns);
}

void call_end_unseen(struct pairing *pairing, struct task *task, enum call_state state,
		     uint64_t time_ns)
{
	if (task->held) {
		call_end_held(pairing, task);
		return;
	}
	if (time_ns) {
		judge_end(pairing, task, time_ns);
		if (!task->unsure && !(task->call.flags & CALL_SEEDED))
			task->call.dur_ns = (int64_t)elapsed_ns(task->call.enter_ns, time_ns);
	}
	if (!time_ns)
		wait_learn(&task->call, &task->waits, EVIDENCE_LOST);
	task->call.state = (uint8_t)state;
	report(pairing, task);
}

/* True if the exit of this call may have been lost. */
static bool may_have_lost_exit(const struct pairing *pairing, const struct task *task)
{
	return task->unsure || pairing->lost_before_ns >= task->call.enter_ns;
}

void call_end_drop(struct pairing *pairing, struct task *task)
{
	if (task->held)
		call_end_unhold(pairing, task);
	task->in_call = false;
	task->wait = TASK_RUNNING;
	pairing->in_flight--;
}

void call_end_left(struct pairing *pairing, struct task *task)
{
	/*
	 * The call was found in /proc. Its exit was not lost, so it ended before tracing began.
	 */
	if (task->call.flags & CALL_SEEDED && !task->held && !may_have_lost_exit(pairing, task)) {
		call_end_drop(pairing, task);
		return;
	}
	call_end_unseen(pairing, task,
			may_have_lost_exit(pairing, task) ? CALL_LOST_EXIT : CALL_ENDED, 0);
}
