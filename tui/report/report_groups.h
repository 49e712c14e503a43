/*
 * report_groups - sorts the engine's rows into groups of a summary: by process, by thread, or all
 * in one. Main thread.
 */
#ifndef REPORT_REPORT_GROUPS_H
#define REPORT_REPORT_GROUPS_H

#include "engine/engine.h"
#include "engine/export/summary.h"

struct report_groups {
	/* Rows of the engine, including those without finished calls. */
	struct engine_row *owners, *rows; /* sorted by pid, then by tid */
	size_t owner_count, row_count;
	/* Groups in the order of the form; they borrow names and rows from the members above. */
	struct summary_group *groups;
	size_t count;
	struct summary_syscall *syscalls;
};

void report_groups_make(struct report_groups *made, struct engine *engine,
			const struct summary_form *form, enum summary_by by);
void report_groups_release(struct report_groups *made);

#endif
