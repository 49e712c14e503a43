#include "engine/source/live/perf_user_stacks.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/source/live/perf_plan.h"
#include "engine/source/perf/perf_attach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#define DEEP_EVENTS_MAX 2048

uint32_t perf_deep_bytes(const struct source_options *options)
{
	if (options->stacks != STACKS_AUTO && options->stacks != STACKS_DWARF)
		return 0;
	return options->dwarf_bytes ? options->dwarf_bytes : PERF_DEEP_BYTES_DEFAULT;
}

void perf_deep_prepare(struct perf_plan *plan, const struct source_options *options)
{
	struct perf_deep *deep = &plan->deep;
	struct perf_event_attr *attr = &deep->recipe.attrs[PERF_KIND_DEEP];

	deep->rings.epoll_fd = -1;
	if (!perf_deep_bytes(options) || !plan->waits.count)
		return;
	deep->budget = options->stack_budget ? options->stack_budget : PERF_DEEP_BUDGET_DEFAULT;
	deep->stack_bytes = perf_deep_bytes(options);
	deep->stands_in = plan->reach == PERF_REACH_TASKS;
	*attr = plan->waits_recipe.attrs[PERF_KIND_SWITCH];
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = PERF_USER_REGS;
	attr->sample_stack_user = deep->stack_bytes;
	deep->recipe.kinds = 1u << PERF_KIND_DEEP;
	deep->recipe.switch_filter = plan->waits_recipe.switch_filter;
	if (plan->wakers.count) {
		deep->recipe.attrs[PERF_KIND_DEEP_WAKING] = *attr;
		deep->recipe.attrs[PERF_KIND_DEEP_WAKING].config =
			plan->waker_recipe.attrs[PERF_KIND_WAKING].config;
		deep->recipe.attrs[PERF_KIND_DEEP_WAKING].sample_type |= PERF_SAMPLE_RAW;
		plan->decode->types[PERF_KIND_DEEP_WAKING] =
			deep->recipe.attrs[PERF_KIND_DEEP_WAKING].sample_type;
		deep->recipe.kinds |= 1u << PERF_KIND_DEEP_WAKING;
	}
	plan->decode->types[PERF_KIND_DEEP] = attr->sample_type;
	plan->decode->regs_mask = PERF_USER_REGS;
}

static int open_rings(struct perf_plan *plan, struct err *err)
{
	struct perf_deep *deep = &plan->deep;
	struct epoll_event event = { .events = EPOLLIN };
	uint32_t *cpus;
	int ret;

	if (deep->rings.count)
		return 0;
	cpus = mem_zalloc(plan->rings.count, sizeof(*cpus));
	for (uint32_t i = 0; i < plan->rings.count; i++)
		cpus[i] = plan->rings.cpus[i].cpu;
	ret = perf_rings_open(&deep->rings, cpus, plan->rings.count, 0, err);
	free(cpus);
	/* Events are opened ring by ring, and merged by lanes for each CPU. */
	if (!ret && deep->rings.count != plan->rings.count) {
		perf_rings_close(&deep->rings);
		return err_set(err, -ENODEV, "a CPU went offline");
	}
	/* Whoever waits for the others waits for these too. */
	if (!ret && epoll_ctl(plan->rings.epoll_fd, EPOLL_CTL_ADD, deep->rings.epoll_fd, &event)) {
		ret = err_set(err, -errno, "cannot wait for stacks: %s", strerror(errno));
		perf_rings_close(&deep->rings);
	}
	return ret;
}

static size_t count_events(const struct perf_plan *plan, const struct perf_places *places)
{
	struct task_list threads = TASK_LIST_INIT;
	size_t count;

	for (size_t i = 0; i < places->processes->count; i++)
		proc_tasks_threads(&threads, places->processes->ids[i]);
	count = threads.count + places->threads->count;
	task_list_release(&threads);
	return count * plan->rings.count * (size_t)__builtin_popcount(plan->deep.recipe.kinds);
}

/* The ids go at once: what these told and nobody read yet, nobody will miss. */
static void drop_probes(struct perf_plan *plan)
{
	perf_probes_disable(&plan->deep.probes);
	perf_closer_take(&plan->closer, &plan->deep.probes);
	perf_decode_end_period(plan->decode, PERF_PERIOD_DEEP);
	plan->decode->periods[PERF_PERIOD_DEEP].until_ns = UINT64_MAX;
}

int perf_deep_open(struct perf_plan *plan, const struct perf_places *places, struct err *err)
{
	struct perf_deep *deep = &plan->deep;
	char what[PERF_PLACES_WHAT_BYTES];
	size_t events = count_events(plan, places);
	int ret;

	if (events > DEEP_EVENTS_MAX)
		return err_set(err, -E2BIG,
			       "too many threads to unwind their stacks; those by "
			       "frame pointers are there");
	ret = open_rings(plan, err);
	if (ret)
		return ret;
	ret = perf_places_open(places, &deep->probes, &deep->recipe, &deep->rings, plan->decode,
			       PERF_PERIOD_DEEP, NULL, what);
	if (!ret)
		return 0;
	drop_probes(plan);
	return perf_event_error(ret, what, false, err);
}

void perf_deep_add(struct perf_plan *plan, const struct perf_places *places)
{
	struct perf_deep *deep = &plan->deep;
	char what[PERF_PLACES_WHAT_BYTES];

	/* Without any so far, those of the others would not stand in for what they have. */
	if (!deep->stands_in || !deep->probes.count)
		return;
	if (deep->probes.count + count_events(plan, places) > DEEP_EVENTS_MAX ||
	    perf_places_open(places, &deep->probes, &deep->recipe, &deep->rings, plan->decode,
			     PERF_PERIOD_DEEP, NULL, what))
		drop_probes(plan);
}

void perf_deep_leave_targets(struct perf_plan *plan)
{
	drop_probes(plan);
	plan->deep.stands_in = false;
	plan->decode->deep_alone = false;
}

int perf_deep_set(struct perf_plan *plan, const uint32_t *pids, size_t count, struct err *err)
{
	struct perf_deep *deep = &plan->deep;
	struct task_list processes = TASK_LIST_INIT, none = TASK_LIST_INIT;
	struct perf_places places = { .processes = &processes, .threads = &none };
	struct err why = { .text = "" };
	int ret = 0;

	deep->note[0] = '\0';
	if (!deep->stack_bytes || deep->stands_in)
		return 0;
	drop_probes(plan);
	for (size_t i = 0; i < count; i++)
		task_list_add(&processes, pids[i]);
	if (count)
		ret = perf_deep_open(plan, &places, &why);
	if (!ret && perf_plan_asks_waits(plan)) {
		ret = perf_deep_enable(plan);
		if (ret)
			err_set(&why, ret, "cannot enable events: %s", strerror(-ret));
	}
	memcpy(deep->note, why.text, sizeof(deep->note));
	if (ret)
		err_set(err, ret, "%s", why.text);
	task_list_release(&processes);
	return ret;
}

void perf_deep_close(struct perf_plan *plan)
{
	perf_probes_close(&plan->deep.probes);
	if (plan->deep.rings.count)
		perf_rings_close(&plan->deep.rings);
	plan->deep.stack_bytes = 0;
}

/* What is to come is enabled before the other is disabled: two that tell the same are one. */
int perf_deep_enable_on(struct perf_plan *plan, uint32_t ring)
{
	struct perf_deep *deep = &plan->deep;
	bool spent = plan->rings.cpus[ring].paused;
	bool alone = deep->stands_in && deep->probes.count && !deep->paused;
	bool deep_on = !deep->paused && !(alone && spent);
	bool plain_on = !alone && !spent;
	int ret = 0;

	plan->decode->deep_alone = alone;
	if (deep_on)
		ret = perf_probes_enable_on(&deep->probes, &deep->recipe, &plan->rings, ring);
	if (!ret && plain_on)
		ret = perf_probes_enable_on(&plan->waits, &plan->waits_recipe, &plan->rings, ring);
	if (ret)
		return ret;
	if (!plain_on)
		perf_probes_disable_on(&plan->waits, &plan->waits_recipe, &plan->rings, ring);
	if (!deep_on)
		perf_probes_disable_on(&deep->probes, &deep->recipe, &plan->rings, ring);
	return 0;
}

int perf_deep_enable(struct perf_plan *plan)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < plan->rings.count; i++)
		ret = perf_deep_enable_on(plan, i);
	return ret;
}

void perf_deep_disable(struct perf_plan *plan)
{
	perf_probes_disable(&plan->waits);
	perf_probes_disable(&plan->deep.probes);
}

bool perf_deep_take(struct perf_deep *deep, const struct perf_event_header *header)
{
	uint64_t words[2]; /* id and count */

	deep->second_bytes += header->size;
	if (header->type != PERF_RECORD_LOST)
		return true;
	if (header->size >= sizeof(*header) + sizeof(words)) {
		memcpy(words, header + 1, sizeof(words));
		deep->lost += words[1];
	}
	return false;
}

void perf_deep_settle(struct perf_plan *plan, uint64_t now_ns)
{
	struct perf_deep *deep = &plan->deep;
	bool paused = deep->paused;

	if (now_ns >= deep->second_ends_ns) {
		deep->second_ends_ns = now_ns + NS_PER_S;
		deep->last_second_bytes = deep->second_bytes;
		deep->second_bytes = 0;
		deep->hit_before = deep->hit_now;
		deep->hit_now = false;
		deep->paused = false;
	} else if (deep->second_bytes > deep->budget) {
		deep->hit_now = true;
		deep->paused = true;
	}
	if (paused == deep->paused || !deep->probes.count || !perf_plan_asks_waits(plan))
		return;
	/* Nobody to tell: whichever set is enabled still tells of waits. */
	perf_deep_enable(plan);
}
