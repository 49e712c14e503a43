/*
 * summary_form - what of a summary is wanted: whose rows, which columns, in which order.
 *
 * The columns are one list: the table, the words that are understood and the manual's table
 * derive from it. Any thread.
 */
#ifndef EXPORT_SUMMARY_FORM_H
#define EXPORT_SUMMARY_FORM_H

#include "engine/base/err.h"
#include "engine/base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * SUMMARY_COLUMN(ID, "word", "title", columns of the screen, drop, "what it says"). Where the
 * table is wider than the line, they are made as narrow as what is in them; then some are left
 * out, the highest drop first; 0: never. The last one takes what is left of the line.
 */
/* clang-format off */
#define SUMMARY_COLUMN_LIST(SUMMARY_COLUMN) \
	SUMMARY_COLUMN(NAME, "syscall", "syscall", 16, 0, "its name") \
	SUMMARY_COLUMN(CALLS, "calls", "calls", 10, 0, "how many ended") \
	SUMMARY_COLUMN(ERRORS, "errors", "errors", 8, 1, "how many of them failed") \
	SUMMARY_COLUMN(SHARE, "share", "time %", 6, 7, "of the time in all calls of the table") \
	SUMMARY_COLUMN(TOTAL, "total", "total ms", 13, 0, "time in them") \
	SUMMARY_COLUMN(BLOCKED, "blocked", "blocked ms", 13, 3, "time in them off the processor; " \
		       "watched if it is asked for, or with -g") \
	SUMMARY_COLUMN(AVG, "avg", "avg us", 11, 8, "average of one") \
	SUMMARY_COLUMN(MIN, "min", "min us", 11, 10, "the shortest") \
	SUMMARY_COLUMN(P50, "p50", "p50 us", 11, 9, "half of them took no longer") \
	SUMMARY_COLUMN(P95, "p95", "p95 us", 11, 5, "95 of 100 took no longer") \
	SUMMARY_COLUMN(P99, "p99", "p99 us", 11, 6, "99 of 100 took no longer") \
	SUMMARY_COLUMN(MAX, "max", "max us", 13, 2, "the longest") \
	SUMMARY_COLUMN(STDDEV, "stddev", "stddev %", 8, 11, "how far off the average may be: its " \
		       "standard error, of it, as perf trace has it") \
	SUMMARY_COLUMN(ERRNOS, "errnos", "failed with", 13, 4, "the most frequent errors")
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
	bool chosen; /* the columns: none is left out */
	int width; /* of a line; 0: any */
};

/* By process, all columns but that of blocked time, by total time. */
void summary_form_init(struct summary_form *form);
/* Each: 0, or -EINVAL with a sentence that lists the words. */
int summary_form_by(struct summary_form *form, const char *word, struct err *err);
int summary_form_columns(struct summary_form *form, const char *list, struct err *err);
/*
 * A column: names from a on, figures from the largest on, with a '-' in front the other way;
 * errnos by how many errors there are.
 */
int summary_form_sort(struct summary_form *form, const char *word, struct err *err);
bool summary_form_has(const struct summary_form *form, enum summary_column column);
/* After the columns were chosen or not: one more, unless it is there or they were. */
void summary_form_offer(struct summary_form *form, enum summary_column column);
/* One less, unless they were chosen: there is nothing to be said in it. */
void summary_form_withdraw(struct summary_form *form, enum summary_column column);

#endif
