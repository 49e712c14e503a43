/* totals_column - the columns of tables of totals, by number. Constants. */
#ifndef VIEW_TOTALS_COLUMN_H
#define VIEW_TOTALS_COLUMN_H

enum totals_column {
	TOTALS_ID, /* pid, tid, uid or number of the call */
	TOTALS_PARENT,
	TOTALS_USER,
	TOTALS_NAME,
	TOTALS_CONTAINER, /* or pod, or service */
	TOTALS_CGROUP,
	TOTALS_THREADS,
	TOTALS_RATE,
	TOTALS_CALLS,
	TOTALS_ERRORS,
	TOTALS_TOTAL,
	TOTALS_CPU,
	TOTALS_BLOCKED,
	TOTALS_RUNNABLE,
	TOTALS_MEAN,
	TOTALS_P50,
	TOTALS_P95,
	TOTALS_P99,
	TOTALS_MAX,
	TOTALS_IN_FLIGHT,
	TOTALS_HISTOGRAM,
	TOTALS_COLUMN_COUNT
};

#endif
