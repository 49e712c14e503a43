#include "engine/source/live/perf_plan.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/process/online_cpus.h"
#include "engine/source/live/perf_calls.h"
#include "engine/source/live/perf_cpu_clock.h"
#include "engine/source/live/perf_moves.h"
#include "engine/source/live/perf_stack_limit.h"
#include "engine/source/live/perf_user_stacks.h"
#include "engine/source/live/perf_waits.h"
#include "engine/source/perf/perf_attach.h"
#include "engine/source/tracefs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define TASK_EVENTS_MAX 1024 /* maximum number on threads; beyond it, use whole CPUs if permitted */

static const char *const kind_systems[PERF_KIND_COUNT][2] = {
	[PERF_KIND_ENTER] = { "raw_syscalls", "sys_enter" },
	[PERF_KIND_EXIT] = { "raw_syscalls", "sys_exit" },
	[PERF_KIND_SWITCH] = { "sched", "sched_switch" },
	[PERF_KIND_WAKING] = { "sched", "sched_waking" },
};

/* ---- opening -------------------------------------------------------------- */

static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void set_side_attr(struct perf_plan *plan, bool switches)
{
	struct perf_event_attr *attr = &plan->side_recipe.attrs[PERF_KIND_SIDEBAND];

	perf_attr_side(attr);
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->mmap = 1; /* executable mappings only, as mmap_data is not set */
	attr->mmap2 = 1;
	attr->context_switch = switches;
	plan->side_recipe.kinds = 1u << PERF_KIND_SIDEBAND;
}

static int learn_formats(struct perf_plan *plan, bool stacks, struct err *err)
{
	struct tracepoint *points[PERF_KIND_COUNT] = { NULL };
	char tracefs[PATH_MAX];
	int ret;

	/* BPF programs need no tracefs formats, nor do sideband events. */
	if (plan->calls_elsewhere && !stacks)
		return 0;
	ret = tracefs_find(tracefs, sizeof(tracefs), err);
	for (int kind = PERF_KIND_ENTER; !ret && kind <= PERF_KIND_WAKING; kind++)
		if (kind < PERF_KIND_SWITCH || stacks)
			ret = tracepoint_load(&points[kind], tracefs, kind_systems[kind][0],
					      kind_systems[kind][1], err);
	if (!ret)
		ret = perf_decode_learn(plan->decode, points[PERF_KIND_ENTER],
					points[PERF_KIND_EXIT], points[PERF_KIND_SWITCH],
					points[PERF_KIND_WAKING], err);
	if (!ret) {
		plan->call_recipe.kinds = 1u << PERF_KIND_ENTER | 1u << PERF_KIND_EXIT;
		for (int kind = PERF_KIND_ENTER; kind <= PERF_KIND_EXIT; kind++) {
			struct perf_event_attr *attr = &plan->call_recipe.attrs[kind];
			if (plan->decode->bare_calls)
				perf_attr_bare(attr, tracepoint_id(points[kind]));
			else
				perf_attr_tracepoint(attr, tracepoint_id(points[kind]), true,
						     false);
		}
	}
	if (!ret && stacks)
		perf_waits_prepare(plan, tracepoint_id(points[PERF_KIND_SWITCH]),
				   tracepoint_id(points[PERF_KIND_WAKING]));
	for (int kind = 0; kind < PERF_KIND_COUNT; kind++)
		tracepoint_free(points[kind]);
	return ret;
}

bool perf_plan_has_too_many_tasks(const struct perf_plan *plan, const struct task_list *pids,
				  const struct task_list *tids)
{
	size_t most = TASK_EVENTS_MAX / (plan->rings.count * 4); /* sideband, enter, exit, switch */
	struct task_list threads = TASK_LIST_INIT;
	size_t count = pids->count + tids->count;

	for (size_t i = 0; i < pids->count && count <= most; i++) {
		proc_tasks_threads(&threads, pids->ids[i]);
		count = threads.count + pids->count - i - 1 + tids->count;
	}
	task_list_release(&threads);
	return count > most;
}

static void choose_reach(struct perf_plan *plan, enum perf_reach reach, bool stacks)
{
	plan->reach = reach;
	plan->decode->per_task = reach == PERF_REACH_TASKS;
	plan->decode->select = reach == PERF_REACH_SELECT;
	set_side_attr(plan, stacks);
}

/* Open sideband events and waits, then calls. On failure, the sets already opened stay open. */
static int open_sets(struct perf_plan *plan, const struct kernel_filter *filter, struct err *err)
{
	struct perf_attach places = { .cpus = plan->reach != PERF_REACH_TASKS,
				      .processes = &plan->pids,
				      .threads = &plan->tids,
				      .must_exist = true };
	char what[PERF_ATTACH_WHAT_BYTES];
	int ret;

	if (plan->reach == PERF_REACH_TASKS)
		raise_file_limit();
	ret = perf_attach_open(&places, &plan->side, &plan->side_recipe, &plan->rings, plan->decode,
			       PERF_PERIOD_SIDEBAND, NULL, what);
	if (!ret)
		ret = perf_waits_open(plan, &places, what);
	if (ret)
		return perf_event_error(ret, what, places.cpus, err);
	return plan->calls_elsewhere ? 0 : perf_calls_open(plan, filter, err);
}

/* Close the sets so that another reach can be tried. */
static void close_sets(struct perf_plan *plan)
{
	perf_event_set_close(&plan->side);
	perf_ids_drop(&plan->decode->ids, PERF_PERIOD_SIDEBAND);
	perf_waits_close(plan);
}

static int open_first(struct perf_plan *plan, const struct source_options *options, struct err *err)
{
	bool stacks = options->stacks != STACKS_OFF;

	if (target_is_system(options->target)) {
		choose_reach(plan, PERF_REACH_SYSTEM, stacks);
		return open_sets(plan, &options->filter, err);
	}
	if (perf_plan_has_too_many_tasks(plan, &plan->pids, &plan->tids)) {
		choose_reach(plan, PERF_REACH_SELECT, stacks);
		if (!open_sets(plan, &options->filter, NULL))
			return 0;
		close_sets(plan);
	}
	choose_reach(plan, PERF_REACH_TASKS, stacks);
	return open_sets(plan, &options->filter, err);
}

static void copy_target(struct perf_plan *plan, const struct source_options *options)
{
	const struct target *target = options->target;
	struct task_table *tasks = &plan->decode->tasks;

	for (size_t i = 0; i < target->pid_count; i++) {
		task_list_add(&plan->pids, target->pids[i]);
		descendants_name(&plan->decode->descendants, tasks, target->pids[i]);
	}
	for (size_t i = 0; i < target->tid_count; i++) {
		task_list_add(&plan->tids, target->tids[i]);
		task_table_mark(tasks, target->tids[i], TASK_WATCHED_THREAD);
	}
	if (target->command) {
		task_list_add(&plan->pids, (uint32_t)target->command);
		descendants_name(&plan->decode->descendants, tasks, (uint32_t)target->command);
		plan->decode->command = (uint32_t)target->command;
	}
	for (size_t i = 0; i < options->own_tid_count; i++) {
		task_list_add(&plan->own, options->own_tids[i]);
		task_table_mark(tasks, options->own_tids[i], TASK_OWN);
	}
	for (size_t i = 0; i < options->own_worker_count; i++)
		task_table_mark(tasks, options->own_workers[i], TASK_OWN);
	task_table_mark(tasks, (uint32_t)getpid(), TASK_OWN);
}

/* Open rings on the target CPUs, or on all online CPUs. */
static int open_rings(struct perf_plan *plan, const struct source_options *options, struct err *err)
{
	struct target online;
	const struct target *cpus = options->target;
	int ret;

	target_init(&online);
	if (!cpus->cpu_count) {
		online_cpus(&online);
		cpus = &online;
	}
	ret = perf_rings_open(&plan->rings, cpus->cpus, cpus->cpu_count, options->ring_bytes, err);
	target_release(&online);
	return ret;
}

/* Open user-stack events for target processes. On failure stacks use frame pointers. */
static void open_deep(struct perf_plan *plan, const struct source_options *options)
{
	struct perf_attach places = { .processes = &plan->pids, .threads = &plan->tids };
	struct err err = { .text = "" };

	perf_waits_describe(plan);
	perf_user_stack_prepare(plan, options);
	perf_cpu_clock_open(plan, perf_user_stack_bytes(options));
	if (plan->user_stacks.stack_bytes && plan->user_stacks.stands_in &&
	    perf_user_stack_open(plan, &places, &err) && !plan->note[0])
		snprintf(plan->note, sizeof(plan->note), "no user stacks: %.200s", err.text);
}

int perf_plan_open(struct perf_plan *plan, const struct source_options *options,
		   struct perf_decode *decode, struct err *err)
{
	bool stacks = options->stacks != STACKS_OFF;
	int ret;

	memset(plan, 0, sizeof(*plan));
	plan->decode = decode;
	plan->rings.epoll_fd = plan->user_stacks.rings.epoll_fd = -1;
	plan->period = PERF_PERIOD_CALLS;
	plan->running = true;
	plan->idle = options->filter.nothing;
	plan->syscall_event = options->syscall_event;
	plan->calls_elsewhere = options->calls == SOURCE_CALLS_BPF;
	plan->initial_pids = proc_tasks_initial_namespace();
	/* Inside a pid namespace, common_pid holds outer pids, which are unknown here. */
	decode->bare_calls = plan->initial_pids;
	/* Inside a pid namespace, all tasks outside it have pid 0: drop their records. */
	if (!plan->initial_pids) {
		task_table_mark(&decode->tasks, 0, TASK_OWN);
		snprintf(plan->note, sizeof(plan->note),
			 "inside a pid namespace: calls of tasks outside it are not collected, and "
			 "wakers are unknown");
	}
	decode->periods[plan->period] = (struct perf_period){ 0, UINT64_MAX };
	str_init(&plan->call_filter);
	perf_closer_init(&plan->closer);
	copy_target(plan, options);
	ret = learn_formats(plan, stacks, err);
	if (!ret)
		ret = open_rings(plan, options, err);
	if (!ret)
		perf_stack_limit_init(plan, options->stack_limit);
	if (!ret)
		ret = open_first(plan, options, err);
	if (ret) {
		perf_plan_close(plan);
		return ret;
	}
	open_deep(plan, options);
	perf_moves_open(plan, options);
	return 0;
}

void perf_plan_close(struct perf_plan *plan)
{
	perf_closer_release(&plan->closer);
	for (unsigned int i = 0; i < plan->retiring_count; i++) {
		perf_event_set_close(&plan->retiring[i].probes);
		perf_forks_release(&plan->retiring[i].forks);
	}
	perf_event_set_close(&plan->calls);
	perf_user_stack_close(plan);
	perf_event_set_close(&plan->computing);
	perf_waits_close(plan);
	perf_event_set_close(&plan->moves);
	perf_event_set_close(&plan->side);
	perf_rings_close(&plan->rings);
	task_list_release(&plan->pids);
	task_list_release(&plan->tids);
	task_list_release(&plan->own);
	task_list_release(&plan->nested);
	task_list_release(&plan->nested_in);
	task_list_release(&plan->opened);
	task_list_release(&plan->narrow_pids);
	str_release(&plan->call_filter);
}

/* ---- while running ------------------------------------------------------ */

static int enable(const struct perf_event_set *probes, struct err *err)
{
	int ret = perf_event_set_enable(probes, 0);

	return ret ? err_set(err, ret, "cannot enable events: %s", strerror(-ret)) : 0;
}

static int enable_waits(struct perf_plan *plan, struct err *err)
{
	int ret = perf_user_stack_enable(plan);

	if (!ret)
		ret = perf_stack_limit_enable(plan);
	if (!ret)
		ret = perf_event_set_enable(&plan->computing, 0);
	return ret ? err_set(err, ret, "cannot enable events: %s", strerror(-ret)) : 0;
}

static void disable_waits(struct perf_plan *plan)
{
	perf_user_stack_disable(plan);
	perf_stack_limit_disable(plan);
	perf_event_set_disable(&plan->computing);
}

/* Enable all events except the sideband. */
static int enable_followers(struct perf_plan *plan, struct err *err)
{
	int ret = plan->idle ? 0 : enable_waits(plan, err);

	if (!ret)
		ret = enable(&plan->calls, err);
	if (!ret)
		plan->decode->stopped.until_ns = clock_now_ns();
	return ret;
}

int perf_plan_start(struct perf_plan *plan, struct err *err)
{
	int ret = enable(&plan->side, err);

	if (!ret)
		ret = enable(&plan->moves, err);
	if (!ret)
		ret = enable_followers(plan, err);
	plan->started = !ret;
	return ret;
}

int perf_plan_set_running(struct perf_plan *plan, bool running, struct err *err)
{
	/* Sideband events continue: after missed forks, descendants would be unknown. */
	plan->running = running;
	if (!running) {
		plan->decode->stopped = (struct perf_period){ clock_now_ns(), UINT64_MAX };
		disable_waits(plan);
		perf_event_set_disable(&plan->calls);
		perf_calls_retire(plan, UINT64_MAX);
		return 0;
	}
	return enable_followers(plan, err);
}

int perf_plan_set_idle(struct perf_plan *plan, bool idle, struct err *err)
{
	bool was = plan->idle;

	plan->idle = idle;
	if (was == idle || !plan->started || !plan->running)
		return 0;
	if (!idle)
		return enable_waits(plan, err);
	disable_waits(plan);
	return 0;
}

void perf_plan_lost_at_end(const struct perf_plan *plan, uint64_t *lost)
{
	struct perf_rings counted = { .count = plan->rings.count };

	counted.cpus = mem_zalloc(counted.count, sizeof(*counted.cpus));
	perf_event_set_count_lost(&plan->side, &plan->side_recipe, &counted);
	perf_event_set_count_lost(&plan->moves, &plan->move_recipe, &counted);
	perf_event_set_count_lost(&plan->waits, &plan->waits_recipe, &counted);
	perf_event_set_count_lost(&plan->wakers, &plan->waker_recipe, &counted);
	perf_event_set_count_lost(&plan->stack_limit.wakers, &plan->stack_limit.recipe, &counted);
	perf_event_set_count_lost(&plan->computing, &plan->running_recipe, &counted);
	perf_event_set_count_lost(&plan->calls, &plan->call_recipe, &counted);
	for (uint32_t i = 0; i < counted.count; i++) {
		const struct perf_cpu *cpu = &plan->rings.cpus[i];
		uint64_t failed = cpu->failed + counted.cpus[i].failed;

		lost[i] = failed > cpu->reported ? failed - cpu->reported : 0;
	}
	free(counted.cpus);
}

void perf_plan_watched(const struct perf_plan *plan, struct task_list *processes,
		       struct task_list *threads)
{
	const struct task_table *tasks = &plan->decode->tasks;
	struct task_list all = TASK_LIST_INIT;

	proc_tasks_processes(&all);
	for (size_t i = 0; i < all.count; i++) {
		uint32_t word = task_table_word(tasks, all.ids[i]);

		if (word & TASK_OWN)
			continue;
		if (plan->reach == PERF_REACH_SYSTEM || word & TASK_WATCHED_PROCESS)
			task_list_add(processes, all.ids[i]);
	}
	task_list_release(&all);
	for (size_t i = 0; i < plan->tids.count; i++)
		task_list_add(threads, plan->tids.ids[i]);
}

static void describe_calls(const struct perf_plan *plan, struct source_status *status)
{
	char of_calls[64] = "raw_syscalls";
	char *out = status->plan;
	size_t bytes = sizeof(status->plan);

	syscall_events_say(status->plan_calls, sizeof(status->plan_calls),
			   !plan->nothing && !plan->singles.count,
			   plan->nothing ? 0 : plan->singles.wanted);
	if (plan->singles.count)
		snprintf(of_calls, sizeof(of_calls), "events of %s", status->plan_calls);
	if (plan->nothing)
		snprintf(out, bytes, "no calls");
	else if (plan->narrowed || plan->reach == PERF_REACH_TASKS)
		snprintf(out, bytes, "%s on %zu thread%s%s", of_calls, plan->opened.count,
			 plan->opened.count == 1 ? "" : "s",
			 plan->pids.count || plan->narrow_pids.count ? " and descendants" : "");
	else
		snprintf(out, bytes, "%s on %u CPU%s%s", of_calls, plan->rings.count,
			 plan->rings.count == 1 ? "" : "s",
			 plan->reach == PERF_REACH_SELECT ? ", filtered by target" : "");
}

void perf_plan_describe(const struct perf_plan *plan, struct source_status *status)
{
	size_t used;

	if (!plan->calls_elsewhere)
		describe_calls(plan, status);
	used = strlen(status->plan);
	if (!plan->idle)
		snprintf(status->plan + used, sizeof(status->plan) - used, "%s",
			 plan->wakers.count  ? "; stacks of switches and wakers"
			 : plan->waits.count ? "; stacks of switches"
					     : "; no switches");
}
