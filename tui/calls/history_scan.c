#include "tui/calls/history_scan.h"

#include "engine/base/clock.h"

#define CHUNK 128
/* Time limit of a step in each direction. There are ten steps per second. */
#define BUDGET_NS (3 * NS_PER_MS)

void history_scan_release(struct history_scan *scan)
{
	filter_free(scan->filter);
	scan->filter = NULL;
}

void history_scan_begin(struct history_scan *scan, struct engine *engine, struct filter *filter,
			uint64_t behind_max)
{
	uint64_t first, end;

	filter_free(scan->filter);
	engine_calls_range(engine, &first, &end);
	*scan = (struct history_scan){
		.filter = filter,
		.older_seq = end,
		.newer_seq = end,
		.behind_max = behind_max,
	};
}

bool history_scan_step(struct history_scan *scan, struct engine *engine, history_scan_fn *add,
		       void *ctx)
{
	struct call calls[CHUNK];
	uint64_t seqs[CHUNK], first, end, until;
	bool found = false;

	engine_calls_range(engine, &first, &end);
	if (end - scan->newer_seq > scan->behind_max) {
		scan->skipped += end - scan->behind_max / 8 - scan->newer_seq;
		scan->newer_seq = end - scan->behind_max / 8;
	}
	until = clock_now_ns() + BUDGET_NS;
	while (scan->newer_seq < end && clock_now_ns() < until)
		found |= add(ctx, calls,
			     engine_calls_after(engine, &scan->newer_seq, scan->filter, calls, seqs,
						CHUNK),
			     true);
	if (scan->newer_seq >= end)
		scan->caught_ns = clock_now_ns();
	until = clock_now_ns() + BUDGET_NS;
	while (scan->older_seq > first && clock_now_ns() < until)
		found |= add(ctx, calls,
			     engine_calls_before(engine, &scan->older_seq, scan->filter, calls,
						 seqs, CHUNK),
			     false);
	scan->complete = scan->older_seq <= first;
	return found;
}

double history_scan_share(const struct history_scan *scan)
{
	uint64_t all = scan->newer_seq - scan->older_seq;

	return scan->skipped && all ? (double)(all - scan->skipped) / (double)all : 1;
}

const char *history_scan_sign(const struct history_scan *scan)
{
	return scan->skipped ? "~" : "";
}

uint64_t history_scan_scale(const struct history_scan *scan, uint64_t sum)
{
	double share = history_scan_share(scan);

	return scan->skipped && share > 0 ? (uint64_t)((double)sum / share) : sum;
}

void history_scan_add_sample(const struct history_scan *scan, struct str *out)
{
	double percent = 100 * history_scan_share(scan);

	if (scan->skipped)
		str_addf(out,
			 percent < 10 ? " (rows: a sample of %.1f %%)"
				      : " (rows: a sample of %.0f %%)",
			 percent);
}

unsigned history_scan_percent(const struct history_scan *scan, struct engine *engine)
{
	uint64_t first, end;

	engine_calls_range(engine, &first, &end);
	if (scan->complete || scan->newer_seq <= first)
		return 100;
	return (unsigned)((scan->newer_seq - scan->older_seq) * 100 / (scan->newer_seq - first));
}
