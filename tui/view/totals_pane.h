/*
 * totals_pane - totals by process, thread, system call, comm, control group or user: a sortable
 * table, or a tree of processes. UI thread only.
 */
#ifndef VIEW_TOTALS_PANE_H
#define VIEW_TOTALS_PANE_H

#include "tui/view/pane.h"
#include "tui/view/totals_columns.h"

struct totals_pane_def {
	const char *name; /* of the table in the settings */
	enum totals_style style;
	enum engine_group group; /* initial grouping */
	unsigned groups; /* bits by enum engine_group: groupings that the user may choose */
	enum totals_column sort;
	bool tree; /* initially a tree */
};

struct pane totals_pane_new(const struct totals_pane_def *def);
/* Create a pane with the callers of the system call selected in pane `syscalls`. */
struct pane totals_pane_new_users(const struct totals_pane_def *def, struct pane syscalls);
/* Create a pane with the system calls of the process or thread selected in pane `processes`. */
struct pane totals_pane_new_syscalls(const struct totals_pane_def *def, struct pane processes);

/* Return the id of a row that has a name but no number. */
uint64_t totals_name_id(const char *name);

#define TOTALS_BY(group) (1u << (group))
/* Groupings by the task, or its owner, that makes the calls. */
#define TOTALS_BY_OWNERS \
	(TOTALS_BY(ENGINE_BY_PROCESS) | TOTALS_BY(ENGINE_BY_THREAD) | TOTALS_BY(ENGINE_BY_COMM) | \
	 TOTALS_BY(ENGINE_BY_CGROUP) | TOTALS_BY(ENGINE_BY_USER))
#define TOTALS_BY_ALL (TOTALS_BY_OWNERS | TOTALS_BY(ENGINE_BY_SYSCALL))

#endif
