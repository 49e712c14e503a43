/*
 * stxtop.bpf - one record per system call, written in the kernel at its exit.
 *
 * An enter is stored with its task, and the exit emits both at once. If its thread leaves its CPU
 * during a call, the enter is emitted at the first switch. So waiting threads are visible, and
 * scheduler events find their call. Nothing is written for calls that the filter drops. Calls
 * without room in the ring are counted.
 *
 * The kernel runs tracepoint programs with preemption disabled, so each CPU runs at most one of the
 * programs at enter and exit. The program at switches runs between them.
 */
#include "engine/source/bpf/call_filter.h"
#include "engine/source/bpf/emit.h"
#include "engine/source/bpf/overflow.h"

#include <asm/unistd.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

char program_license[] SEC("license") = "GPL";

/* ---- enter and exit --------------------------------------------------------------- */

/* True if the last wanted call of this thread was interrupted and may be restarted. */
static __always_inline bool is_held(void)
{
	struct thread_state *thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(),
							   NULL, 0);

	return thread && thread->held;
}

static __always_inline int enter(struct pt_regs *regs, __u32 nr)
{
	const volatile struct bpf_bank *bank;
	struct thread_state *thread;
	__u32 change = settings.change, cpu;
	bool eager;

	/* Force nr into one register: the verifier learns bounds of the compared register only. */
	asm volatile("" : "+r"(nr));
	if (settings.overlap && entered_before(nr))
		return 0;
	bank = bank_of(change);
	if (!settings.running || bank->nothing)
		return 0;
	if (!wants_nr(bank, nr) && (nr != __NR_restart_syscall || !is_held()))
		return 0;
	thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL,
				      BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!thread || !wants_thread(thread, change))
		return 0;
	cpu = bpf_get_smp_processor_id();
	if (settings.by_cpu &&
	    (cpu >= BPF_CPUS_MAX || !(settings.cpus[cpu / 64] >> (cpu % 64) & 1)))
		return 0;
	/* If no signal handler ran, this enter restarts the interrupted call. */
	thread->resumes = thread->held ? BPF_RECORD_RESUMES : 0;
	thread->switches = 0;
	call_args(regs, thread->args);
	/* rt_sigreturn has no arguments: its frame is at the stack pointer. */
	if (nr == __NR_rt_sigreturn)
		thread->args[0] = regs->sp;
	thread->nr = nr;
	thread->cpu = cpu;
	thread->reported = 0;
	thread->enter_ns = bpf_ktime_get_ns();
	thread->in_call = 1;
	eager = nr < BPF_SYSCALLS && settings.eager[nr / 64] >> (nr % 64) & 1;
	/* A filter by duration or failure drops most calls, so postpone copying their memory. */
	begin_copying(thread, !eager && (bank->min_ns || bank->failed));
	if (eager || (captures && thread->large))
		emit_in_flight(thread, cpu);
	if (eager && settings.changes[nr / 64] >> (nr % 64) & 1)
		thread->judged = 0;
	/* The ring had no room. Chunks copied from now on are marked as later than the enter. */
	if (captures && thread->large && !thread->reported) {
		thread->large = 0;
		thread->later = 1;
	}
	return 0;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter, struct pt_regs *regs, long id)
{
	return enter(regs, (__u32)id);
}

/* Emit the exit of a call that began before tracing, or whose enter the filter dropped. */
static __always_inline int emit_half(struct pt_regs *regs, long ret)
{
	const volatile struct bpf_bank *bank;
	__u32 change = settings.change, nr = call_number(regs), cpu;
	struct thread_state *thread;
	struct bpf_record *emit;
	struct place place;

	bank = bank_of(change);
	if (!settings.running || !wants_nr(bank, nr) || bank->nothing || !is_covered(nr))
		return 0;
	thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL,
				      BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!thread || !wants_thread(thread, change))
		return 0;
	if (settings.overlap && thread->left == settings.overlap && thread->nr == nr)
		return 0;
	cpu = bpf_get_smp_processor_id();
	if (settings.by_cpu &&
	    (cpu >= BPF_CPUS_MAX || !(settings.cpus[cpu / 64] >> (cpu % 64) & 1)))
		return 0;
	if (!find_place(&place, cpu, true))
		return 0;
	emit = reserve(&place, BPF_CAPTURED_NONE);
	emit->time_ns = bpf_ktime_get_ns();
	emit->enter_ns = 0;
	emit->kind = BPF_RECORD_EXIT;
	emit->ret = ret;
	emit->nr = nr < 65535 ? nr : 65535;
	emit->cpu = cpu;
	for (int i = 0; i < 6; i++)
		emit->args[i] = 0;
	fill_task(emit);
	commit(emit, &place);
	return 0;
}

static __always_inline int leave(struct pt_regs *regs, long ret)
{
	struct thread_state *thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(),
							   NULL, 0);
	const volatile struct bpf_bank *bank = bank_of(settings.change);
	struct bpf_record *emit;
	struct place place;
	__u64 now_ns, dur_ns;
	bool known, passes;

	if (!thread || !is_in_call(thread)) {
		/* The most common case while few tasks are watched. */
		if (thread && thread->judged == settings.change && !thread->wanted)
			return 0;
		return emit_half(regs, ret);
	}
	thread->in_call = 0;
	thread->left = settings.overlap;
	if (!settings.running)
		return 0;
	now_ns = bpf_ktime_get_ns();
	dur_ns = now_ns - thread->enter_ns;
	known = thread->reported || thread->held;
	thread->held = restarts(ret);
	passes = dur_ns >= bank->min_ns && (!bank->failed || failed(ret));
	/* The parts of a restarted call are one call, so each part is emitted, however short. */
	if (!passes && !known && !thread->held)
		return 0;
	if (!find_place(&place, bpf_get_smp_processor_id(), known))
		return passes ? count(thread, ret, dur_ns) : 0;
	if (captures && !place.full)
		add_all(&place, thread, ret);
	emit = reserve(&place, captures && thread->large ? BPF_CAPTURED_MORE : BPF_CAPTURED_ALL);
	emit->time_ns = now_ns;
	emit->kind = BPF_RECORD_CALL | thread->resumes;
	emit->captured |= thread->switches << BPF_RECORD_SWITCHES_SHIFT;
	emit->ret = ret;
	fill_enter(emit, thread);
	fill_task(emit);
	commit(emit, &place);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_exit, struct pt_regs *regs, long ret)
{
	return leave(regs, ret);
}

/*
 * Same as on_enter and on_exit, at the tracepoints of single calls. Their context lacks the
 * registers, so these are read from the task. Returning 0 would hide the call from the perf events
 * of other users at the tracepoint.
 */
SEC("tp")
int on_single_enter(void *context)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());

	enter(regs, call_number(regs));
	return 1;
}

SEC("tp")
int on_single_exit(void *context)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());

	leave(regs, call_result(regs));
	return 1;
}

/* ---- long calls ------------------------------------------------------------------ */

/*
 * List long calls in flight whose threads did not leave their CPU: no other program reports them.
 * User space reads the list from time to time. Read-only, so it can run beside all other programs.
 */
SEC("iter/task")
int list_in_flight(struct bpf_iter__task *context)
{
	struct seq_file *out = context->meta->seq;
	struct task_struct *task = context->task;
	const volatile struct bpf_bank *bank = bank_of(settings.change);
	struct bpf_record emit = { .kind = BPF_RECORD_ENTER, .bytes = sizeof(emit) };
	struct thread_state *thread;
	__u64 age_ns;

	if (!task)
		return 0;
	thread = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!thread || !is_in_call(thread) || thread->reported)
		return 0;
	fill_enter(&emit, thread);
	age_ns = bpf_ktime_get_ns() - emit.enter_ns;
	/* A call that the filter may drop at its exit must not be emitted. */
	if ((__s64)age_ns < BPF_LONG_NS || age_ns < bank->min_ns || bank->failed ||
	    thread->judged != settings.change)
		return 0;
	emit.time_ns = emit.enter_ns;
	emit.pid = task->tgid;
	emit.tid = task->pid;
	/* The call can have ended meanwhile, and another one can have begun. */
	if (thread->in_call && thread->enter_ns == emit.enter_ns)
		bpf_seq_write(out, &emit, sizeof(emit));
	return 0;
}

/*
 * Read the user registers of a thread that waits in a system call, without stopping it. The
 * registers of a running thread are outdated.
 */
SEC("iter/task")
int list_registers(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct bpf_registers out;
	struct pt_regs *regs;

	if (!task)
		return 0;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	out.bx = regs->bx;
	out.bp = regs->bp;
	out.sp = regs->sp;
	out.ip = regs->ip;
	out.di = regs->di;
	out.si = regs->si;
	out.dx = regs->dx;
	out.r10 = regs->r10;
	out.r8 = regs->r8;
	out.r9 = regs->r9;
	out.r12 = regs->r12;
	out.r13 = regs->r13;
	out.r14 = regs->r14;
	out.r15 = regs->r15;
	bpf_seq_write(context->meta->seq, &out, sizeof(out));
	return 0;
}

/* ---- switches, signals, forks, exits --------------------------------------------- */

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch)
{
	struct thread_state *thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(),
							   NULL, 0);

	if (!thread || !is_in_call(thread))
		return 0;
	thread->switches++;
	if (!thread->reported)
		emit_in_flight(thread, bpf_get_smp_processor_id());
	return 0;
}

/* A handler that runs before the restart ends the interrupted call. */
SEC("tp_btf/signal_deliver")
int BPF_PROG(on_signal, int number, void *info, struct k_sigaction *action)
{
	struct thread_state *thread;
	struct bpf_record *emit;
	struct place place;

	/* SIG_DFL or SIG_IGN: no handler runs. */
	if ((unsigned long)action->sa.sa_handler <= 1)
		return 0;
	thread = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL, 0);
	if (!thread || !thread->held)
		return 0;
	thread->held = 0;
	if (!settings.running || !find_place(&place, bpf_get_smp_processor_id(), true))
		return 0;
	emit = reserve(&place, BPF_CAPTURED_NONE);
	emit->time_ns = bpf_ktime_get_ns();
	emit->kind = BPF_RECORD_HANDLER;
	emit->nr = thread->nr < 65535 ? thread->nr : 65535;
	fill_task(emit);
	commit(emit, &place);
	return 0;
}

/* Runs before the child is scheduled for the first time. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	__u32 pid = child->tgid, flags = family_of(parent->tgid);

	flags &= ~(BPF_FAMILY_THREAD | BPF_FAMILY_OWN);
	if (child->pid == child->tgid && flags & BPF_FAMILY_PROCESS)
		bpf_map_update_elem(&family, &pid, &flags, BPF_ANY);
	return 0;
}

/* Runs before any task can enter the cgroup. */
SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(on_cgroup)
{
	__sync_fetch_and_add(&cgroups_made, 1);
	return 0;
}

/* Runs after a move of `task`, or of the process of a first thread, in any cgroup hierarchy. */
SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(on_move, void *cgroup, const char *path, struct task_struct *task)
{
	struct bpf_record *emit;
	struct place place;

	if (!settings.running || !find_place(&place, bpf_get_smp_processor_id(), true))
		return 0;
	emit = reserve(&place, BPF_CAPTURED_NONE);
	emit->time_ns = bpf_ktime_get_ns();
	emit->kind = BPF_RECORD_MOVED;
	emit->pid = task->tgid;
	emit->tid = task->pid;
	commit(emit, &place);
	return 0;
}

/*
 * Remove the ids from the family map, as they may be reused soon. The call that ended the thread
 * must not be emitted at the last switch or from a zombie: the reader would see a new call.
 */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_end, struct task_struct *task)
{
	struct thread_state *thread = bpf_task_storage_get(&threads, task, NULL, 0);
	__u32 pid = task->tgid, tid = task->pid;

	if (thread)
		thread->in_call = 0;
	if (tid != pid && family_of(tid))
		bpf_map_delete_elem(&family, &tid);
	/* Use a helper: verifying a direct access takes the kernel 2 ms. */
	if (!BPF_CORE_READ(task, signal, live.counter) && family_of(pid))
		bpf_map_delete_elem(&family, &pid);
	return 0;
}
