#include "engine/source/live/perf_user_stacks.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/source/perf/perf_attach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#define DEEP_EVENTS_MAX 2048

uint32_t perf_user_stack_bytes(const struct source_options *options)
{
	if (options->stacks != STACKS_AUTO && options->stacks != STACKS_DWARF)
		return 0;
	return options->dwarf_bytes ? options->dwarf_bytes : PERF_USER_STACK_BYTES_DEFAULT;
}

void perf_user_stack_prepare(struct perf_plan *plan, const struct source_options *options)
{
	struct perf_user_stack *user_stacks = &plan->user_stacks;
	struct perf_event_attr *attr = &user_stacks->recipe.attrs[PERF_KIND_USER_STACK];

	user_stacks->rings.epoll_fd = -1;
	if (!perf_user_stack_bytes(options) || !plan->waits.count)
		return;
	user_stacks->budget = options->stack_budget ? options->stack_budget
						    : PERF_USER_STACK_BUDGET_DEFAULT;
	user_stacks->stack_bytes = perf_user_stack_bytes(options);
	user_stacks->stands_in = plan->reach == PERF_REACH_TASKS;
	*attr = plan->waits_recipe.attrs[PERF_KIND_SWITCH];
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = PERF_USER_REGS;
	attr->sample_stack_user = user_stacks->stack_bytes;
	user_stacks->recipe.kinds = 1u << PERF_KIND_USER_STACK;
	user_stacks->recipe.switch_filter = plan->waits_recipe.switch_filter;
	if (plan->wakers.count) {
		user_stacks->recipe.attrs[PERF_KIND_USER_STACK_WAKING] = *attr;
		user_stacks->recipe.attrs[PERF_KIND_USER_STACK_WAKING].config =
			plan->waker_recipe.attrs[PERF_KIND_WAKING].config;
		user_stacks->recipe.attrs[PERF_KIND_USER_STACK_WAKING].sample_type |=
			PERF_SAMPLE_RAW;
		plan->decode->types[PERF_KIND_USER_STACK_WAKING] =
			user_stacks->recipe.attrs[PERF_KIND_USER_STACK_WAKING].sample_type;
		user_stacks->recipe.kinds |= 1u << PERF_KIND_USER_STACK_WAKING;
	}
	plan->decode->types[PERF_KIND_USER_STACK] = attr->sample_type;
	plan->decode->regs_mask = PERF_USER_REGS;
}

static int open_rings(struct perf_plan *plan, struct err *err)
{
	struct perf_user_stack *user_stacks = &plan->user_stacks;
	struct epoll_event event = { .events = EPOLLIN };
	uint32_t *cpus;
	int ret;

	if (user_stacks->rings.count)
		return 0;
	cpus = mem_zalloc(plan->rings.count, sizeof(*cpus));
	for (uint32_t i = 0; i < plan->rings.count; i++)
		cpus[i] = plan->rings.cpus[i].cpu;
	ret = perf_rings_open(&user_stacks->rings, cpus, plan->rings.count, 0, err);
	free(cpus);
	/* Events are opened per ring, and the merge has one input per CPU. */
	if (!ret && user_stacks->rings.count != plan->rings.count) {
		perf_rings_close(&user_stacks->rings);
		return err_set(err, -ENODEV, "a CPU went offline");
	}
	/* Let perf_rings_wait() on the rings of the plan also wait for these rings. */
	if (!ret &&
	    epoll_ctl(plan->rings.epoll_fd, EPOLL_CTL_ADD, user_stacks->rings.epoll_fd, &event)) {
		ret = err_set(err, -errno, "cannot wait for stacks: %s", strerror(errno));
		perf_rings_close(&user_stacks->rings);
	}
	return ret;
}

static size_t count_events(const struct perf_plan *plan, const struct perf_attach *places)
{
	struct task_list threads = TASK_LIST_INIT;
	size_t count;

	for (size_t i = 0; i < places->processes->count; i++)
		proc_tasks_threads(&threads, places->processes->ids[i]);
	count = threads.count + places->threads->count;
	task_list_release(&threads);
	return count * plan->rings.count *
	       (size_t)__builtin_popcount(plan->user_stacks.recipe.kinds);
}

/* Close all events and drop their ids at once: their unread records are not needed. */
static void drop_probes(struct perf_plan *plan)
{
	perf_event_set_disable(&plan->user_stacks.probes);
	perf_closer_take(&plan->closer, &plan->user_stacks.probes);
	perf_decode_end_period(plan->decode, PERF_PERIOD_USER_STACK);
	plan->decode->periods[PERF_PERIOD_USER_STACK].until_ns = UINT64_MAX;
}

int perf_user_stack_open(struct perf_plan *plan, const struct perf_attach *places, struct err *err)
{
	struct perf_user_stack *user_stacks = &plan->user_stacks;
	char what[PERF_ATTACH_WHAT_BYTES];
	size_t events = count_events(plan, places);
	int ret;

	if (events > DEEP_EVENTS_MAX)
		return err_set(err, -E2BIG,
			       "too many threads for user stacks; using frame pointers");
	ret = open_rings(plan, err);
	if (ret)
		return ret;
	ret = perf_attach_open(places, &user_stacks->probes, &user_stacks->recipe,
			       &user_stacks->rings, plan->decode, PERF_PERIOD_USER_STACK, NULL,
			       what);
	if (!ret)
		return 0;
	drop_probes(plan);
	return perf_event_error(ret, what, false, err);
}

void perf_user_stack_add(struct perf_plan *plan, const struct perf_attach *places)
{
	struct perf_user_stack *user_stacks = &plan->user_stacks;
	char what[PERF_ATTACH_WHAT_BYTES];

	/*
	 * If target processes have no user stacks so far, adding them for one process would disable
	 * the plain switch-outs of all.
	 */
	if (!user_stacks->stands_in || !user_stacks->probes.count)
		return;
	if (user_stacks->probes.count + count_events(plan, places) > DEEP_EVENTS_MAX ||
	    perf_attach_open(places, &user_stacks->probes, &user_stacks->recipe,
			     &user_stacks->rings, plan->decode, PERF_PERIOD_USER_STACK, NULL, what))
		drop_probes(plan);
}

void perf_user_stack_leave_targets(struct perf_plan *plan)
{
	drop_probes(plan);
	plan->user_stacks.stands_in = false;
	plan->decode->deep_alone = false;
}

int perf_user_stack_set(struct perf_plan *plan, const uint32_t *pids, size_t count, struct err *err)
{
	struct perf_user_stack *user_stacks = &plan->user_stacks;
	struct task_list processes = TASK_LIST_INIT, none = TASK_LIST_INIT;
	struct perf_attach places = { .processes = &processes, .threads = &none };
	struct err why = { .text = "" };
	int ret = 0;

	user_stacks->note[0] = '\0';
	if (!user_stacks->stack_bytes || user_stacks->stands_in)
		return 0;
	drop_probes(plan);
	for (size_t i = 0; i < count; i++)
		task_list_add(&processes, pids[i]);
	if (count)
		ret = perf_user_stack_open(plan, &places, &why);
	if (!ret && perf_plan_asks_waits(plan)) {
		ret = perf_user_stack_enable(plan);
		if (ret)
			err_set(&why, ret, "cannot enable events: %s", strerror(-ret));
	}
	memcpy(user_stacks->note, why.text, sizeof(user_stacks->note));
	if (ret)
		err_set(err, ret, "%s", why.text);
	task_list_release(&processes);
	return ret;
}

void perf_user_stack_close(struct perf_plan *plan)
{
	perf_event_set_close(&plan->user_stacks.probes);
	if (plan->user_stacks.rings.count)
		perf_rings_close(&plan->user_stacks.rings);
	plan->user_stacks.stack_bytes = 0;
}

/* Enable the new events before disabling the old ones: duplicates are merged. */
int perf_user_stack_enable_on(struct perf_plan *plan, uint32_t ring)
{
	struct perf_user_stack *user_stacks = &plan->user_stacks;
	bool spent = plan->rings.cpus[ring].paused;
	bool alone = user_stacks->stands_in && user_stacks->probes.count && !user_stacks->paused;
	bool deep_on = !user_stacks->paused && !(alone && spent);
	bool plain_on = !alone && !spent;
	int ret = 0;

	plan->decode->deep_alone = alone;
	if (deep_on)
		ret = perf_event_set_enable_on(&user_stacks->probes, &user_stacks->recipe,
					       &plan->rings, ring);
	if (!ret && plain_on)
		ret = perf_event_set_enable_on(&plan->waits, &plan->waits_recipe, &plan->rings,
					       ring);
	if (ret)
		return ret;
	if (!plain_on)
		perf_event_set_disable_on(&plan->waits, &plan->waits_recipe, &plan->rings, ring);
	if (!deep_on)
		perf_event_set_disable_on(&user_stacks->probes, &user_stacks->recipe, &plan->rings,
					  ring);
	return 0;
}

int perf_user_stack_enable(struct perf_plan *plan)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < plan->rings.count; i++)
		ret = perf_user_stack_enable_on(plan, i);
	return ret;
}

void perf_user_stack_disable(struct perf_plan *plan)
{
	perf_event_set_disable(&plan->waits);
	perf_event_set_disable(&plan->user_stacks.probes);
}

bool perf_user_stack_take(struct perf_user_stack *user_stacks,
			  const struct perf_event_header *header)
{
	uint64_t words[2]; /* id and count */

	user_stacks->second_bytes += header->size;
	if (header->type != PERF_RECORD_LOST)
		return true;
	if (header->size >= sizeof(*header) + sizeof(words)) {
		memcpy(words, header + 1, sizeof(words));
		user_stacks->lost += words[1];
	}
	return false;
}

void perf_user_stack_settle(struct perf_plan *plan, uint64_t now_ns)
{
	struct perf_user_stack *user_stacks = &plan->user_stacks;
	bool paused = user_stacks->paused;

	if (now_ns >= user_stacks->second_ends_ns) {
		user_stacks->second_ends_ns = now_ns + NS_PER_S;
		user_stacks->last_second_bytes = user_stacks->second_bytes;
		user_stacks->second_bytes = 0;
		user_stacks->hit_before = user_stacks->hit_now;
		user_stacks->hit_now = false;
		user_stacks->paused = false;
	} else if (user_stacks->second_bytes > user_stacks->budget) {
		user_stacks->hit_now = true;
		user_stacks->paused = true;
	}
	if (paused == user_stacks->paused || !user_stacks->probes.count ||
	    !perf_plan_asks_waits(plan))
		return;
	/* Ignore failures: the set that is still enabled continues to report waits. */
	perf_user_stack_enable(plan);
}
