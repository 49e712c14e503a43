#include "engine/model/call_stats.h"

#include "engine/base/mem.h"

#include <stdlib.h>

struct sums *sums_new(bool latencies, uint64_t start_ns)
{
	struct sums *sums = mem_zalloc(1, sizeof(*sums));

	sums->totals = totals_new();
	sums->latencies = latencies ? latencies_new(start_ns) : NULL;
	return sums;
}

void sums_free(struct sums *sums)
{
	if (!sums)
		return;
	totals_free(sums->totals);
	latencies_free(sums->latencies);
	free(sums);
}

void sums_clear(struct sums *sums)
{
	sums->calls = 0;
	totals_clear(sums->totals);
	if (sums->latencies)
		latencies_clear(sums->latencies);
}

void sums_add(struct sums *sums, const struct call *call)
{
	sums->calls++;
	totals_add(sums->totals, call);
	if (sums->latencies && call->state == CALL_DONE && call->dur_ns >= 0)
		latencies_add(sums->latencies, call->enter_ns + (uint64_t)call->dur_ns,
			      (uint64_t)call->dur_ns);
}

void sums_add_counted(struct sums *sums, const struct record *record)
{
	sums->calls += record->counted.calls;
	totals_add_counted(sums->totals, record);
	if (sums->latencies)
		latencies_add_counted(sums->latencies, record);
}
