/*
 * exit_detector - finds threads that ended although their exit record was lost.
 *
 * After a loss of records, it scans the threads that are alive in the model, at most once a second.
 * It checks each of them in the kernel. A thread that is missing in two consecutive scans, with no
 * activity in between, has exited; the collector gets an exit record for it. The check is signal 0,
 * which cannot hang and does not touch the thread's memory. Inside a pid namespace nothing is
 * detected, because a tid of the model can belong to another thread there. Not thread-safe: the
 * caller serializes the calls. Takes the model's lock.
 */
#ifndef COLLECTOR_EXIT_DETECTOR_H
#define COLLECTOR_EXIT_DETECTOR_H

#include "engine/collector/collector.h"
#include "engine/model/model.h"

struct exit_detector;

/* A thread that is alive in the model at the time of a scan. */
struct exit_detector_task {
	uint32_t pid, tid;
	uint32_t generation; /* of its process */
	uint64_t seen_ns;
};

struct exit_detector *exit_detector_new(void);
void exit_detector_free(struct exit_detector *exit_detector); /* NULL is allowed */

/* True if exits can be detected: outside of a pid namespace. */
bool exit_detector_works(const struct exit_detector *exit_detector);
/*
 * True if a process certainly has exited; false if it is alive or that is unknown. A callback of
 * the model: ctx is the exit detector. Any thread.
 */
bool exit_detector_is_gone(void *ctx, uint32_t pid);

/* Scan if a scan is pending. Call repeatedly, without the model's lock. */
void exit_detector_look(struct exit_detector *exit_detector, struct model *model,
			struct collector *collector, uint64_t now_ns);

#endif
