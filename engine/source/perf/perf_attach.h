/*
 * perf_attach - opens a set of events on whole CPUs, or on every thread of the target processes.
 *
 * A thread that starts while its process is being opened inherits the events of its parent thread,
 * is found by a further scan, or both. If both, perf_dedup learns which events count. One thread.
 */
#ifndef PERF_PERF_ATTACH_H
#define PERF_PERF_ATTACH_H

#include "engine/process/proc_tasks.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/perf/perf_event_set.h"
#include "engine/source/perf/perf_rings.h"

struct perf_attach {
	bool cpus; /* whole CPUs of the rings; ignores the other members */
	const struct task_list *processes; /* including all tasks that they create; borrowed */
	const struct task_list *threads; /* these threads only; borrowed */
	bool must_exist; /* a missing process or thread is an error */
};

/*
 * Open the events of the recipe at all places, disabled, and list the threads in `opened` (NULL:
 * not wanted). On failure return -errno and leave the events opened so far to the caller. `what`
 * receives the name of the last place, which on failure is the one that failed.
 */
#define PERF_ATTACH_WHAT_BYTES 40
int perf_attach_open(const struct perf_attach *places, struct perf_event_set *probes,
		     const struct perf_recipe *recipe, const struct perf_rings *rings,
		     struct perf_decode *decode, uint8_t period, struct task_list *opened,
		     char what[PERF_ATTACH_WHAT_BYTES]);

#endif
