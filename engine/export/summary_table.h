/*
 * summary_table - the rows of a summary that belong together, as a table of text.
 *
 * Any thread.
 */
#ifndef EXPORT_SUMMARY_TABLE_H
#define EXPORT_SUMMARY_TABLE_H

#include "engine/base/str.h"
#include "engine/export/summary_form.h"
#include "engine/export/summary_rows.h"

/* Which columns there is room for, and how wide each is. The same for all tables. */
struct summary_layout {
	enum summary_column columns[SUMMARY_COLUMNS];
	size_t count;
	int cols[SUMMARY_COLUMNS];
	int errno_cols; /* 0: any */
};

void summary_layout_make(struct summary_layout *layout, const struct summary_form *form,
			 const struct summary_group *groups, size_t count);
/* With its heads, indented; the rows in the order in which they are. */
void summary_table_add(struct str *out, const struct summary_layout *layout,
		       const struct summary_group *group);

/* Milliseconds: ">12.345" where waits of some calls are not known, "?" where nothing is. */
#define SUMMARY_BLOCKED_BYTES 32
char *summary_format_blocked(char out[SUMMARY_BLOCKED_BYTES], uint64_t blocked_ns,
			     uint64_t waits_unknown);

/* As of qsort(), with one more argument: the order that the form asks for. */
int summary_compare_syscalls(const struct summary_form *form, const struct summary_syscall *one,
			     const struct summary_syscall *other);
int summary_compare_groups(const struct summary_form *form, const struct summary_group *one,
			   const struct summary_group *other);

#endif
