/*
 * deadlock_lines - polls the engine for deadlocks and writes each one once.
 *
 * Main thread.
 */
#ifndef REPORT_DEADLOCK_LINES_H
#define REPORT_DEADLOCK_LINES_H

#include "engine/base/str.h"
#include "engine/engine.h"

#define DEADLOCK_LINES_MAX 64

struct deadlock_lines {
	struct engine *engine; /* borrowed */
	bool json;
	bool replayed; /* a recording is read: poll only at its end, not by the clock */
	uint64_t looked_ns;
	/* Deadlocks written so far, by tid and enter time of the first thread's call. */
	struct {
		uint32_t tid;
		uint64_t enter_ns;
	} written[DEADLOCK_LINES_MAX];
	size_t written_count;
};

/* Call after engine_start(). */
void deadlock_lines_init(struct deadlock_lines *lines, struct engine *engine, bool json,
			 bool replayed);

/*
 * Poll at most once a second and append new deadlocks. True if any was appended. Call frequently.
 */
bool deadlock_lines_look(struct deadlock_lines *lines, struct str *out);
/*
 * Poll for the last time; a second scan after 0.1 s confirms a possible deadlock. again: also
 * append deadlocks that were written earlier and still exist, so that they follow other output.
 */
void deadlock_lines_finish(struct deadlock_lines *lines, struct str *out, bool again);

#endif
