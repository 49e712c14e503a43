/*
 * summary_table - a group of summary rows as a text table.
 *
 * Any thread.
 */
#ifndef EXPORT_SUMMARY_TABLE_H
#define EXPORT_SUMMARY_TABLE_H

#include "engine/base/str.h"
#include "engine/export/summary_form.h"
#include "engine/export/summary_rows.h"

/* Columns that fit and their widths; shared by all tables. */
struct summary_layout {
	enum summary_column columns[SUMMARY_COLUMNS];
	size_t count;
	int cols[SUMMARY_COLUMNS];
	int errno_cols; /* 0: unlimited */
};

void summary_layout_make(struct summary_layout *layout, const struct summary_form *form,
			 const struct summary_group *groups, size_t count);
/* Add an indented table with its header; rows in the given order. */
void summary_table_add(struct str *out, const struct summary_layout *layout,
		       const struct summary_group *group);

/* Format a sum as ms. If it lacks `unknown` calls: ">12.345", or "?" instead of ">0". */
#define SUMMARY_SUM_BYTES 32
char *summary_format_sum(char out[SUMMARY_SUM_BYTES], uint64_t ns, uint64_t unknown);

/* Compare in the order that the form selects; results as for qsort(). */
int summary_compare_syscalls(const struct summary_form *form, const struct summary_syscall *one,
			     const struct summary_syscall *other);
int summary_compare_groups(const struct summary_form *form, const struct summary_group *one,
			   const struct summary_group *other);

#endif
