/*
 * totals_pane - sums of calls by process, thread, system call, name, control group or user: a
 * sortable table, or a tree of processes. UI thread only.
 */
#ifndef VIEW_TOTALS_PANE_H
#define VIEW_TOTALS_PANE_H

#include "tui/view/pane.h"
#include "tui/view/totals_columns.h"

struct totals_pane_def {
	const char *name; /* of the table, for settings */
	enum totals_style style;
	enum engine_group group; /* at first */
	unsigned groups; /* bits by enum engine_group: what may be chosen */
	enum totals_column sort;
	bool tree; /* at first */
};

struct pane totals_pane_new(const struct totals_pane_def *def);
/* Who makes the system call that is chosen in the other one. */
struct pane totals_pane_new_users(const struct totals_pane_def *def, struct pane syscalls);
/* The system calls of the process or thread that is chosen in the other one. */
struct pane totals_pane_new_syscalls(const struct totals_pane_def *def, struct pane processes);

/* A row that has no number but its name is known by this. */
uint64_t totals_name_id(const char *name);

#define TOTALS_BY(group) (1u << (group))
/* Whose calls they are. */
#define TOTALS_BY_OWNERS \
	(TOTALS_BY(ENGINE_BY_PROCESS) | TOTALS_BY(ENGINE_BY_THREAD) | TOTALS_BY(ENGINE_BY_COMM) | \
	 TOTALS_BY(ENGINE_BY_CGROUP) | TOTALS_BY(ENGINE_BY_USER))
#define TOTALS_BY_ALL (TOTALS_BY_OWNERS | TOTALS_BY(ENGINE_BY_SYSCALL))

#endif
