#include "engine/source/perf/perf_attach.h"

#include <errno.h>
#include <stdio.h>

#define SCANS_MAX 100 /* maximum per process: it can create threads faster than they are found */

/* Arguments of one perf_attach_open(). */
struct opening {
	struct perf_event_set *probes;
	const struct perf_recipe *recipe;
	const struct perf_rings *rings;
	struct perf_decode *decode;
	uint8_t period;
	struct task_list *opened;
};

static int open_place(struct opening *opening, const struct perf_place *place)
{
	int ret = perf_event_set_open(opening->probes, opening->recipe, place, opening->rings,
				      &opening->decode->ids, opening->period);

	if (!ret && place->tid)
		task_list_add(opening->opened, place->tid);
	return ret;
}

/* Return the number of threads found, or -errno. */
static int open_process(struct opening *opening, uint32_t pid)
{
	struct perf_place place = { .inherit = true,
				    .head = descendants_head(&opening->decode->descendants, pid) };
	struct task_list threads = TASK_LIST_INIT;
	int found = 0, ret = 0, fresh;

	for (int scan = 0; scan < SCANS_MAX; scan++) {
		threads.count = 0;
		fresh = 0;
		proc_tasks_threads(&threads, pid);
		for (size_t i = 0; i < threads.count; i++) {
			place.tid = threads.ids[i];
			if (task_list_has(opening->opened, place.tid))
				continue;
			ret = open_place(opening, &place);
			if (ret == -ESRCH)
				continue; /* exited after the scan */
			if (ret)
				goto out;
			if (scan)
				perf_dedup_doubt(&opening->decode->dedup, opening->period,
						 place.tid);
			fresh++;
		}
		found += fresh;
		if (!fresh)
			break;
	}
	ret = 0;
out:
	task_list_release(&threads);
	return ret ? ret : found;
}

static int open_all(struct opening *opening, const struct perf_attach *places, char *what)
{
	struct perf_place place = { .tid = 0 };
	int ret = 0;

	snprintf(what, PERF_ATTACH_WHAT_BYTES, "the whole system");
	if (places->cpus)
		return open_place(opening, &place);
	for (size_t i = 0; i < places->processes->count; i++) {
		snprintf(what, PERF_ATTACH_WHAT_BYTES, "process %u", places->processes->ids[i]);
		ret = open_process(opening, places->processes->ids[i]);
		if (ret < 0)
			return ret;
		if (!ret && places->must_exist)
			return -ESRCH;
	}
	for (size_t i = 0; i < places->threads->count; i++) {
		place.tid = places->threads->ids[i];
		place.head = PERF_HEAD_OF_THREAD(place.tid);
		snprintf(what, PERF_ATTACH_WHAT_BYTES, "thread %u", place.tid);
		if (task_list_has(opening->opened, place.tid))
			continue;
		ret = open_place(opening, &place);
		if (ret && (ret != -ESRCH || places->must_exist))
			return ret;
	}
	return 0;
}

int perf_attach_open(const struct perf_attach *places, struct perf_event_set *probes,
		     const struct perf_recipe *recipe, const struct perf_rings *rings,
		     struct perf_decode *decode, uint8_t period, struct task_list *opened,
		     char what[PERF_ATTACH_WHAT_BYTES])
{
	struct task_list own = TASK_LIST_INIT;
	struct opening opening = { .probes = probes,
				   .recipe = recipe,
				   .rings = rings,
				   .decode = decode,
				   .period = period,
				   .opened = opened ? opened : &own };
	int ret = open_all(&opening, places, what);

	task_list_release(&own);
	return ret;
}
