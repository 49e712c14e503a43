/*
 * totals_query - rows of sums by one thing or another, made by a job and kept until there are
 * newer ones.
 *
 * Each pane of sums has its own and asks in every refresh. Where the session has the rows, they are
 * shared with it. UI thread only.
 */
#ifndef SESSION_TOTALS_QUERY_H
#define SESSION_TOTALS_QUERY_H

#include "engine/base/job_queue.h"
#include "tui/session/session_state.h"

struct totals_query {
	/* What was read last, with totals_add_running(). */
	struct engine_query query;
	struct engine_row
		*rows; /* of `set`: good until totals_query_refresh() says that they changed */
	size_t count;
	bool complete; /* it was read, of all calls that the filter of that time lets through */

	/* For totals_query.c only. */
	struct job job;
	struct engine *engine; /* these five are the job's while it is away */
	struct engine_query asked;
	struct engine_row *read;
	size_t read_count;
	uint64_t cost_ns, made_ns;
	uint64_t generation; /* of the model, when it was asked for */
	uint64_t asked_filter_version, asked_zero_version;
	struct row_set *set; /* a reference; NULL: nothing was read yet */
	uint64_t read_ns, every_ns; /* 0: never */
	uint64_t shown_ns; /* when those that are shown were made */
	uint64_t filter_version, zero_version;
	uint64_t session_version; /* of rows that are the session's; 0: they are not */
};

/*
 * Calls in flight count in the times of their rows: what hangs in a call has waited too, and the
 * longest call is one of those whose time is summed up. Any thread.
 */
void totals_add_running(struct engine_row *rows, size_t count);

void totals_query_init(struct totals_query *totals);
void totals_query_release(struct totals_query *totals);

/*
 * Takes what was read and sends for more when it is time. True: the rows are others than before,
 * perhaps those of an earlier query.
 */
bool totals_query_refresh(struct totals_query *totals, struct session *session,
			  const struct engine_query *query);

/* False: rows, if there are any, are of another filter than the one in force. */
bool totals_query_is_counted(const struct totals_query *totals, const struct session *session);

#endif
