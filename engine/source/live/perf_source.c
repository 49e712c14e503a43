/*
 * perf_source - the source that watches the running kernel.
 *
 * Uses perf events. Where requested and permitted, BPF programs (bpf_calls.h) report the calls, one
 * record per call, and the source merges both kinds of records by time.
 */
#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/source/live/perf_calls.h"
#include "engine/source/live/perf_retarget.h"
#include "engine/source/live/perf_source_private.h"
#include "engine/source/live/perf_user_stacks.h"
#include "engine/source/source.h"
#include "engine/source/tracefs.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED_STEP_NS (3 * NS_PER_MS) /* time for reading /proc in one drain */
#define HELD_BACK_MS 1
#define LOOKED_AT_MS 200 /* longest wait, with wake_often */

static struct perf_source *from(struct source *source)
{
	return (struct perf_source *)source;
}

static void perf_source_close(struct source *source)
{
	struct perf_source *perf = from(source);

	bpf_calls_close(perf->bpf);
	perf_tracepoints_close(&perf->events);
	perf_plan_close(&perf->plan);
	proc_synthesize_release(&perf->seed);
	kernel_names_release(&perf->names);
	perf_waker_names_release(&perf->waker_names);
	perf_decode_release(&perf->decode);
	merge_release(&perf->merge);
	kernel_filter_release(&perf->filter);
	free(perf);
}

static void seed(struct perf_source *perf)
{
	struct task_list processes = TASK_LIST_INIT, threads = TASK_LIST_INIT;

	perf_plan_watched(&perf->plan, &processes, &threads);
	proc_synthesize_begin(&perf->seed, &processes, &threads);
	task_list_release(&processes);
	task_list_release(&threads);
}

static int perf_source_start(struct source *source, struct err *err)
{
	struct perf_source *perf = from(source);
	int ret;

	/* Read symbol names before tracing starts, while the rings cannot overflow. */
	if (perf->seed.stacks.names)
		kernel_names_read(&perf->names);
	ret = perf_plan_start(&perf->plan, err);
	if (!ret)
		ret = perf_tracepoints_enable(&perf->events, err);
	if (!ret && perf->bpf)
		ret = bpf_calls_start(perf->bpf, err);
	if (!ret)
		seed(perf);
	return ret;
}

static int perf_source_wait(struct source *source, int timeout_ms)
{
	struct perf_source *perf = from(source);

	if (proc_synthesize_reading(&perf->seed))
		timeout_ms = proc_synthesize_held_back(&perf->seed) ? HELD_BACK_MS : 0;
	else if (perf->wake_often && (timeout_ms < 0 || timeout_ms > LOOKED_AT_MS))
		timeout_ms = LOOKED_AT_MS;
	if (perf->bpf)
		timeout_ms = bpf_calls_wait_ms(perf->bpf, timeout_ms);
	if (perf_rings_wait(&perf->plan.rings, timeout_ms) > 0)
		return 1;
	return proc_synthesize_reading(&perf->seed);
}

static int perf_source_drain(struct source *source, record_fn *take, void *ctx, struct err *err)
{
	struct perf_source *perf = from(source);

	(void)err;
	if (perf->synthesize_due && perf->plan.running &&
	    (!perf->bpf || bpf_calls_are_seen(perf->bpf))) {
		perf->synthesize_due = false;
		seed(perf);
	}
	proc_synthesize_step(&perf->seed, &perf->filter, SEED_STEP_NS);
	perf_drain(perf, take, ctx);
	return 0;
}

void perf_source_want_owners(struct perf_source *perf)
{
	bool wanted = perf->filter.owners;

	/* BPF programs report task owners themselves, but only of tasks that make system calls. */
	if (perf->bpf)
		wanted = wanted && perf->events.count;
	else
		wanted = wanted || !perf->plan.sees_moves;
	perf_owners_want(&perf->decode.owners, &perf->decode.tasks, wanted);
}

static int perf_source_set_filter(struct source *source, const struct kernel_filter *filter,
				  struct err *err)
{
	struct perf_source *perf = from(source);
	int ret = perf->bpf ? bpf_calls_set_filter(perf->bpf, filter, err)
			    : perf_calls_set_filter(&perf->plan, filter, err);

	if (!ret)
		ret = perf_plan_set_idle(&perf->plan, filter->nothing, err);
	if (!ret) {
		kernel_filter_release(&perf->filter);
		kernel_filter_copy(&perf->filter, filter);
		perf_source_want_owners(perf);
		/* Synthesize calls in flight that the previous filter dropped. */
		perf->synthesize_due = perf->plan.running;
	}
	return ret;
}

static bool perf_source_takes_change(const struct source *source)
{
	return perf_calls_take_change(&((const struct perf_source *)source)->plan);
}

static int perf_source_set_running(struct source *source, bool running, struct err *err)
{
	struct perf_source *perf = from(source);
	struct record gap = { .kind = RECORD_GAP };
	bool was = perf->plan.running;
	int ret;

	if (running == was)
		return 0;
	perf->stopped = !running;
	if (perf->bpf)
		bpf_calls_set_running(perf->bpf, running);
	ret = perf_plan_set_running(&perf->plan, running, err);
	if (!running)
		perf_tracepoints_disable(&perf->events);
	else if (!ret)
		ret = perf_tracepoints_enable(&perf->events, err);
	if (!ret && running) {
		gap.time_ns = clock_now_ns();
		proc_synthesize_add(&perf->seed, &gap);
		perf->synthesize_due = true;
	}
	return ret;
}

/* Synthesize calls already in flight from /proc; for a system-wide target, of every task. */
static void seed_new(struct perf_source *perf, const struct target *target,
		     const struct target_change *change)
{
	if (target_is_system(target)) {
		perf->synthesize_due = perf->plan.running;
		return;
	}
	for (size_t i = 0; perf->plan.running && i < change->new_pids.count; i++)
		proc_synthesize_also(&perf->seed, change->new_pids.ids[i]);
	for (size_t i = 0; perf->plan.running && i < change->new_tids.count; i++)
		task_list_add(&perf->seed.single, change->new_tids.ids[i]);
}

static void undo_change(struct perf_source *perf, const struct task_list *pids,
			const struct task_list *tids)
{
	const struct target old = { .pids = pids->ids,
				    .pid_count = pids->count,
				    .tids = tids->ids,
				    .tid_count = tids->count };
	struct target_change change;

	if (perf_plan_set_target(&perf->plan, &old, &perf->filter, &change, NULL)) {
		target_change_release(&change);
		return;
	}
	perf_tracepoints_follow(&perf->events, &perf->plan, &change, NULL);
	if (perf->bpf)
		bpf_calls_change_target(perf->bpf, &old, &change, &perf->filter, NULL);
	target_change_release(&change);
}

/* Verify that the pids and tids of added targets were not reused before their events were open. */
static int check_new(const struct target *target, const struct target_change *change,
		     struct err *err)
{
	size_t next = 0;

	for (size_t i = 0; i < target->pid_count && next < change->new_pids.count; i++) {
		if (target->pids[i] != change->new_pids.ids[next])
			continue;
		next++;
		if (!target_pid_lives(target, i))
			return err_set(err, -ESRCH, "process %u has exited", target->pids[i]);
	}
	next = 0;
	for (size_t i = 0; i < target->tid_count && next < change->new_tids.count; i++) {
		if (target->tids[i] != change->new_tids.ids[next])
			continue;
		next++;
		if (!target_tid_lives(target, i))
			return err_set(err, -ESRCH, "thread %u has exited", target->tids[i]);
	}
	return 0;
}

static int perf_source_set_target(struct source *source, const struct target *target,
				  struct err *err)
{
	struct perf_source *perf = from(source);
	struct task_list pids = TASK_LIST_INIT, tids = TASK_LIST_INIT;
	struct target_change change;
	int ret;

	task_list_copy(&pids, &perf->plan.pids);
	task_list_copy(&tids, &perf->plan.tids);
	ret = perf_plan_set_target(&perf->plan, target, &perf->filter, &change, err);
	if (!ret) {
		ret = perf_tracepoints_follow(&perf->events, &perf->plan, &change, err);
		if (!ret && perf->bpf)
			ret = bpf_calls_change_target(perf->bpf, target, &change, &perf->filter,
						      err);
		if (!ret)
			ret = check_new(target, &change, err);
		if (ret)
			undo_change(perf, &pids, &tids);
	}
	if (!ret)
		seed_new(perf, target, &change);
	target_change_release(&change);
	task_list_release(&pids);
	task_list_release(&tids);
	return ret;
}

static bool perf_source_watches(const struct source *source, uint32_t pid, uint32_t tid)
{
	const struct perf_source *perf = (const struct perf_source *)source;

	return perf_decode_wants(&perf->decode, pid, tid);
}

static int perf_source_set_user_stacks(struct source *source, const uint32_t *pids, size_t count,
				       struct err *err)
{
	struct perf_source *perf = from(source);
	int ret = perf_user_stack_set(&perf->plan, pids, count, err);

	/* Threads that already wait have no sample with a stack: read it from /proc. */
	for (size_t i = 0; perf->seed.stacks.names && perf->plan.running && i < count; i++)
		proc_synthesize_also(&perf->seed, pids[i]);
	return ret;
}

static void perf_source_look_up(struct source *source, const uint32_t *tids, size_t count)
{
	struct perf_source *perf = from(source);

	/* A call that the kernel then drops by its duration or result would never end. */
	if (perf->filter.min_dur_ns || perf->filter.failed)
		return;
	for (size_t i = 0; i < count; i++)
		proc_synthesize_sleeper(&perf->seed, tids[i]);
}

static int perf_source_set_events(struct source *source, const char *list, struct err *err)
{
	struct perf_source *perf = from(source);
	int ret = perf_tracepoints_set(&perf->events, &perf->plan, list, err);

	perf_source_want_owners(perf);
	return ret;
}

static void perf_source_status(struct source *source, struct source_status *status)
{
	struct perf_source *perf = from(source);
	const struct perf_plan *plan = &perf->plan;
	size_t used;

	memset(status, 0, sizeof(*status));
	status->name = source->ops->name;
	status->ring_bytes = plan->rings.ring_bytes;
	status->rings = plan->rings.count;
	status->events = (unsigned int)(plan->side.count + plan->moves.count + plan->waits.count +
					plan->wakers.count + plan->stack_limit.wakers.count +
					plan->user_stacks.probes.count + plan->computing.count +
					plan->calls.count) +
			 perf_tracepoints_open_count(&perf->events);
	status->tracepoints = (unsigned int)perf->events.count;
	status->events_lost = perf->events.lost;
	if (perf->bpf)
		bpf_plan_describe(&perf->bpf->plan, status);
	perf_plan_describe(plan, status);
	used = strlen(status->plan);
	if (perf->events.count)
		snprintf(status->plan + used, sizeof(status->plan) - used,
			 "; %zu other tracepoint%s", perf->events.count,
			 perf->events.count == 1 ? "" : "s");
	if (plan->singles.count)
		snprintf(status->kernel_filter, sizeof(status->kernel_filter),
			 "events of %zu system call%s", plan->singles.wanted,
			 plan->singles.wanted == 1 ? "" : "s");
	else
		snprintf(status->kernel_filter, sizeof(status->kernel_filter), "%s",
			 plan->call_filter.data);
	snprintf(status->note, sizeof(status->note), "%s", plan->note);
	status->own_alone = perf->own_alone;
	status->has_waits = perf->decode.switch_records;
	status->has_wakers = plan->wakers.count;
	status->has_user_stacks = plan->user_stacks.probes.count;
	status->stack_bytes_per_s = plan->user_stacks.last_second_bytes;
	status->stacks_lost = plan->user_stacks.lost;
	status->budget_hit = plan->user_stacks.hit_now || plan->user_stacks.hit_before;
	snprintf(status->deep_note, sizeof(status->deep_note), "%s", plan->user_stacks.note);
	status->stack_limited = plan->stack_limit.hit_now || plan->stack_limit.hit_before;
	if (perf->calls_note[0])
		snprintf(status->calls_note, sizeof(status->calls_note), "%s", perf->calls_note);
	status->lost = perf->decode.lost;
	status->denied = perf->seed.denied;
	used = strlen(status->note);
	if (perf->seed.unread)
		snprintf(status->note + used, sizeof(status->note) - used,
			 "%s%" PRIu64 " process%s could not be inspected in time", used ? "; " : "",
			 perf->seed.unread, perf->seed.unread == 1 ? "" : "es");
	if (perf->bpf)
		bpf_calls_describe(perf->bpf, status);
}

static const struct source_ops perf_ops = {
	.name = "perf",
	.close = perf_source_close,
	.start = perf_source_start,
	.wait = perf_source_wait,
	.drain = perf_source_drain,
	.takes_change = perf_source_takes_change,
	.set_filter = perf_source_set_filter,
	.set_running = perf_source_set_running,
	.set_target = perf_source_set_target,
	.watches = perf_source_watches,
	.set_user_stacks = perf_source_set_user_stacks,
	.set_events = perf_source_set_events,
	.look_up = perf_source_look_up,
	.status = perf_source_status,
};

/* BPF needs no tracefs formats for calls; sched_switch and sched_waking events need them. */
static bool has_descriptions(struct err *missing)
{
	char tracefs[PATH_MAX];

	return !tracefs_find(tracefs, sizeof(tracefs), missing);
}

static int open_source(struct source **source, const struct source_options *options,
		       struct err *err)
{
	struct source_options usable = *options;
	struct err missing = { .text = "" };
	bool by_bpf = options->calls == SOURCE_CALLS_BPF;
	struct perf_source *perf = mem_zalloc(1, sizeof(*perf));
	int ret;

	perf->source.ops = &perf_ops;
	perf->wake_often = options->wake_often;
	perf->own_alone = options->own_alone;
	ret = perf_decode_init(&perf->decode);
	perf->decode.waker_names = &perf->waker_names;
	perf->decode.max_stack = perf_max_stack();
	if (ret) {
		err_set(err, ret, "no memory for the table of tasks: %s", strerror(-ret));
		goto failed;
	}
	perf->decode.want_newcomers = perf->decode.names_callers = !by_bpf;
	/* Open BPF first: if that fails, no perf events have to be closed. */
	if (by_bpf) {
		if (options->stacks != STACKS_OFF && !has_descriptions(&missing))
			usable.stacks = STACKS_OFF;
		ret = bpf_calls_open(&perf->bpf, &usable, &perf->decode, err);
		if (ret)
			goto failed;
		perf->decode.loss = LOSS_OTHER;
	}
	ret = perf_plan_open(&perf->plan, &usable, &perf->decode, err);
	if (ret)
		goto failed;
	perf_tracepoints_init(&perf->events, options->formats);
	if (options->events)
		ret = perf_tracepoints_set(&perf->events, &perf->plan, options->events, err);
	if (ret) {
		perf_tracepoints_close(&perf->events);
		perf_plan_close(&perf->plan);
		goto failed;
	}
	if (missing.text[0])
		snprintf(perf->plan.note, sizeof(perf->plan.note), "no stacks of waits: %.200s",
			 missing.text);
	if (options->capture)
		perf->decode.copies_origin = options->capture->origin;
	if (options->wake_fd)
		perf_rings_wake(&perf->plan.rings, options->wake_fd);
	kernel_filter_copy(&perf->filter, &options->filter);
	perf->decode.owners.reader = options->owner_reader;
	perf->decode.owners.before_wait = options->before_wait;
	perf->decode.owners.before_wait_ctx = options->before_wait_ctx;
	perf_source_want_owners(perf);
	proc_synthesize_init(&perf->seed, &perf->decode.tasks, options->reader);
	/* Before its exec, a command has no threads that could be blocked. */
	if (options->stacks != STACKS_OFF &&
	    (!options->target->command || options->target->pid_count)) {
		perf->seed.stacks.names = &perf->names;
		perf->seed.stacks.stack_bytes = perf_user_stack_bytes(options);
		if (perf->bpf) {
			perf->seed.stacks.regs = bpf_calls_registers;
			perf->seed.stacks.regs_ctx = perf->bpf;
		}
		perf->seed.hold_back = options->hold_back;
		perf->seed.hold_back_ctx = options->hold_back_ctx;
	}
	merge_init(&perf->merge, perf_event_input(perf) + perf->plan.rings.count);
	*source = &perf->source;
	return 0;
failed:
	bpf_calls_close(perf->bpf);
	perf_decode_release(&perf->decode);
	free(perf);
	return ret;
}

int source_open_live(struct source **source, const struct source_options *options, struct err *err)
{
	struct source_options tried = *options;
	struct err refusal = { .text = "" };
	int ret;

	if (options->calls != SOURCE_CALLS_AUTO)
		return open_source(source, options, err);
	tried.calls = SOURCE_CALLS_BPF;
	if (!open_source(source, &tried, &refusal))
		return 0;
	/*
	 * If BPF was not the cause of the failure, opening without BPF fails for the same reason.
	 */
	tried.calls = SOURCE_CALLS_PERF;
	ret = open_source(source, &tried, err);
	if (!ret)
		snprintf(from(*source)->calls_note, sizeof(from(*source)->calls_note), "%.255s",
			 refusal.text);
	return ret;
}
