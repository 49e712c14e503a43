#include "engine/source/bpf/bpf_calls.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/base/units.h"
#include "engine/record/futex_op.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

/* Programs do not wake the reader, so a filling ring is polled more often. */
#define BUSY_WAIT_MS 2
/* A call in flight that was not reported shows up within this time plus BPF_LONG_NS. */
#define LIST_EVERY_NS (100 * NS_PER_MS)
/* Listing walks all threads. The interval limits its cost to 1/1000 of a CPU; it is at most 2 s. */
#define LIST_COST_SHARE 1000
#define LIST_EVERY_NS_MAX (2 * NS_PER_S)
#define LIST_NONE_NS (NS_PER_S / 2)

static void emit_enter(struct bpf_calls *calls, uint32_t nr)
{
	calls->load.settings->eager[nr / 64] |= 1ULL << (nr % 64);
}

/* Let the programs emit the enter, then judge the thread again: its owner may change. */
static void emit_change(struct bpf_calls *calls, uint32_t nr)
{
	emit_enter(calls, nr);
	calls->load.settings->changes[nr / 64] |= 1ULL << (nr % 64);
}

/*
 * Let the programs emit the enters of calls after which the thread is gone or has another owner.
 * Without sched_waking events, also the enters of calls that wake threads: their exits come too
 * late to infer the waker.
 */
static void emit_at_once(struct bpf_calls *calls, const struct source_options *options)
{
	emit_enter(calls, SYS_exit);
	emit_enter(calls, SYS_exit_group);
	emit_change(calls, SYS_execve);
	emit_change(calls, SYS_execveat);
	emit_change(calls, SYS_setuid);
	emit_change(calls, SYS_setreuid);
	emit_change(calls, SYS_setresuid);
	for (uint32_t nr = 0; options->stacks == STACKS_OFF && nr < BPF_SYSCALLS; nr++)
		if (futex_op_is(nr))
			emit_enter(calls, nr);
}

/* Unless the filter is fixed, load the programs for any filter. */
static enum bpf_load_programs programs_for(const struct source_options *options)
{
	if (!options->filter_stays)
		return BPF_LOAD_ANY;
	return bpf_plan_kind_for(&options->filter, options->syscall_event) == BPF_PLAN_ALL
		       ? BPF_LOAD_NOT_SINGLE
		       : BPF_LOAD_NOT_ALL;
}

int bpf_calls_open(struct bpf_calls **calls, const struct source_options *options,
		   struct perf_decode *decode, struct err *err)
{
	struct bpf_calls *made;
	int ret;

	made = mem_zalloc(1, sizeof(*made));
	made->decode = decode;
	ret = bpf_load_open(&made->load, options->ring_bytes, programs_for(options),
			    options->capture, err);
	if (ret) {
		free(made);
		return ret;
	}
	cgroups_open(&made->cgroups);
	cgroup_names_init(&made->cgroup_names, &made->cgroups);
	bpf_plan_init(&made->plan, &made->load, options->syscall_event);
	bpf_predicates_init(&made->predicates, &made->load, &made->cgroups);
	bpf_overflow_init(&made->overflow, &made->load);
	emit_at_once(made, options);
	if (options->capture)
		*made->load.rules = *options->capture;
	ret = bpf_predicates_set_target(&made->predicates, options->target, options->own_tids,
					options->own_tid_count, err);
	if (!ret)
		ret = bpf_calls_set_filter(made, &options->filter, err);
	made->overflow.filter_changed = false;
	if (ret) {
		bpf_calls_close(made);
		return ret;
	}
	*calls = made;
	return 0;
}

void bpf_calls_close(struct bpf_calls *calls)
{
	if (!calls)
		return;
	bpf_plan_release(&calls->plan);
	bpf_overflow_release(&calls->overflow);
	bpf_predicates_release(&calls->predicates);
	cgroup_names_release(&calls->cgroup_names);
	cgroups_close(&calls->cgroups);
	bpf_load_close(&calls->load);
	free(calls);
}

int bpf_calls_start(struct bpf_calls *calls, struct err *err)
{
	bpf_calls_set_running(calls, true);
	return bpf_plan_start(&calls->plan, err);
}

void bpf_calls_set_running(struct bpf_calls *calls, bool running)
{
	__atomic_store_n(&calls->load.settings->running, running, __ATOMIC_RELEASE);
	bpf_plan_set_running(&calls->plan, running);
}

bool bpf_calls_are_seen(struct bpf_calls *calls)
{
	return bpf_plan_is_reached(&calls->plan);
}

int bpf_calls_wait_ms(const struct bpf_calls *calls, int timeout_ms)
{
	return calls->busy && (timeout_ms < 0 || timeout_ms > BUSY_WAIT_MS) ? BUSY_WAIT_MS
									    : timeout_ms;
}

int bpf_calls_set_filter(struct bpf_calls *calls, const struct kernel_filter *filter,
			 struct err *err)
{
	int ret = bpf_predicates_set_filter(&calls->predicates, filter, err);

	if (ret)
		return ret;
	bpf_overflow_set_filter(&calls->overflow, filter);
	bpf_plan_set_filter(&calls->plan, filter);
	return 0;
}

int bpf_calls_change_target(struct bpf_calls *calls, const struct target *target,
			    const struct target_change *change, const struct kernel_filter *filter,
			    struct err *err)
{
	return bpf_predicates_change_target(&calls->predicates, target, change, filter, err);
}

void bpf_calls_begin(struct bpf_calls *calls, struct merge *merge, uint32_t first_input)
{
	calls->busy = false;
	for (uint32_t i = 0; i < calls->load.ring_count; i++) {
		struct bpf_ring *ring = &calls->load.rings[i].ring;
		const struct bpf_record *emit;

		bpf_ring_refresh(ring);
		calls->busy = calls->busy || ring->head - ring->cursor > ring->bytes / 16;
		emit = bpf_ring_peek(ring);
		if (emit)
			merge_add(merge, first_input + i, emit->time_ns);
	}
}

/* Return the chunks after a record. Their readers validate the contents. */
static struct record_bytes bytes_behind(const struct bpf_record *emit)
{
	struct record_bytes bytes = { .chunks = NULL };
	unsigned int captured = emit->captured & BPF_RECORD_CAPTURED;

	if (captured != BPF_CAPTURED_NONE && emit->bytes > sizeof(*emit)) {
		bytes.chunks = emit + 1;
		bytes.len = emit->bytes - sizeof(*emit);
		bytes.more = captured == BPF_CAPTURED_MORE;
	}
	return bytes;
}

/* Emit the comm from the record: reading it from /proc takes longer with many threads. */
static void emit_name(struct bpf_calls *calls, const struct bpf_record *emit, struct record record,
		      record_fn *take, void *ctx)
{
	char comm[2 * sizeof(emit->args[1]) + 1] = "";

	memcpy(comm, &emit->args[1], sizeof(comm) - 1);
	record.kind = RECORD_TASK;
	record.task.comm = comm;
	record.task.parent_pid = 0;
	record.task.kernel = false;
	perf_decode_pass(calls->decode, &record, take, ctx);
}

static void hand_over(struct bpf_calls *calls, const struct bpf_record *emit, uint32_t cpu,
		      record_fn *take, void *ctx)
{
	enum bpf_record_kind kind = emit->kind & ~BPF_RECORD_RESUMES;
	enum record_resume resumes = emit->kind & BPF_RECORD_RESUMES ? RESUME_YES : RESUME_NO;
	struct record record;

	if (!perf_decode_wants(calls->decode, emit->pid, emit->tid) ||
	    perf_decode_is_setup(calls->decode, emit->tid, emit->nr, kind != BPF_RECORD_EXIT))
		return;
	record.time_ns = emit->time_ns;
	record.pid = emit->pid;
	record.tid = emit->tid;
	record.cpu = cpu;
	switch (kind) {
	case BPF_RECORD_MOVED:
		perf_decode_doubt_owner(calls->decode, emit->pid, emit->tid);
		return;
	case BPF_RECORD_CALL:
		record.kind = RECORD_CALL;
		record.call.nr = emit->nr;
		memcpy(record.call.args, emit->args, sizeof(record.call.args));
		record.call.ret = emit->ret;
		record.call.entered_ns = emit->enter_ns;
		record.call.dur_ns = emit->time_ns - emit->enter_ns;
		record.call.enter_cpu = emit->cpu;
		record.call.switches = 1 + (emit->captured >> BPF_RECORD_SWITCHES_SHIFT);
		record.call.resumes = (uint8_t)resumes;
		record.call.bytes = bytes_behind(emit);
		break;
	case BPF_RECORD_ENTER:
		record.kind = RECORD_ENTER;
		record.cpu = emit->cpu;
		record.enter.nr = emit->nr;
		memcpy(record.enter.args, emit->args, sizeof(record.enter.args));
		record.enter.entered_ns = emit->enter_ns;
		record.enter.bytes = bytes_behind(emit);
		record.enter.resumes = (uint8_t)resumes;
		break;
	case BPF_RECORD_EXIT:
		record.kind = RECORD_EXIT;
		record.exit.left_ns = 0;
		record.exit.silent = false;
		record.exit.nr = emit->nr;
		record.exit.ret = emit->ret;
		break;
	case BPF_RECORD_HANDLER:
		record.kind = RECORD_ENTER;
		record.enter.nr = SYS_rt_sigreturn; /* handlers end with it, except by longjmp */
		memset(record.enter.args, 0, sizeof(record.enter.args));
		record.enter.entered_ns = 0;
		record.enter.bytes = (struct record_bytes){ .len = 0 };
		record.enter.resumes = RESUME_SILENT;
		break;
	case BPF_RECORD_OWNER:
		emit_name(calls, emit, record, take, ctx);
		record.kind = RECORD_OWNER;
		record.owner.uid = (uint32_t)emit->ret;
		record.owner.cgroup = cgroup_names_find(&calls->cgroup_names, emit->args[0],
							emit->tid);
		record.owner.ns_pid = (uint32_t)emit->args[3];
		record.owner.comm = NULL;
		break;
	default:
		calls->malformed++;
		return;
	}
	perf_decode_pass(calls->decode, &record, take, ctx);
}

void bpf_calls_drain(struct bpf_calls *calls, struct merge *merge, uint32_t ring, record_fn *take,
		     void *ctx)
{
	struct bpf_load_ring *of_cpu = &calls->load.rings[ring];
	const struct bpf_record *emit = bpf_ring_peek(&of_cpu->ring);

	hand_over(calls, emit, of_cpu->cpu, take, ctx);
	bpf_ring_advance(&of_cpu->ring, emit);
	emit = bpf_ring_peek(&of_cpu->ring);
	if (emit)
		merge_next(merge, emit->time_ns);
	else
		merge_drop(merge);
}

/* Context of take_in_flight(). */
struct taker {
	struct bpf_calls *calls;
	record_fn *take;
	void *ctx;
	size_t taken;
};

static void take_in_flight(void *arg, const struct bpf_record *emit)
{
	struct taker *taker = arg;

	if ((emit->kind & ~BPF_RECORD_RESUMES) != BPF_RECORD_ENTER)
		return;
	taker->taken++;
	hand_over(taker->calls, emit, emit->cpu, taker->take, taker->ctx);
}

static void list_in_flight(struct bpf_calls *calls, uint64_t horizon_ns, record_fn *take, void *ctx)
{
	struct taker taker = { .calls = calls, .take = take, .ctx = ctx };
	uint64_t began_ns = clock_thread_ns(), every_ns;

	bpf_load_each_in_flight(&calls->load, take_in_flight, &taker);
	every_ns = (clock_thread_ns() - began_ns) * LIST_COST_SHARE;
	if (every_ns < LIST_EVERY_NS)
		every_ns = LIST_EVERY_NS;
	/* On an idle machine, walking all threads in vain is most of stxtop's cost. */
	if (!taker.taken && every_ns < LIST_NONE_NS)
		every_ns = LIST_NONE_NS;
	if (every_ns > LIST_EVERY_NS_MAX)
		every_ns = LIST_EVERY_NS_MAX;
	calls->list_next_ns = horizon_ns + every_ns;
}

void bpf_calls_settle(struct bpf_calls *calls, uint64_t horizon_ns, bool last, record_fn *take,
		      void *ctx)
{
	for (uint32_t i = 0; i < calls->load.ring_count; i++)
		bpf_ring_commit(&calls->load.rings[i].ring);
	if (horizon_ns >= calls->refreshed_ns + LIST_EVERY_NS && !last) {
		calls->refreshed_ns = horizon_ns;
		/* On failure the filter still passes every cgroup. */
		bpf_predicates_refresh(&calls->predicates, NULL);
	}
	if (horizon_ns >= calls->list_next_ns && !last)
		list_in_flight(calls, horizon_ns, take, ctx);
	bpf_overflow_settle(&calls->overflow, horizon_ns, last, calls->decode, take, ctx);
}

/* Describe for display the part of the filter that the programs test. */
static void describe_bank(struct str *out, const struct bpf_bank *bank, size_t named)
{
	char ns[UNITS_TEXT_BYTES];
	unsigned int wanted = 0;

	if (bank->nothing) {
		str_add(out, "no calls");
		return;
	}
	for (size_t i = 0; i < BPF_SYSCALLS / 64; i++)
		wanted += (unsigned int)__builtin_popcountll(bank->syscalls[i]);
	if (wanted < BPF_SYSCALLS)
		str_addf(out, ", %u of the system calls", wanted);
	if (bank->by_task || bank->not_task)
		str_addf(out, ", %zu process%s or thread%s%s", named, named == 1 ? "" : "es",
			 named == 1 ? "" : "s", bank->by_task ? "" : " excluded");
	if (bank->by_uid)
		str_add(out, ", by user");
	if (bank->by_cgroup)
		str_add(out, ", by cgroup");
	if (bank->min_ns)
		str_addf(out, ", dur >= %s", units_format_ns(ns, bank->min_ns));
	if (bank->failed)
		str_add(out, ", failed");
}

void bpf_calls_describe(struct bpf_calls *calls, struct source_status *status)
{
	const struct bpf_settings *settings = calls->load.settings;
	struct str text = STR_INIT;

	status->name = "bpf";
	status->ring_bytes = calls->load.ring_bytes;
	describe_bank(&text, &settings->banks[settings->change % BPF_BANKS],
		      calls->predicates.named.count);
	snprintf(status->kernel_filter, sizeof(status->kernel_filter), "%s",
		 text.len && text.data[0] == ',' ? text.data + 2 : text.data);
	str_release(&text);
}

static void take_register(uint64_t *regs, uint64_t *mask, unsigned int number, uint64_t value)
{
	regs[number] = value;
	*mask |= 1ULL << number;
}

bool bpf_calls_registers(void *ctx, uint32_t tid, uint64_t regs[PROC_STACK_REGS], uint64_t *mask)
{
	struct bpf_calls *calls = ctx;
	struct bpf_registers from;

	if (!bpf_load_registers(&calls->load, tid, &from))
		return false;
	*mask = 0;
	take_register(regs, mask, PERF_REG_X86_BX, from.bx);
	take_register(regs, mask, PERF_REG_X86_BP, from.bp);
	take_register(regs, mask, PERF_REG_X86_SP, from.sp);
	take_register(regs, mask, PERF_REG_X86_IP, from.ip);
	take_register(regs, mask, PERF_REG_X86_DI, from.di);
	take_register(regs, mask, PERF_REG_X86_SI, from.si);
	take_register(regs, mask, PERF_REG_X86_DX, from.dx);
	take_register(regs, mask, PERF_REG_X86_R8, from.r8);
	take_register(regs, mask, PERF_REG_X86_R9, from.r9);
	take_register(regs, mask, PERF_REG_X86_R10, from.r10);
	take_register(regs, mask, PERF_REG_X86_R12, from.r12);
	take_register(regs, mask, PERF_REG_X86_R13, from.r13);
	take_register(regs, mask, PERF_REG_X86_R14, from.r14);
	take_register(regs, mask, PERF_REG_X86_R15, from.r15);
	return true;
}
