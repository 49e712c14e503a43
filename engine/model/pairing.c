#include "engine/model/pairing.h"

#include "engine/base/mem.h"
#include "engine/model/call_end.h"
#include "engine/model/waits.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

/* Kernel-internal results that only tracers see (include/linux/errno.h). */
enum {
	RESULT_RESTARTSYS = -512,
	RESULT_RESTARTNOINTR = -513,
	RESULT_RESTARTNOHAND = -514,
	RESULT_RESTART_RESTARTBLOCK = -516,
};

/* Limit on CPU numbers, which can come from a file. No system has more CPUs. */
#define CPUS_MAX 65536

void pairing_init(struct pairing *pairing, struct tasks *tasks, pairing_done_fn *done, void *ctx)
{
	memset(pairing, 0, sizeof(*pairing));
	pairing->tasks = tasks;
	pairing->done = done;
	pairing->ctx = ctx;
}

void pairing_release(struct pairing *pairing)
{
	free(pairing->cpu_lost_ns);
	free(pairing->cpu_switches_lost_ns);
	pairing->cpu_lost_ns = pairing->cpu_switches_lost_ns = NULL;
	pairing->cpu_count = pairing->blind_count = 0;
}

static uint16_t short_nr(uint32_t nr)
{
	return nr < UINT16_MAX ? (uint16_t)nr : UINT16_MAX;
}

static uint16_t short_cpu(uint32_t cpu)
{
	return cpu < UINT16_MAX ? (uint16_t)cpu : UINT16_MAX;
}

static bool is_execve(uint32_t nr)
{
	return nr == SYS_execve || nr == SYS_execveat;
}

static bool is_restart(int64_t ret)
{
	return ret == RESULT_RESTARTSYS || ret == RESULT_RESTARTNOINTR ||
	       ret == RESULT_RESTARTNOHAND || ret == RESULT_RESTART_RESTARTBLOCK;
}

/* -- Enters -------------------------------------------------------------------- */

/* Sets each field separately: to clear the struct, compilers emit rep stos, which starts slowly. */
static inline void call_init(struct call *call, const struct task *task, uint64_t enter_ns,
			     uint32_t cpu, uint32_t nr, const uint64_t *args)
{
	call->enter_ns = enter_ns;
	call->dur_ns = -1;
	memcpy(call->args, args, sizeof(call->args));
	call->ret = 0;
	call->blocked_ns = call->runnable_ns = 0;
	call->pid = task->process->pid;
	call->tid = task->tid;
	call->comm_id = task->comm_id;
	call->stack_id = 0;
	call->waker_tid = call->waker_stack_id = 0;
	call->nr = short_nr(nr);
	call->cpu = short_cpu(cpu);
	call->state = CALL_IN_FLIGHT;
	call->flags = 0;
	call->waker_kind = WAKER_NONE;
	call->thread_state = THREAD_STATE_UNKNOWN;
	call->bytes_at = 0;
	call->ran_stack_id = call->ran_after_us = 0;
}

static void begin_call(struct pairing *pairing, struct task *task, uint64_t time_ns, uint32_t cpu,
		       uint32_t nr, const uint64_t *args, uint16_t flags)
{
	struct call *call = &task->call;

	call_init(call, task, time_ns, cpu, nr, args);
	call->flags |= flags;
	task->waits = WAITS_EXACT;
	wait_learn(call, &task->waits, wait_begin_evidence(pairing));
	if (nr == SYS_exit || nr == SYS_exit_group)
		call->flags |= CALL_NO_RETURN;
	task->in_call = true;
	task->wait = TASK_RUNNING;
	task->wait_since_ns = time_ns;
	task->on_cpu = flags & CALL_SEEDED ? UINT16_MAX : call->cpu;
	task->outs = 0;
	task->longest_is_wait = false;
	task->longest_wait_ns = 0;
	task->wait_stack_id = 0;
	task->longest_stack_id = 0;
	task->found_stack_id = 0;
	task->longest_stack_earlier = false;
	task->unsure = false;
	task->restarted = false;
	pairing->in_flight++;
}

struct task *pairing_task(struct pairing *pairing, const struct record *record)
{
	struct task *task = tasks_find(pairing->tasks, record->tid);

	if (__builtin_expect(task && !task->ended && task->process->pid == record->pid, 1))
		return task;
	if (task && task->in_call && record->pid && task->process->pid &&
	    task->process->pid != record->pid)
		call_end_left(pairing, task);
	return tasks_get(pairing->tasks, record->pid, record->tid);
}

static bool same_args(const struct task *task, const uint64_t *args)
{
	return !memcmp(task->call.args, args, sizeof(task->call.args));
}

/*
 * True if this is the late enter record of the call that /proc showed. It can also be the enter of
 * a later, equal call; the result of the first one is unknown anyway.
 */
static bool was_found(const struct task *task, uint64_t time_ns, uint32_t nr, const uint64_t *args)
{
	return task->call.flags & CALL_SEEDED && !task->held && task->call.nr == short_nr(nr) &&
	       (time_ns <= task->call.enter_ns || same_args(task, args));
}

/*
 * True if this enter restarts the held call. If the source does not know, an equal call that
 * follows soon is a restart. After a signal handler, its rt_sigreturn already ended the held call.
 */
static bool resumes(const struct task *task, uint64_t time_ns, uint32_t nr, const uint64_t *args,
		    enum record_resume reported)
{
	if (!task->held || reported == RESUME_NO)
		return false;
	if (nr == SYS_restart_syscall)
		return reported == RESUME_YES ||
		       elapsed_ns(task->held_ns, time_ns) < PAIRING_SETTLE_NS;
	if (short_nr(nr) != task->call.nr)
		return false;
	return reported == RESUME_YES ||
	       (elapsed_ns(task->held_ns, time_ns) < PAIRING_SETTLE_NS && same_args(task, args));
}

/* Handle an enter, which can continue a held call. */
static void enter(struct pairing *pairing, struct task *task, uint64_t time_ns, uint32_t cpu,
		  uint32_t nr, const uint64_t *args, enum record_resume reported)
{
	uint64_t before_ns = task->entered_ns;

	task->entered_ns = time_ns;
	if (__builtin_expect(task->in_call, 0)) {
		if (resumes(task, time_ns, nr, args, reported)) {
			call_end_unhold(pairing, task);
			task->restarted = nr == SYS_restart_syscall;
			/*
			 * The time between return and restart is not a wait; the CPU can have
			 * changed.
			 */
			task->on_cpu = short_cpu(cpu);
			task->wait_since_ns = time_ns;
			return;
		}
		/* Seccomp or the tracer let the call continue: it began before this enter. */
		if (task->call.flags & CALL_UNENTERED && !task->held &&
		    before_ns < task->call.enter_ns && task->call.nr == short_nr(nr)) {
			memcpy(task->call.args, args, sizeof(task->call.args));
			task->outs = 0;
			return;
		}
		if (was_found(task, time_ns, nr, args))
			call_end_drop(pairing, task);
		else
			call_end_left(pairing, task);
	}
	begin_call(pairing, task, time_ns, cpu, nr, args, 0);
}

/* An enter that the filter drops only resumes or ends the held call. */
static void enter_silently(struct pairing *pairing, struct task *task, const struct record *record,
			   uint64_t time_ns)
{
	if (!task->held)
		return;
	if (record->enter.nr == SYS_restart_syscall)
		enter(pairing, task, time_ns, record->cpu, record->enter.nr, record->enter.args,
		      RESUME_YES);
	else
		call_end_held(pairing, task);
}

static void feed_enter(struct pairing *pairing, const struct record *record)
{
	struct task *task = pairing_task(pairing, record);
	uint64_t entered_ns = record->enter.entered_ns;

	if (!entered_ns)
		entered_ns = record->time_ns;
	else if (entered_ns <= task->seen_ns)
		return; /* late enter: the call has already ended */
	if (__builtin_expect(record->enter.resumes == RESUME_SILENT, 0)) {
		enter_silently(pairing, task, record, entered_ns);
		return;
	}
	task->seen_ns = entered_ns;
	enter(pairing, task, entered_ns, record->cpu, record->enter.nr, record->enter.args,
	      record->enter.resumes);
}

/* True if the exit belongs to the call in flight. */
static bool is_its_exit(const struct task *task, uint32_t nr)
{
	if (__builtin_expect(task->call.nr == short_nr(nr), 1))
		return true;
	/* rt_sigreturn restores the registers from before the signal, including the call number. */
	if (task->call.nr == SYS_rt_sigreturn)
		return true;
	return task->restarted && nr == SYS_restart_syscall;
}

static void report_orphan(struct pairing *pairing, struct task *task, const struct record *record)
{
	struct call call = {
		.enter_ns = record->exit.left_ns ? record->exit.left_ns : record->time_ns,
		.dur_ns = -1,
		.ret = record->exit.ret,
		.pid = task->process->pid,
		.tid = task->tid,
		.comm_id = task->comm_id,
		.nr = short_nr(record->exit.nr),
		.cpu = short_cpu(record->cpu),
		.state = CALL_ORPHAN,
		.flags = CALL_WAITS_UNKNOWN,
	};

	pairing->done(pairing->ctx, &call);
}

struct search {
	const struct process *process;
	const struct task *leader;
	struct task *found;
};

static void match_execve(void *ctx, struct task *task)
{
	struct search *search = ctx;

	if (task->process == search->process && task != search->leader && !task->ended &&
	    task->in_call && !task->held && is_execve(task->call.nr))
		search->found = task;
}

/*
 * A thread that calls execve gets the tid of the leader, without a record (de_thread() in
 * fs/exec.c). The call that it entered under its own tid continues under the tid of the leader.
 */
static void adopt_execve(struct pairing *pairing, struct task *leader)
{
	struct search search = { .process = leader->process, .leader = leader };
	struct task *thread;

	if (leader->tid != leader->process->pid || leader->process->threads < 2)
		return;
	if (leader->in_call && is_execve(leader->call.nr))
		return;
	tasks_each(pairing->tasks, match_execve, &search);
	thread = search.found;
	if (!thread)
		return;
	if (leader->in_call)
		call_end_unseen(pairing, leader, CALL_ENDED, 0);
	wait_end(thread, thread->wait_since_ns);
	leader->call = thread->call;
	leader->call.tid = leader->tid;
	leader->in_call = true;
	leader->entered_ns = thread->entered_ns;
	leader->unsure = thread->unsure;
	leader->restarted = false;
	leader->wait = TASK_RUNNING;
	leader->longest_wait_ns = thread->longest_wait_ns;
	leader->longest_stack_id = thread->longest_stack_id;
	leader->longest_stack_earlier = thread->longest_stack_earlier;
	leader->longest_is_wait = thread->longest_is_wait;
	leader->on_cpu = UINT16_MAX;
	leader->wait_since_ns = thread->wait_since_ns;
	leader->outs = thread->outs;
	leader->waits = thread->waits;
	thread->in_call = false;
	tasks_end(pairing->tasks, thread);
}

static bool exit_was_before_us(const struct pairing *pairing, uint64_t seen_ns)
{
	return !seen_ns || seen_ns < pairing->started_ns;
}

static void feed_exit(struct pairing *pairing, const struct record *record)
{
	struct task *task = pairing_task(pairing, record);
	uint32_t nr = record->exit.nr;
	uint64_t seen_ns = task->seen_ns;
	uint64_t left_ns = record->exit.left_ns ? record->exit.left_ns : record->time_ns;

	if (__builtin_expect(record->exit.silent, 0) &&
	    (!task->in_call || task->held || !is_its_exit(task, nr)))
		return;
	task->seen_ns = left_ns;
	if (is_execve(nr) && (!task->in_call || !is_its_exit(task, nr)))
		adopt_execve(pairing, task);
	if (__builtin_expect(!task->in_call || task->held, 0)) {
		if (task->held)
			call_end_held(pairing, task);
		if (!exit_was_before_us(pairing, seen_ns))
			report_orphan(pairing, task, record);
		else if (nr != SYS_clone && nr != SYS_fork && nr != SYS_vfork && nr != SYS_clone3)
			pairing->dropped_orphans++;
		return;
	}
	if (__builtin_expect(!is_its_exit(task, nr), 0)) {
		call_end_unseen(pairing, task, CALL_LOST_EXIT, 0);
		report_orphan(pairing, task, record);
		return;
	}
	if (__builtin_expect(is_restart(record->exit.ret), 0) &&
	    task->call.nr != SYS_rt_sigreturn) {
		call_end_hold(pairing, task, record->exit.ret, left_ns, record->cpu, 0);
		return;
	}
	if (__builtin_expect(is_execve(nr) && !record->exit.ret, 0))
		task->call.comm_id = task->comm_id;
	call_end_done(pairing, task, record->exit.ret, left_ns, record->cpu);
}

/* Feed a RECORD_CALL of a thread that is not in a call: this call is never in flight. */
static void feed_whole(struct pairing *pairing, struct task *task, const struct record *record)
{
	struct call call;
	uint8_t waits = WAITS_EXACT;

	call_init(&call, task, record->call.entered_ns, record->call.enter_cpu, record->call.nr,
		  record->call.args);
	wait_learn(&call, &waits, wait_begin_evidence(pairing));
	call.dur_ns = (int64_t)record->call.dur_ns;
	call.ret = record->call.ret;
	call.state = CALL_DONE;
	task->entered_ns = record->call.entered_ns;
	task->seen_ns = record->call.entered_ns + record->call.dur_ns;
	/*
	 * The source emits the enter before the first switch-out of a call, if the ring has room.
	 * This call had no such enter, so switches or another CPU at the exit mean unrecorded
	 * waits.
	 */
	if (__builtin_expect(record->call.switches > 1 || record->cpu != record->call.enter_cpu ||
				     (!record->call.switches &&
				      wait_switches_lost(pairing, record->cpu, call.enter_ns)),
			     0))
		wait_learn(&call, &waits, EVIDENCE_LOST);
	if (__builtin_expect(task->sampled, 0)) {
		wait_show_sample(task, &call, task->seen_ns);
		task->sampled = false;
	}
	pairing->done(pairing->ctx, &call);
}

/*
 * A RECORD_CALL has enter and exit, so losses in between do not matter. If its enter was emitted
 * before, entered_ns identifies it.
 */
static void feed_call(struct pairing *pairing, const struct record *record)
{
	struct task *task = pairing_task(pairing, record);
	uint64_t entered_ns = record->call.entered_ns;
	uint64_t left_ns = entered_ns + record->call.dur_ns;
	uint32_t nr = record->call.nr;

	if (__builtin_expect(!task->in_call && !is_execve(nr) && !is_restart(record->call.ret) &&
				     nr != SYS_exit && nr != SYS_exit_group,
			     1)) {
		feed_whole(pairing, task, record);
		return;
	}
	/* The tid of the thread may have changed, see adopt_execve(). */
	if (__builtin_expect(is_execve(nr), 0) &&
	    (!task->in_call || task->entered_ns != entered_ns))
		adopt_execve(pairing, task);
	if (__builtin_expect(!task->in_call, 1) || task->held || task->entered_ns != entered_ns)
		enter(pairing, task, entered_ns, record->call.enter_cpu, nr, record->call.args,
		      record->call.resumes);
	task->seen_ns = left_ns;
	if (__builtin_expect(is_restart(record->call.ret), 0) && nr != SYS_rt_sigreturn) {
		call_end_hold(pairing, task, record->call.ret, left_ns, record->cpu,
			      record->call.switches);
		return;
	}
	if (__builtin_expect(is_execve(nr) && !record->call.ret, 0))
		task->call.comm_id = task->comm_id;
	task->unsure = false;
	wait_judge(pairing, task, left_ns, record->cpu, record->call.switches);
	call_end_as(pairing, task, record->call.ret,
		    task->call.flags & CALL_SEEDED
			    ? -1
			    : (int64_t)elapsed_ns(task->call.enter_ns, left_ns));
}

/* -- Other records --------------------------------------------------------------- */

static void feed_seed(struct pairing *pairing, const struct record *record)
{
	struct task *task = pairing_task(pairing, record);
	bool known = task->in_call && !task->held &&
		     task->call.nr == short_nr(record->inflight.nr) &&
		     same_args(task, record->inflight.args);
	uint64_t since_ns = record->inflight.unentered ? sleepers_since(task) : 0;
	uint16_t flags = CALL_SEEDED | (record->inflight.unentered ? CALL_UNENTERED : 0);

	/*
	 * If the thread made a call since tracing or the filter changed, its records are reliable.
	 */
	if (known || (!since_ns && task->seen_ns && task->seen_ns >= pairing->changed_ns))
		return;
	if (task->in_call)
		call_end_left(pairing, task);
	/* The records of later switches may be lost: then the age counts from the lookup. */
	if (!since_ns || pairing->blind_before_ns >= since_ns)
		since_ns = record->time_ns;
	begin_call(pairing, task, since_ns, record->cpu, record->inflight.nr, record->inflight.args,
		   flags);
	if (record->inflight.unentered)
		wait_begin(task, since_ns, record->inflight.state);
}

static void feed_fork(struct pairing *pairing, const struct record *record)
{
	struct task *former = tasks_find(pairing->tasks, record->tid);

	if (former && former->in_call)
		call_end_left(pairing, former);
	former = tasks_fork(pairing->tasks, record->fork.parent_tid, record->pid, record->tid);
	if (record->pid != record->fork.parent_pid)
		former->process->memory_ns = record->time_ns;
}

static void feed_task_exit(struct pairing *pairing, const struct record *record)
{
	struct task *task = tasks_find(pairing->tasks, record->tid);

	uint64_t time_ns = record->time_ns;

	if (!task || task->ended)
		return;
	/* A call interrupted by a kill returns to be restarted, but never is. */
	if (task->held) {
		time_ns = task->held_ns;
		call_end_unhold(pairing, task);
	}
	if (task->in_call)
		call_end_unseen(pairing, task, CALL_ENDED, time_ns);
	tasks_end(pairing->tasks, task);
}

/*
 * A program starts, but its execve was entered before tracing, as for a command whose probes start
 * at its exec. The exit will be an orphan. A call found in /proc has ended; its result is unknown.
 */
static void expect_execve(struct pairing *pairing, struct task *task, uint64_t time_ns)
{
	if (task->in_call && task->call.flags & CALL_SEEDED && !task->held) {
		call_end_drop(pairing, task);
	} else if (task->in_call) {
		call_end_left(pairing, task);
	}
	task->seen_ns = time_ns;
}

static void feed_comm(struct pairing *pairing, const struct record *record)
{
	struct task *task = pairing_task(pairing, record);

	if (record->comm.exec) {
		adopt_execve(pairing, task);
		tasks_exec(pairing->tasks, task);
		task->process->memory_ns = record->time_ns;
		if (!task->in_call || !is_execve(task->call.nr))
			expect_execve(pairing, task, record->time_ns);
	}
	tasks_rename(pairing->tasks, task, record->comm.comm);
}

static void feed_task(struct pairing *pairing, const struct record *record)
{
	struct task *task = pairing_task(pairing, record);

	if (record->task.parent_pid)
		task->process->parent_pid = record->task.parent_pid;
	if (record->task.kernel)
		task->process->kernel = true;
	if (record->task.comm)
		tasks_rename(pairing->tasks, task, record->task.comm);
}

static void feed_owner(struct pairing *pairing, const struct record *record)
{
	struct task *task = pairing_task(pairing, record);

	if (record->owner.comm)
		tasks_rename(pairing->tasks, task, record->owner.comm);
	tasks_own(pairing->tasks, task, record->owner.uid, record->owner.cgroup,
		  record->owner.ns_pid);
}

/* Raise the time of one CPU; a time never decreases. */
static void note_cpu(uint64_t **times, size_t *count, uint32_t cpu, uint64_t time_ns)
{
	size_t wanted = (size_t)cpu + 1;

	if (cpu >= CPUS_MAX)
		return;
	if (wanted > *count) {
		*times = mem_realloc(*times, wanted, sizeof(**times));
		memset(*times + *count, 0, (wanted - *count) * sizeof(**times));
		*count = wanted;
	}
	if (time_ns > (*times)[cpu])
		(*times)[cpu] = time_ns;
}

static void be_blind(struct pairing *pairing, uint32_t cpu, uint64_t until_ns)
{
	if (until_ns > pairing->blind_before_ns)
		pairing->blind_before_ns = until_ns;
	note_cpu(&pairing->cpu_switches_lost_ns, &pairing->blind_count, cpu, until_ns);
}

static void feed_lost(struct pairing *pairing, const struct record *record)
{
	if (record->lost.kind == LOSS_OF_ANYTHING || record->lost.kind == LOSS_OTHER)
		be_blind(pairing, record->cpu, record->time_ns);
	if (record->lost.kind == LOSS_OTHER)
		return;
	pairing->lost_before_ns = record->time_ns;
	note_cpu(&pairing->cpu_lost_ns, &pairing->cpu_count, record->cpu, record->time_ns);
}

static void doubt_task(void *ctx, struct task *task)
{
	(void)ctx;
	task->unsure = true;
	wait_learn(&task->call, &task->waits, EVIDENCE_LOST);
	/* The end of a wait across the gap is unknown too. */
	task->wait = TASK_RUNNING;
}

static void feed_gap(struct pairing *pairing, const struct record *record)
{
	pairing_settle(pairing, UINT64_MAX);
	pairing->lost_before_ns = record->time_ns;
	pairing->started_ns = pairing->changed_ns = record->time_ns;
	tasks_each(pairing->tasks, doubt_task, NULL);
}

static void feed_forget(struct pairing *pairing, const struct record *record)
{
	struct task *task = tasks_find(pairing->tasks, record->tid);

	if (task && task->in_call)
		call_end_drop(pairing, task);
}

void pairing_feed(struct pairing *pairing, const struct record *record)
{
	tasks_set_time(pairing->tasks, record->time_ns);
	switch (record->kind) {
	case RECORD_ENTER:
		feed_enter(pairing, record);
		break;
	case RECORD_EXIT:
		feed_exit(pairing, record);
		break;
	case RECORD_CALL:
		feed_call(pairing, record);
		break;
	case RECORD_INFLIGHT:
		feed_seed(pairing, record);
		break;
	case RECORD_TASK:
		feed_task(pairing, record);
		break;
	case RECORD_OWNER:
		feed_owner(pairing, record);
		break;
	case RECORD_COMM:
		feed_comm(pairing, record);
		break;
	case RECORD_FORK:
		feed_fork(pairing, record);
		break;
	case RECORD_TASK_EXIT:
		feed_task_exit(pairing, record);
		break;
	case RECORD_LOST:
		feed_lost(pairing, record);
		break;
	case RECORD_SWITCHES_LOST:
		be_blind(pairing, record->cpu, record->switches_lost.until_ns);
		break;
	case RECORD_GAP:
		feed_gap(pairing, record);
		break;
	case RECORD_FORGET:
		feed_forget(pairing, record);
		break;
	default:
		break;
	}
}

void pairing_settle(struct pairing *pairing, uint64_t now_ns)
{
	while (pairing->first_held) {
		struct task *task = pairing->first_held;

		if (now_ns != UINT64_MAX && elapsed_ns(task->held_ns, now_ns) < PAIRING_SETTLE_NS)
			return;
		call_end_held(pairing, task);
	}
}

void pairing_settle_early(struct pairing *pairing, size_t max)
{
	for (; max && pairing->first_held; max--)
		call_end_held(pairing, pairing->first_held);
}

struct forget {
	struct pairing *pairing;
	pairing_retain_fn *keep;
	void *ctx;
};

static void forget_task(void *ctx, struct task *task)
{
	struct forget *forget = ctx;

	if (task->in_call && !forget->keep(forget->ctx, &task->call))
		call_end_drop(forget->pairing, task);
}

void pairing_forget(struct pairing *pairing, pairing_retain_fn *keep, void *ctx)
{
	struct forget forget = { .pairing = pairing, .keep = keep, .ctx = ctx };

	tasks_each(pairing->tasks, forget_task, &forget);
}
