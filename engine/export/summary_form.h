/*
 * summary_form - selects the rows, columns and order of a summary.
 *
 * The columns are one list, from which the table, the accepted words and the table of the manual
 * derive. Any thread.
 */
#ifndef EXPORT_SUMMARY_FORM_H
#define EXPORT_SUMMARY_FORM_H

#include "engine/base/err.h"
#include "engine/base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * SUMMARY_COLUMN(ID, "word", "title", screen columns, drop, "description"). If the table is wider
 * than the line, each column first shrinks to its contents. Then columns are omitted, the highest
 * drop first; 0: never. The last column gets the remaining width.
 */
/* clang-format off */
#define SUMMARY_COLUMN_LIST(SUMMARY_COLUMN) \
	SUMMARY_COLUMN(NAME, "syscall", "syscall", 16, 0, "name of the call") \
	SUMMARY_COLUMN(CALLS, "calls", "calls", 10, 0, "finished calls") \
	SUMMARY_COLUMN(ERRORS, "errors", "errors", 8, 1, "failed calls") \
	SUMMARY_COLUMN(SHARE, "share", "time %", 6, 7, "share of the time in calls of the table") \
	SUMMARY_COLUMN(TOTAL, "total", "total ms", 13, 0, "time in these calls") \
	SUMMARY_COLUMN(BLOCKED, "blocked", "blocked ms", 13, 3, "time in these calls off CPU; " \
		       "collected if selected, or with -g") \
	SUMMARY_COLUMN(AVG, "avg", "avg us", 11, 8, "average duration") \
	SUMMARY_COLUMN(MIN, "min", "min us", 11, 10, "shortest call") \
	SUMMARY_COLUMN(P50, "p50", "p50 us", 11, 9, "median duration") \
	SUMMARY_COLUMN(P95, "p95", "p95 us", 11, 5, "95th percentile") \
	SUMMARY_COLUMN(P99, "p99", "p99 us", 11, 6, "99th percentile") \
	SUMMARY_COLUMN(MAX, "max", "max us", 13, 2, "longest call") \
	SUMMARY_COLUMN(STDDEV, "stddev", "stddev %", 8, 11, "standard error of the average, in " \
		       "percent of it, as in perf trace") \
	SUMMARY_COLUMN(ERRNOS, "errnos", "failed with", 13, 4, "most frequent errors")
/* clang-format on */

enum summary_column {
#define SUMMARY_COLUMN_ENUM(id, word, title, cols, drop, help) SUMMARY_##id,
	SUMMARY_COLUMN_LIST(SUMMARY_COLUMN_ENUM)
#undef SUMMARY_COLUMN_ENUM
		SUMMARY_COLUMNS
};

struct summary_column_info {
	const char *word, *title, *help;
	int cols, drop;
};

extern const struct summary_column_info summary_columns[SUMMARY_COLUMNS];

enum summary_by {
	SUMMARY_BY_PROCESS,
	SUMMARY_BY_THREAD,
	SUMMARY_BY_TOTAL, /* one table for all */
};

struct summary_form {
	enum summary_by by;
	enum summary_column columns[SUMMARY_COLUMNS]; /* in this order; the first is the name */
	size_t column_count;
	enum summary_column sort;
	bool ascending;
	bool chosen; /* the user chose the columns: omit none */
	int width; /* width of a line; 0: unlimited */
};

/* Set the defaults: by process, all columns except blocked time, sorted by total time. */
void summary_form_init(struct summary_form *form);
/* Each returns 0, or -EINVAL with a message that lists the words. */
int summary_form_by(struct summary_form *form, const char *word, struct err *err);
int summary_form_columns(struct summary_form *form, const char *list, struct err *err);
/*
 * Sort by a column: names ascending, numbers descending; a leading '-' reverses the order. Errnos
 * sort by the number of errors.
 */
int summary_form_sort(struct summary_form *form, const char *word, struct err *err);
bool summary_form_has(const struct summary_form *form, enum summary_column column);
/* Add a column if it is absent and the user chose none. Call after summary_form_columns(). */
void summary_form_offer(struct summary_form *form, enum summary_column column);
/* Remove a column that would be empty, unless the user chose the columns. */
void summary_form_withdraw(struct summary_form *form, enum summary_column column);

#endif
