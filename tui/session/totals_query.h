/*
 * totals_query - rows of totals for one grouping, read by a job and cached until newer ones arrive.
 *
 * Each totals pane owns a query and calls totals_query_refresh() in every refresh. Rows that the
 * session already has are shared. UI thread only.
 */
#ifndef SESSION_TOTALS_QUERY_H
#define SESSION_TOTALS_QUERY_H

#include "engine/base/job_queue.h"
#include "tui/session/session_state.h"

struct totals_query {
	/* The last result, after totals_add_running(). */
	struct engine_query query;
	struct engine_row *rows; /* from `set`; valid until totals_query_refresh() returns true */
	size_t count;
	bool complete; /* a result exists; it covers all calls that its filter matched */

	/* Private to totals_query.c. */
	struct job job;
	struct engine *engine; /* up to made_ns: owned by the job while it is pending */
	struct engine_query asked;
	struct engine_row *read;
	size_t read_count;
	uint64_t cost_ns, made_ns;
	uint64_t generation; /* of the model when the job was submitted */
	uint64_t asked_filter_version, asked_zero_version;
	struct row_set *set; /* owns a reference; NULL: no result yet */
	uint64_t read_ns, every_ns; /* last read (0: never), and interval of reads */
	uint64_t shown_ns; /* when the displayed rows were made */
	uint64_t filter_version, zero_version;
	uint64_t session_version; /* rows_version of shared rows, plus 1; 0: not shared */
};

/*
 * Add the times of calls in flight to the totals of their rows. Otherwise the wait of a hanging
 * call would be missing, and the longest call could exceed the total time. Any thread.
 */
void totals_add_running(struct engine_row *rows, size_t count);

void totals_query_init(struct totals_query *totals);
void totals_query_release(struct totals_query *totals);

/*
 * Take the result of the job and submit the next query when it is time. True: the rows changed;
 * they can still be those of an earlier query.
 */
bool totals_query_refresh(struct totals_query *totals, struct session *session,
			  const struct engine_query *query);

/* True if the rows are complete and belong to the filter in force. */
bool totals_query_is_counted(const struct totals_query *totals, const struct session *session);

#endif
