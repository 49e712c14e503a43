/*
 * perf_attach - opens a set of events on whole CPUs, or on every thread of processes.
 *
 * Threads that start while their process is being opened inherit the events of
 * the thread that starts them, or are found by looking again, or both; in
 * the last case perf_decode is told whose records count. One thread.
 */
#ifndef PERF_PERF_ATTACH_H
#define PERF_PERF_ATTACH_H

#include "engine/process/proc_tasks.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/perf/perf_event_set.h"
#include "engine/source/perf/perf_rings.h"

struct perf_attach {
	bool cpus; /* everything on the rings' CPUs, and nothing of the following */
	const struct task_list *processes; /* with what they start; borrowed */
	const struct task_list *threads; /* they alone; borrowed */
	bool must_exist; /* a process or thread that is not there is an error */
};

/*
 * Opens recipe on all of it, disabled, and lists in `opened` (NULL: nobody asks) the
 * threads. On failure -errno, what was opened is left to be closed, and
 * `what` (WHAT_BYTES) names the place.
 */
#define PERF_ATTACH_WHAT_BYTES 40
int perf_attach_open(const struct perf_attach *places, struct perf_event_set *probes,
		     const struct perf_recipe *recipe, const struct perf_rings *rings,
		     struct perf_decode *decode, uint8_t period, struct task_list *opened,
		     char what[PERF_ATTACH_WHAT_BYTES]);

#endif
