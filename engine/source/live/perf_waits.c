#include "engine/source/live/perf_waits.h"

#include "engine/source/live/perf_stack_limit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FILTERED_TIDS_MAX 64 /* maximum in the filter: each costs one comparison per wakeup */

static bool refused(int ret)
{
	return ret == -EACCES || ret == -EPERM;
}

static void note(struct perf_plan *plan, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Store the first note only: the first failure causes the later ones. */
static void note(struct perf_plan *plan, const char *format, ...)
{
	va_list args;

	if (plan->note[0])
		return;
	va_start(args, format);
	vsnprintf(plan->note, sizeof(plan->note), format, args);
	va_end(args);
}

/*
 * Switches are reported by PERF_RECORD_SWITCH and, within perf_stack_limit, by a sample too. The
 * field prev_state says whether the thread blocks, and how. Reading it needs more permission than
 * the tracepoint itself. Without that permission, this kernel filter drops preempted threads by the
 * same field. Its low byte has the states in which a task does not run. Preemption sets only a
 * higher bit (TASK_REPORT_MAX of the kernel, which moved between versions).
 */
#define BLOCKED_FILTER "prev_state & 255"

void perf_waits_prepare(struct perf_plan *plan, uint64_t switch_id, uint64_t waking_id)
{
	plan->waits_recipe.kinds = 1u << PERF_KIND_SWITCH;
	perf_attr_tracepoint(&plan->waits_recipe.attrs[PERF_KIND_SWITCH], switch_id, true, true);
	plan->waker_recipe.kinds = 1u << PERF_KIND_WAKING;
	perf_attr_tracepoint(&plan->waker_recipe.attrs[PERF_KIND_WAKING], waking_id, true, true);
}

static void drop_switches(struct perf_plan *plan)
{
	perf_event_set_close(&plan->waits);
	perf_ids_drop(&plan->decode->ids, PERF_PERIOD_WAITS);
}

static int open_switches(struct perf_plan *plan, const struct perf_attach *places, char *what)
{
	int ret;

	if (!plan->waits_recipe.kinds)
		return 0;
	ret = perf_attach_open(places, &plan->waits, &plan->waits_recipe, &plan->rings,
			       plan->decode, PERF_PERIOD_WAITS, NULL, what);
	if (refused(ret)) {
		drop_switches(plan);
		plan->waits_recipe.attrs[PERF_KIND_SWITCH].sample_type &=
			~(uint64_t)PERF_SAMPLE_RAW;
		plan->waits_recipe.switch_filter = BLOCKED_FILTER;
		ret = perf_attach_open(places, &plan->waits, &plan->waits_recipe, &plan->rings,
				       plan->decode, PERF_PERIOD_WAITS, NULL, what);
	}
	if (!refused(ret))
		return ret;
	drop_switches(plan);
	plan->waits_recipe.kinds = 0;
	note(plan,
	     "no stacks: kernel.perf_event_paranoid is %d; as root, run: "
	     "sysctl kernel.perf_event_paranoid=-1",
	     perf_paranoid());
	return 0;
}

/*
 * If all targets are threads, the kernel can filter their wakeups, as the list is fixed. Later
 * threads of a target process would have to be added, but the filter of an event cannot change.
 */
static void format_filter(const struct perf_plan *plan, struct str *filter)
{
	if (plan->reach != PERF_REACH_TASKS || plan->pids.count ||
	    plan->tids.count > FILTERED_TIDS_MAX)
		return;
	for (size_t i = 0; i < plan->tids.count; i++)
		str_addf(filter, "%spid == %" PRIu32, i ? " || " : "", plan->tids.ids[i]);
}

/* Open the wakeup events. Failures are only noted: waits without wakers are still useful. */
static void open_wakers(struct perf_plan *plan)
{
	struct task_list none = TASK_LIST_INIT;
	struct perf_attach everywhere = { .cpus = true, .processes = &none, .threads = &none };
	char what[PERF_ATTACH_WHAT_BYTES];
	struct str filter = STR_INIT;
	int ret;

	if (!plan->waker_recipe.kinds)
		return;
	if (!plan->initial_pids)
		return; /* pids in sched_waking are those of the initial namespace */
	format_filter(plan, &filter);
	plan->wakers_selected = filter.len;
	plan->waker_recipe.filter = filter.data;
	ret = perf_attach_open(&everywhere, &plan->wakers, &plan->waker_recipe, &plan->rings,
			       plan->decode, PERF_PERIOD_WAITS, NULL, what);
	if (!ret)
		perf_stack_limit_open(plan);
	plan->waker_recipe.filter = NULL;
	str_release(&filter);
	if (!ret)
		return;
	perf_event_set_close(&plan->wakers);
	if (refused(ret))
		note(plan,
		     "no wakers: kernel.perf_event_paranoid is %d; as root, run: sysctl "
		     "kernel.perf_event_paranoid=-1",
		     perf_paranoid());
	else
		note(plan, "no wakers: perf_event_open: %s", strerror(-ret));
}

int perf_waits_open(struct perf_plan *plan, const struct perf_attach *places,
		    char what[PERF_ATTACH_WHAT_BYTES])
{
	int ret = open_switches(plan, places, what);

	if (!ret && plan->waits.count)
		open_wakers(plan);
	return ret;
}

void perf_waits_pick_anew(struct perf_plan *plan)
{
	struct perf_event_set wakers = plan->wakers, bare = plan->stack_limit.wakers;

	if (!plan->wakers_selected)
		return;
	plan->wakers = plan->stack_limit.wakers = (struct perf_event_set)PERF_EVENT_SET_INIT;
	open_wakers(plan);
	if (!plan->wakers.count) {
		/* The old events were permitted and still report some wakers. */
		plan->wakers = wakers;
		plan->stack_limit.wakers = bare;
		return;
	}
	if (perf_plan_asks_waits(plan))
		perf_stack_limit_enable(plan);
	perf_event_set_disable(&wakers);
	perf_event_set_disable(&bare);
	perf_closer_take(&plan->closer, &wakers);
	perf_closer_take(&plan->closer, &bare);
}

void perf_waits_close(struct perf_plan *plan)
{
	perf_stack_limit_close(plan);
	perf_event_set_close(&plan->wakers);
	perf_event_set_close(&plan->waits);
	perf_ids_drop(&plan->decode->ids, PERF_PERIOD_WAITS);
}

void perf_waits_describe(struct perf_plan *plan)
{
	struct perf_decode *decode = plan->decode;

	decode->types[PERF_KIND_SWITCH] = plan->waits_recipe.attrs[PERF_KIND_SWITCH].sample_type;
	decode->types[PERF_KIND_WAKING] = plan->waker_recipe.attrs[PERF_KIND_WAKING].sample_type;
	decode->blocked_alone = plan->waits_recipe.switch_filter;
	decode->switch_records = plan->side_recipe.attrs[PERF_KIND_SIDEBAND].context_switch;
}
