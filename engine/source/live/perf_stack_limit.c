#include "engine/source/live/perf_stack_limit.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/source/live/perf_plan.h"
#include "engine/source/perf/perf_attach.h"

#define WINDOWS_A_SECOND 10

void perf_ration_init(struct perf_plan *plan, uint32_t a_second)
{
	struct perf_decode *decode = plan->decode;

	plan->ration.allowed = (a_second ? a_second : PERF_RATION_DEFAULT) / WINDOWS_A_SECOND;
	for (uint32_t i = 0; i < plan->rings.count; i++)
		if (plan->rings.cpus[i].cpu >= decode->pause_count)
			decode->pause_count = plan->rings.cpus[i].cpu + 1;
	decode->pauses = mem_zalloc(decode->pause_count, sizeof(*decode->pauses));
}

void perf_ration_open(struct perf_plan *plan)
{
	struct perf_ration *ration = &plan->ration;
	struct task_list none = TASK_LIST_INIT;
	struct perf_places everywhere = { .cpus = true, .processes = &none, .threads = &none };
	struct perf_event_attr *attr = &ration->recipe.attrs[PERF_KIND_BARE_WAKING];
	char what[PERF_PLACES_WHAT_BYTES];

	if (!plan->wakers.count)
		return;
	*attr = plan->waker_recipe.attrs[PERF_KIND_WAKING];
	attr->sample_type &= ~(uint64_t)PERF_SAMPLE_CALLCHAIN;
	ration->recipe.kinds = 1u << PERF_KIND_BARE_WAKING;
	ration->recipe.filter = plan->waker_recipe.filter;
	plan->decode->types[PERF_KIND_BARE_WAKING] = attr->sample_type;
	/* Those with stacks were permitted, so these are; else they are what goes missing. */
	if (perf_places_open(&everywhere, &ration->wakers, &ration->recipe, &plan->rings,
			     plan->decode, PERF_PERIOD_WAITS, NULL, what))
		perf_probes_close(&ration->wakers);
	ration->recipe.filter = NULL;
}

void perf_ration_close(struct perf_plan *plan)
{
	perf_probes_close(&plan->ration.wakers);
}

/* What is to come is enabled first: two that tell the same are one. */
static int enable_wakers_on(struct perf_plan *plan, uint32_t ring)
{
	const struct perf_ration *ration = &plan->ration;
	const struct perf_rings *rings = &plan->rings;
	int ret;

	if (rings->cpus[ring].paused) {
		ret = perf_probes_enable_on(&ration->wakers, &ration->recipe, rings, ring);
		if (!ret)
			perf_probes_disable_on(&plan->wakers, &plan->waker_recipe, rings, ring);
		return ret;
	}
	ret = perf_probes_enable_on(&plan->wakers, &plan->waker_recipe, rings, ring);
	if (!ret)
		perf_probes_disable_on(&ration->wakers, &ration->recipe, rings, ring);
	return ret;
}

int perf_ration_enable(struct perf_plan *plan)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < plan->rings.count; i++)
		ret = enable_wakers_on(plan, i);
	return ret;
}

void perf_ration_disable(struct perf_plan *plan)
{
	perf_probes_disable(&plan->wakers);
	perf_probes_disable(&plan->ration.wakers);
}

static bool is_spent(const struct perf_plan *plan, uint32_t ring)
{
	uint64_t taken = plan->rings.cpus[ring].stacks;

	if (plan->deep.rings.count)
		taken += plan->deep.rings.cpus[ring].stacks;
	return taken > plan->ration.allowed;
}

/* Either the events with stacks on this ring's CPU or what goes on without. */
static void switch_over(struct perf_plan *plan, uint32_t ring, bool paused)
{
	struct perf_cpu *cpu = &plan->rings.cpus[ring];
	struct perf_pause *pause = &plan->decode->pauses[cpu->cpu];

	cpu->paused = paused;
	if (paused)
		pause->from_ns = clock_now_ns();
	pause->until_ns = UINT64_MAX;
	/* Nobody to tell of a failure: whichever set is enabled still tells of waits. */
	if (perf_plan_asks_waits(plan)) {
		perf_deep_enable_on(plan, ring);
		enable_wakers_on(plan, ring);
	}
	if (!paused)
		pause->until_ns = clock_now_ns();
}

/* Everybody's next ration; whether anybody's was spent. */
static bool begin_window(struct perf_plan *plan, uint64_t now_ns)
{
	struct perf_ration *ration = &plan->ration;
	bool was_spent = false;

	for (uint32_t i = 0; i < plan->rings.count; i++) {
		plan->rings.cpus[i].stacks = 0;
		if (plan->deep.rings.count)
			plan->deep.rings.cpus[i].stacks = 0;
		if (!plan->rings.cpus[i].paused)
			continue;
		switch_over(plan, i, false);
		was_spent = true;
	}
	ration->window_ends_ns = now_ns + NS_PER_S / WINDOWS_A_SECOND;
	ration->hit_before = ration->hit_now;
	ration->hit_now = false;
	return was_spent;
}

bool perf_ration_settle(struct perf_plan *plan, uint64_t now_ns)
{
	struct perf_ration *ration = &plan->ration;

	if (now_ns >= ration->window_ends_ns)
		return begin_window(plan, now_ns) && perf_plan_asks_waits(plan);
	for (uint32_t i = 0; i < plan->rings.count; i++) {
		if (plan->rings.cpus[i].paused || !is_spent(plan, i))
			continue;
		ration->hit_now = true;
		switch_over(plan, i, true);
	}
	return false;
}
