#include "engine/source/live/perf_stack_limit.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/source/live/perf_user_stacks.h"
#include "engine/source/perf/perf_attach.h"

#define WINDOWS_A_SECOND 10

void perf_stack_limit_init(struct perf_plan *plan, uint32_t a_second)
{
	struct perf_decode *decode = plan->decode;

	plan->stack_limit.allowed = (a_second ? a_second : PERF_STACK_LIMIT_DEFAULT) /
				    WINDOWS_A_SECOND;
	for (uint32_t i = 0; i < plan->rings.count; i++)
		if (plan->rings.cpus[i].cpu >= decode->pause_count)
			decode->pause_count = plan->rings.cpus[i].cpu + 1;
	decode->pauses = mem_zalloc(decode->pause_count, sizeof(*decode->pauses));
}

void perf_stack_limit_open(struct perf_plan *plan)
{
	struct perf_stack_limit *stack_limit = &plan->stack_limit;
	struct task_list none = TASK_LIST_INIT;
	struct perf_attach everywhere = { .cpus = true, .processes = &none, .threads = &none };
	struct perf_event_attr *attr = &stack_limit->recipe.attrs[PERF_KIND_BARE_WAKING];
	char what[PERF_ATTACH_WHAT_BYTES];

	if (!plan->wakers.count)
		return;
	*attr = plan->waker_recipe.attrs[PERF_KIND_WAKING];
	attr->sample_type &= ~(uint64_t)PERF_SAMPLE_CALLCHAIN;
	stack_limit->recipe.kinds = 1u << PERF_KIND_BARE_WAKING;
	stack_limit->recipe.filter = plan->waker_recipe.filter;
	plan->decode->types[PERF_KIND_BARE_WAKING] = attr->sample_type;
	/*
	 * The kernel permitted wakeup events with stacks, so it permits these too. If opening them
	 * fails nevertheless, wakeups beyond the limit are missing.
	 */
	if (perf_attach_open(&everywhere, &stack_limit->wakers, &stack_limit->recipe, &plan->rings,
			     plan->decode, PERF_PERIOD_WAITS, NULL, what))
		perf_event_set_close(&stack_limit->wakers);
	stack_limit->recipe.filter = NULL;
}

void perf_stack_limit_close(struct perf_plan *plan)
{
	perf_event_set_close(&plan->stack_limit.wakers);
}

/* Enable the new events before disabling the old ones: duplicates are merged. */
static int enable_wakers_on(struct perf_plan *plan, uint32_t ring)
{
	const struct perf_stack_limit *stack_limit = &plan->stack_limit;
	const struct perf_rings *rings = &plan->rings;
	int ret;

	if (rings->cpus[ring].paused) {
		ret = perf_event_set_enable_on(&stack_limit->wakers, &stack_limit->recipe, rings,
					       ring);
		if (!ret)
			perf_event_set_disable_on(&plan->wakers, &plan->waker_recipe, rings, ring);
		return ret;
	}
	ret = perf_event_set_enable_on(&plan->wakers, &plan->waker_recipe, rings, ring);
	if (!ret)
		perf_event_set_disable_on(&stack_limit->wakers, &stack_limit->recipe, rings, ring);
	return ret;
}

int perf_stack_limit_enable(struct perf_plan *plan)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < plan->rings.count; i++)
		ret = enable_wakers_on(plan, i);
	return ret;
}

void perf_stack_limit_disable(struct perf_plan *plan)
{
	perf_event_set_disable(&plan->wakers);
	perf_event_set_disable(&plan->stack_limit.wakers);
}

static bool is_spent(const struct perf_plan *plan, uint32_t ring)
{
	uint64_t taken = plan->rings.cpus[ring].stacks;

	if (plan->user_stacks.rings.count)
		taken += plan->user_stacks.rings.cpus[ring].stacks;
	return taken > plan->stack_limit.allowed;
}

/* Enable either the events with stacks on the CPU of this ring, or those without. */
static void switch_over(struct perf_plan *plan, uint32_t ring, bool paused)
{
	struct perf_cpu *cpu = &plan->rings.cpus[ring];
	struct perf_pause *pause = &plan->decode->pauses[cpu->cpu];

	cpu->paused = paused;
	if (paused)
		pause->from_ns = clock_now_ns();
	pause->until_ns = UINT64_MAX;
	/* Ignore failures: the set that is still enabled continues to report waits. */
	if (perf_plan_asks_waits(plan)) {
		perf_user_stack_enable_on(plan, ring);
		enable_wakers_on(plan, ring);
	}
	if (!paused)
		pause->until_ns = clock_now_ns();
}

/* Begin the next window on all CPUs. True if any CPU had reached the limit. */
static bool begin_window(struct perf_plan *plan, uint64_t now_ns)
{
	struct perf_stack_limit *stack_limit = &plan->stack_limit;
	bool was_spent = false;

	for (uint32_t i = 0; i < plan->rings.count; i++) {
		plan->rings.cpus[i].stacks = 0;
		if (plan->user_stacks.rings.count)
			plan->user_stacks.rings.cpus[i].stacks = 0;
		if (!plan->rings.cpus[i].paused)
			continue;
		switch_over(plan, i, false);
		was_spent = true;
	}
	stack_limit->window_ends_ns = now_ns + NS_PER_S / WINDOWS_A_SECOND;
	stack_limit->hit_before = stack_limit->hit_now;
	stack_limit->hit_now = false;
	return was_spent;
}

bool perf_stack_limit_settle(struct perf_plan *plan, uint64_t now_ns)
{
	struct perf_stack_limit *stack_limit = &plan->stack_limit;

	if (now_ns >= stack_limit->window_ends_ns)
		return begin_window(plan, now_ns) && perf_plan_asks_waits(plan);
	for (uint32_t i = 0; i < plan->rings.count; i++) {
		if (plan->rings.cpus[i].paused || !is_spent(plan, i))
			continue;
		stack_limit->hit_now = true;
		switch_over(plan, i, true);
	}
	return false;
}
