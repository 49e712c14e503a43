/*
 * deadlock_lines - looks for deadlocks now and then and writes each of them once.
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
	bool replayed; /* nobody looks while it is read, which may take any time */
	uint64_t looked_ns;
	/* Those written: by the first thread's tid and when its call began. */
	struct {
		uint32_t tid;
		uint64_t enter_ns;
	} written[DEADLOCK_LINES_MAX];
	size_t written_count;
};

/* After engine_start(). */
void deadlock_lines_init(struct deadlock_lines *lines, struct engine *engine, bool json,
			 bool replayed);

/* Often: looks once a second, adds lines for what is new, and says whether it did. */
bool deadlock_lines_look(struct deadlock_lines *lines, struct str *out);
/*
 * The last look, as sure as the others: may take a tenth of a second. again: those that
 * were written before and are there still once more, below everything else.
 */
void deadlock_lines_finish(struct deadlock_lines *lines, struct str *out, bool again);

#endif
