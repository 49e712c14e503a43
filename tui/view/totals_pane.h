/*
 * totals_pane - sums of calls by process, thread, system call, name, control group or user: a
 * sortable table, or a tree of processes. UI thread only.
 */
#ifndef VIEW_TOTALS_PANE_H
#define VIEW_TOTALS_PANE_H

#include "tui/view/pane.h"
#include "tui/view/totals_columns.h"

struct sums_pane_def {
	const char *name; /* of the table, for settings */
	enum sums_style style;
	enum engine_group group; /* at first */
	unsigned groups; /* bits by enum engine_group: what may be chosen */
	enum sums_column sort;
	bool tree; /* at first */
};

struct pane sums_pane_new(const struct sums_pane_def *def);
/* Who makes the system call that is chosen in the other one. */
struct pane sums_pane_new_users(const struct sums_pane_def *def, struct pane syscalls);
/* The system calls of the process or thread that is chosen in the other one. */
struct pane sums_pane_new_syscalls(const struct sums_pane_def *def, struct pane processes);

/* A row that has no number but its name is known by this. */
uint64_t sums_name_id(const char *name);

#define SUMS_BY(group) (1u << (group))
/* Whose calls they are. */
#define SUMS_BY_OWNERS \
	(SUMS_BY(ENGINE_BY_PROCESS) | SUMS_BY(ENGINE_BY_THREAD) | SUMS_BY(ENGINE_BY_COMM) | \
	 SUMS_BY(ENGINE_BY_CGROUP) | SUMS_BY(ENGINE_BY_USER))
#define SUMS_BY_ALL (SUMS_BY_OWNERS | SUMS_BY(ENGINE_BY_SYSCALL))

#endif
