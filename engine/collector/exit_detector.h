/*
 * exit_detector - finds threads that ended although the record of their end was lost.
 *
 * Where records are lost, threads that the model believes alive are looked for in the kernel, at
 * most once a second: one that is missing twice in a row, and did nothing in between, has ended,
 * and the collector is handed a record that says so. Only signal 0 is sent, which can not hang and
 * takes no memory of the thread. Nothing is found out from inside a pid namespace, where numbers
 * of threads may be those of another one. Not thread-safe: whoever owns it locks; the model's lock
 * is taken here.
 */
#ifndef COLLECTOR_EXIT_DETECTOR_H
#define COLLECTOR_EXIT_DETECTOR_H

#include "engine/collector/collector.h"
#include "engine/model/model.h"

struct exit_detector;

/* A thread that the model believes alive, as of a look. */
struct exit_detector_task {
	uint32_t pid, tid;
	uint32_t generation; /* of its process */
	uint64_t seen_ns;
};

struct exit_detector *exit_detector_new(void);
void exit_detector_free(struct exit_detector *exit_detector); /* NULL too */

/* Whether a process is known to be no more: false where that can not be known. */
bool exit_detector_is_gone(const struct exit_detector *exit_detector, uint32_t pid);

/* Now and then, without the model's lock. */
void exit_detector_look(struct exit_detector *exit_detector, struct model *model,
			struct collector *collector, uint64_t now_ns);

#endif
