#include "tui/session/totals_query.h"

#include "engine/base/clock.h"

#include <stdlib.h>
#include <string.h>

/* Shortest interval between reads. */
#define READ_NS (NS_PER_S / 4)

void totals_add_running(struct engine_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		rows[i].total_ns += rows[i].running_ns;
		rows[i].blocked_ns += rows[i].waiting_ns;
		rows[i].runnable_ns += rows[i].queued_ns;
		rows[i].waits_unknown += rows[i].running_unknown;
	}
}

/* Runs on the job thread. */
static void read_rows(void *ctx)
{
	struct totals_query *totals = ctx;
	uint64_t began_ns = clock_thread_ns();

	totals->made_ns = clock_now_ns();
	totals->read_count = engine_sums(totals->engine, &totals->asked, &totals->read);
	totals_add_running(totals->read, totals->read_count);
	totals->cost_ns = clock_thread_ns() - began_ns;
}

void totals_query_init(struct totals_query *totals)
{
	memset(totals, 0, sizeof(*totals));
	totals->job = (struct job){ .run = read_rows, .ctx = totals };
}

void totals_query_release(struct totals_query *totals)
{
	job_cancel(&totals->job);
	free(totals->read);
	row_set_unref(totals->set);
}

static bool totals_query_is(const struct engine_query *a, const struct engine_query *b)
{
	return a->group == b->group && a->pid == b->pid && a->tid == b->tid &&
	       a->one_syscall == b->one_syscall && (!a->one_syscall || a->nr == b->nr) &&
	       a->parents == b->parents;
}

/* True if the session already has the rows of the query: totals of all processes. */
static bool is_of_session(const struct engine_query *query)
{
	return totals_query_is(query, &(struct engine_query){ .group = ENGINE_BY_PROCESS });
}

/* Show the rows of `set`; takes ownership of the caller's reference. */
static void show(struct totals_query *totals, struct row_set *set)
{
	row_set_unref(totals->set);
	totals->set = set;
	totals->rows = set ? set->rows : NULL;
	totals->count = set ? set->count : 0;
}

static bool take_of_session(struct totals_query *totals, const struct session *session,
			    const struct engine_query *query)
{
	if (totals->session_version == session->rows_version + 1)
		return false;
	totals->session_version = session->rows_version + 1;
	totals->query = *query;
	show(totals, row_set_ref(session->rows));
	totals->filter_version = session->rows_filter_version;
	totals->complete = session->rows_read_ns;
	return true;
}

static bool take_read(struct totals_query *totals, const struct session *session)
{
	if (!job_is_done(&totals->job))
		return false;
	show(totals, row_set_new(totals->read, totals->read_count));
	totals->read = NULL;
	totals->read_count = 0;
	totals->query = totals->asked;
	totals->session_version = 0;
	totals->complete = true;
	totals->filter_version = totals->asked_filter_version;
	totals->zero_version = totals->asked_zero_version;
	totals->read_ns = session->clock_ns;
	totals->shown_ns = totals->made_ns;
	totals->every_ns = job_every_ns(totals->cost_ns, READ_NS);
	return true;
}

/*
 * True if the query must be read now. A paused display reads only for a new query, for a new
 * filter, or once in a view that was opened during the pause.
 */
static bool is_due(const struct totals_query *totals, const struct session *session,
		   const struct engine_query *query)
{
	if (!totals->read_ns || totals->session_version || !totals_query_is(&totals->query, query))
		return true;
	if (totals->filter_version != session->filter_version)
		return session->tick;
	if (session->paused)
		return session_is_late(session, totals->shown_ns);
	return totals->zero_version != session->zero_version ||
	       session_is_due(session, totals->read_ns, totals->every_ns, totals->generation);
}

static void ask(struct totals_query *totals, struct session *session,
		const struct engine_query *query)
{
	totals->engine = session->engine;
	totals->asked = *query;
	totals->asked_filter_version = session->filter_version;
	totals->asked_zero_version = session->zero_version;
	totals->generation = session->status.model.generation;
	job_submit(&totals->job, session->job_queue);
}

bool totals_query_is_counted(const struct totals_query *totals, const struct session *session)
{
	return totals->complete && totals->filter_version == session->filter_version &&
	       !session_is_counting(session, NULL);
}

bool totals_query_refresh(struct totals_query *totals, struct session *session,
			  const struct engine_query *query)
{
	bool taken;

	if (session->phase != SESSION_RUNNING)
		return false;
	if (is_of_session(query)) {
		session_shows_from(session, session->rows_made_ns);
		return take_of_session(totals, session, query);
	}
	taken = take_read(totals, session);
	session_shows_from(session, totals->shown_ns);
	/* While calls are counted, totals are not shown; reading them would delay the counting. */
	if (job_is_pending(&totals->job) || session_is_counting(session, NULL) ||
	    !is_due(totals, session, query))
		return taken;
	ask(totals, session, query);
	/* Without a job queue the job has already run. */
	return take_read(totals, session) || taken;
}
