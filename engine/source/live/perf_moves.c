#include "engine/source/live/perf_moves.h"

#include "engine/source/perf/perf_attach.h"
#include "engine/source/tracefs.h"
#include "engine/source/tracepoint.h"

#include <limits.h>

void perf_moves_open(struct perf_plan *plan, const struct source_options *options)
{
	const struct perf_attach everywhere = { .cpus = true };
	struct perf_recipe *recipe = &plan->move_recipe;
	char tracefs[PATH_MAX], what[PERF_ATTACH_WHAT_BYTES];
	struct tracepoint *point = NULL;

	/* BPF programs report moves themselves. With -C, some CPUs have no ring. */
	if (plan->calls_elsewhere || options->target->cpu_count || !plan->initial_pids)
		return;
	if (!tracefs_find(tracefs, sizeof(tracefs), NULL) &&
	    !tracepoint_load(&point, tracefs, "cgroup", "cgroup_attach_task", NULL) &&
	    !tracepoint_field(point, "pid", &plan->decode->moved_tid, NULL)) {
		perf_attr_tracepoint(&recipe->attrs[PERF_KIND_MOVE], tracepoint_id(point), true,
				     false);
		recipe->kinds = 1u << PERF_KIND_MOVE;
		plan->sees_moves = !perf_attach_open(&everywhere, &plan->moves, recipe,
						     &plan->rings, plan->decode,
						     PERF_PERIOD_SIDEBAND, NULL, what);
	}
	if (!plan->sees_moves)
		perf_event_set_close(&plan->moves);
	tracepoint_free(point);
}
