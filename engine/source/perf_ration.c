#include "engine/source/perf_ration.h"

#include "engine/base/clock.h"
#include "engine/source/perf_places.h"
#include "engine/source/perf_plan.h"

#define WINDOWS_A_SECOND 10

void perf_ration_init(struct perf_ration *ration, uint32_t a_second)
{
	ration->allowed = (a_second ? a_second : PERF_RATION_DEFAULT) / WINDOWS_A_SECOND;
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
int perf_ration_enable(struct perf_plan *plan)
{
	struct perf_ration *ration = &plan->ration;
	const struct perf_probes *on = ration->paused ? &ration->wakers : &plan->wakers;
	const struct perf_probes *off = ration->paused ? &plan->wakers : &ration->wakers;
	int ret = perf_probes_enable(on, 0);

	if (!ret)
		perf_probes_disable(off);
	return ret;
}

void perf_ration_disable(struct perf_plan *plan)
{
	perf_probes_disable(&plan->wakers);
	perf_probes_disable(&plan->ration.wakers);
}

static bool is_spent(const struct perf_plan *plan)
{
	for (uint32_t i = 0; i < plan->rings.count; i++) {
		uint64_t taken = plan->rings.cpus[i].stacks;

		if (plan->deep.rings.count)
			taken += plan->deep.rings.cpus[i].stacks;
		if (taken > plan->ration.allowed)
			return true;
	}
	return false;
}

bool perf_ration_settle(struct perf_plan *plan, uint64_t now_ns)
{
	struct perf_ration *ration = &plan->ration;
	bool paused = ration->paused;

	if (now_ns >= ration->window_ends_ns) {
		for (uint32_t i = 0; i < plan->rings.count; i++)
			plan->rings.cpus[i].stacks = 0;
		for (uint32_t i = 0; i < plan->deep.rings.count; i++)
			plan->deep.rings.cpus[i].stacks = 0;
		ration->window_ends_ns = now_ns + NS_PER_S / WINDOWS_A_SECOND;
		ration->hit_before = ration->hit_now;
		ration->hit_now = false;
		ration->paused = false;
	} else if (is_spent(plan)) {
		ration->hit_now = true;
		ration->paused = true;
	}
	if (paused == ration->paused || !plan->started || !plan->running)
		return false;
	/* Nobody to tell of a failure: whichever set is enabled still tells of waits. */
	if (ration->paused)
		plan->decode->ration_from_ns = clock_now_ns();
	plan->decode->ration_until_ns = UINT64_MAX;
	perf_deep_enable(plan);
	perf_ration_enable(plan);
	if (!ration->paused)
		plan->decode->ration_until_ns = clock_now_ns();
	return !ration->paused;
}
