#include "engine/model/call_stats.h"

#include "engine/base/mem.h"

#include <stdlib.h>

struct call_stats *call_stats_new(bool latency_heatmap, uint64_t start_ns)
{
	struct call_stats *call_stats = mem_zalloc(1, sizeof(*call_stats));

	call_stats->totals = totals_new();
	call_stats->latency_heatmap = latency_heatmap ? latency_heatmap_new(start_ns) : NULL;
	return call_stats;
}

void call_stats_free(struct call_stats *call_stats)
{
	if (!call_stats)
		return;
	totals_free(call_stats->totals);
	latency_heatmap_free(call_stats->latency_heatmap);
	free(call_stats);
}

void call_stats_clear(struct call_stats *call_stats)
{
	call_stats->calls = 0;
	totals_clear(call_stats->totals);
	if (call_stats->latency_heatmap)
		latency_heatmap_clear(call_stats->latency_heatmap);
}

void call_stats_add(struct call_stats *call_stats, const struct call *call)
{
	call_stats->calls++;
	totals_add(call_stats->totals, call);
	if (call_stats->latency_heatmap && call->state == CALL_DONE && call->dur_ns >= 0)
		latency_heatmap_add(call_stats->latency_heatmap,
				    call->enter_ns + (uint64_t)call->dur_ns,
				    (uint64_t)call->dur_ns);
}

void call_stats_add_aggregate(struct call_stats *call_stats, const struct record *record)
{
	call_stats->calls += record->aggregate.calls;
	totals_add_aggregate(call_stats->totals, record);
	if (call_stats->latency_heatmap)
		latency_heatmap_add_aggregate(call_stats->latency_heatmap, record);
}
