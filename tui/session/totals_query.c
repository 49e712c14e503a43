#include "tui/session/totals_query.h"

#include "engine/base/clock.h"

#include <stdlib.h>
#include <string.h>

/* So often at most. */
#define READ_NS (NS_PER_S / 4)

void sums_add_running(struct engine_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		rows[i].total_ns += rows[i].running_ns;
		rows[i].blocked_ns += rows[i].waiting_ns;
		rows[i].runnable_ns += rows[i].queued_ns;
		rows[i].waits_unknown += rows[i].running_unknown;
	}
}

/* On the errand's thread. */
static void read_rows(void *ctx)
{
	struct sums *sums = ctx;
	uint64_t began_ns = clock_thread_ns();

	sums->made_ns = clock_now_ns();
	sums->read_count = engine_sums(sums->engine, &sums->asked, &sums->read);
	sums_add_running(sums->read, sums->read_count);
	sums->cost_ns = clock_thread_ns() - began_ns;
}

void sums_init(struct sums *sums)
{
	memset(sums, 0, sizeof(*sums));
	sums->errand = (struct errand){ .run = read_rows, .ctx = sums };
}

void sums_release(struct sums *sums)
{
	errand_recall(&sums->errand);
	free(sums->read);
	row_set_unref(sums->set);
}

bool sums_query_is(const struct engine_query *a, const struct engine_query *b)
{
	return a->group == b->group && a->pid == b->pid && a->tid == b->tid &&
	       a->one_syscall == b->one_syscall && (!a->one_syscall || a->nr == b->nr) &&
	       a->parents == b->parents;
}

/* The session's rows are of all processes. */
static bool is_of_session(const struct engine_query *query)
{
	return sums_query_is(query, &(struct engine_query){ .group = ENGINE_BY_PROCESS });
}

/* Takes the reference. */
static void show(struct sums *sums, struct row_set *set)
{
	row_set_unref(sums->set);
	sums->set = set;
	sums->rows = set ? set->rows : NULL;
	sums->count = set ? set->count : 0;
}

static bool take_of_session(struct sums *sums, const struct session *session,
			    const struct engine_query *query)
{
	if (sums->session_version == session->rows_version + 1)
		return false;
	sums->session_version = session->rows_version + 1;
	sums->query = *query;
	show(sums, row_set_ref(session->rows));
	sums->filter_version = session->rows_filter_version;
	sums->complete = session->rows_read_ns;
	return true;
}

static bool take_read(struct sums *sums, const struct session *session)
{
	if (!errand_is_back(&sums->errand))
		return false;
	show(sums, row_set_new(sums->read, sums->read_count));
	sums->read = NULL;
	sums->read_count = 0;
	sums->query = sums->asked;
	sums->session_version = 0;
	sums->complete = true;
	sums->filter_version = sums->asked_filter_version;
	sums->zero_version = sums->asked_zero_version;
	sums->read_ns = session->clock_ns;
	sums->shown_ns = sums->made_ns;
	sums->every_ns = errand_every_ns(sums->cost_ns, READ_NS);
	return true;
}

/* A display that stands still answers what it is asked anew, and shows no news. */
static bool is_due(const struct sums *sums, const struct session *session,
		   const struct engine_query *query)
{
	if (!sums->read_ns || sums->session_version || !sums_query_is(&sums->query, query))
		return true;
	if (sums->filter_version != session->filter_version)
		return session->tick;
	if (session->paused)
		return session_is_late(session, sums->shown_ns);
	return sums->zero_version != session->zero_version ||
	       session_is_due(session, sums->read_ns, sums->every_ns, sums->generation);
}

static void ask(struct sums *sums, struct session *session, const struct engine_query *query)
{
	sums->engine = session->engine;
	sums->asked = *query;
	sums->asked_filter_version = session->filter_version;
	sums->asked_zero_version = session->zero_version;
	sums->generation = session->status.model.generation;
	errand_send(&sums->errand, session->errands);
}

bool sums_are_counted(const struct sums *sums, const struct session *session)
{
	return sums->complete && sums->filter_version == session->filter_version &&
	       !session_is_counting(session, NULL);
}

bool sums_refresh(struct sums *sums, struct session *session, const struct engine_query *query)
{
	bool taken;

	if (session->phase != SESSION_RUNNING)
		return false;
	if (is_of_session(query)) {
		session_shows_from(session, session->rows_made_ns);
		return take_of_session(sums, session, query);
	}
	taken = take_read(sums, session);
	session_shows_from(session, sums->shown_ns);
	/* Making sums that are not shown would only delay the counting. */
	if (errand_is_pending(&sums->errand) || session_is_counting(session, NULL) ||
	    !is_due(sums, session, query))
		return taken;
	ask(sums, session, query);
	/* Where nobody runs errands it is there already. */
	return take_read(sums, session) || taken;
}
