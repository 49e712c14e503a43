/*
 * totals_query - rows of totals for one grouping, read by a job and cached until newer ones arrive.
 *
 * Each totals pane owns one and refreshes it in every refresh. If the session has the rows, they
 * are shared with it. UI thread only.
 */
#ifndef SESSION_TOTALS_QUERY_H
#define SESSION_TOTALS_QUERY_H

#include "engine/base/job_queue.h"
#include "tui/session/session_state.h"

struct totals_query {
	/* The last result, after totals_add_running(). */
	struct engine_query query;
	struct engine_row *rows; /* of `set`; valid until totals_query_refresh() returns true */
	size_t count;
	bool complete; /* a result exists, of all calls that the filter of that time matched */

	/* Private to totals_query.c. */
	struct job job;
	struct engine *engine; /* up to made_ns: belongs to the job while it is pending */
	struct engine_query asked;
	struct engine_row *read;
	size_t read_count;
	uint64_t cost_ns, made_ns;
	uint64_t generation; /* of the model at the time of the query */
	uint64_t asked_filter_version, asked_zero_version;
	struct row_set *set; /* owns a reference; NULL: no result yet */
	uint64_t read_ns, every_ns; /* 0: never */
	uint64_t shown_ns; /* when the displayed rows were made */
	uint64_t filter_version, zero_version;
	uint64_t session_version; /* of the session's rows, plus 1; 0: not the session's rows */
};

/*
 * Add the times of calls in flight to their rows. A hanging call has waited too, and the longest
 * call must be part of the total time. Any thread.
 */
void totals_add_running(struct engine_row *rows, size_t count);

void totals_query_init(struct totals_query *totals);
void totals_query_release(struct totals_query *totals);

/*
 * Take the result of the job and submit the next query when it is time. True: the rows changed;
 * they may belong to an earlier query.
 */
bool totals_query_refresh(struct totals_query *totals, struct session *session,
			  const struct engine_query *query);

/* False: the rows, if any, belong to another filter than the one in force, or are incomplete. */
bool totals_query_is_counted(const struct totals_query *totals, const struct session *session);

#endif
