#include "engine/source/perf/perf_filter.h"

#include <stdbool.h>
#include <string.h>

/* Consecutive call numbers that all pass or all are dropped. */
struct run {
	uint32_t first, last;
};

struct runs {
	struct run runs[SYSCALL_NR_MAX / 2 + 1];
	size_t count;
};

/* Find the runs of numbers that the filter passes (`member`) or drops, in order. */
static void runs_find(struct runs *found, const struct kernel_filter *filter, bool member)
{
	found->count = 0;
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		if (kernel_filter_allows(filter, nr) != member)
			continue;
		if (found->count && found->runs[found->count - 1].last + 1 == nr)
			found->runs[found->count - 1].last = nr;
		else
			found->runs[found->count++] = (struct run){ nr, nr };
	}
}

/* Join the two closest runs: the numbers between them also pass. */
static void runs_coarsen(struct runs *runs)
{
	size_t best = 1;

	for (size_t i = 2; i < runs->count; i++)
		if (runs->runs[i].first - runs->runs[i - 1].last <
		    runs->runs[best].first - runs->runs[best - 1].last)
			best = i;
	runs->runs[best - 1].last = runs->runs[best].last;
	memmove(&runs->runs[best], &runs->runs[best + 1],
		(runs->count - best - 1) * sizeof(runs->runs[0]));
	runs->count--;
}

/*
 * SYSCALL_NR_MAX and higher numbers always pass. Negative numbers pass as well: the exit of
 * rt_sigreturn has -1, since the signal frame overwrites the number.
 */
static void add_allowed(struct str *text, const struct runs *runs)
{
	bool open_below = false, open_above = false;

	str_addc(text, '(');
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->runs[i];

		if (i)
			str_add(text, " || ");
		if (!run->first) {
			str_addf(text, "id <= %u", run->last);
			open_below = true;
		} else if (run->last == SYSCALL_NR_MAX - 1) {
			str_addf(text, "id >= %u", run->first);
			open_above = true;
		} else if (run->first == run->last) {
			str_addf(text, "id == %u", run->first);
		} else {
			str_addf(text, "(id >= %u && id <= %u)", run->first, run->last);
		}
	}
	if (!open_above)
		str_addf(text, "%sid >= %d", runs->count ? " || " : "", SYSCALL_NR_MAX);
	if (!open_below)
		str_add(text, " || id < 0");
	str_addc(text, ')');
}

static void add_refused(struct str *text, const struct runs *runs)
{
	str_addc(text, '(');
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->runs[i];

		if (i)
			str_add(text, " && ");
		if (run->first == run->last)
			str_addf(text, "id != %u", run->first);
		else
			str_addf(text, "(id < %u || id > %u)", run->first, run->last);
	}
	str_addc(text, ')');
}

static void add_syscalls(struct str *text, const struct kernel_filter *filter)
{
	struct str refused = STR_INIT;
	struct runs runs;

	if (!filter->by_syscall)
		return;
	runs_find(&runs, filter, false);
	if (!runs.count)
		return;
	add_refused(&refused, &runs);
	runs_find(&runs, filter, true);
	add_allowed(text, &runs);
	while (text->len >= PERF_FILTER_BYTES / 2 && runs.count > 1) {
		runs_coarsen(&runs);
		str_clear(text);
		add_allowed(text, &runs);
	}
	if (refused.len < text->len) {
		str_clear(text);
		str_addn(text, refused.data, refused.len);
	}
	str_release(&refused);
}

void perf_filter_format(struct str *text, const struct kernel_filter *filter,
			const uint32_t *not_tids, size_t not_tid_count)
{
	size_t len;

	str_clear(text);
	add_syscalls(text, filter);
	for (size_t i = 0; i < not_tid_count; i++) {
		len = text->len;
		str_addf(text, "%scommon_pid != %u", len ? " && " : "", not_tids[i]);
		if (text->len >= PERF_FILTER_BYTES) {
			str_cut(text, len);
			break;
		}
	}
}
