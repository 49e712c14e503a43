#include "engine/source/live/perf_cpu_clock.h"

void perf_cpu_clock_open(struct perf_plan *plan, uint32_t stack_bytes)
{
	struct task_list none = TASK_LIST_INIT;
	struct perf_attach everywhere = { .cpus = true, .processes = &none, .threads = &none };
	struct perf_attach targets = { .processes = &plan->pids, .threads = &plan->tids };
	struct perf_event_attr *attr = &plan->running_recipe.attrs[PERF_KIND_RUNNING];
	char what[PERF_ATTACH_WHAT_BYTES];

	if (!plan->waits.count)
		return;
	perf_attr_clock(attr, PERF_CPU_CLOCK_NS);
	if (stack_bytes) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr->sample_regs_user = PERF_USER_REGS;
		attr->sample_stack_user = stack_bytes;
		plan->decode->regs_mask = PERF_USER_REGS;
	}
	plan->decode->types[PERF_KIND_RUNNING] = attr->sample_type;
	plan->running_recipe.kinds = 1u << PERF_KIND_RUNNING;
	if (!perf_attach_open(&everywhere, &plan->computing, &plan->running_recipe, &plan->rings,
			      plan->decode, PERF_PERIOD_WAITS, NULL, what))
		return;
	perf_event_set_close(&plan->computing);
	if (plan->reach == PERF_REACH_TASKS &&
	    !perf_attach_open(&targets, &plan->computing, &plan->running_recipe, &plan->rings,
			      plan->decode, PERF_PERIOD_WAITS, NULL, what))
		return;
	perf_event_set_close(&plan->computing);
}
