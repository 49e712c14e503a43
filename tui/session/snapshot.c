#include "tui/session/snapshot.h"

#include "engine/base/clock.h"
#include "engine/base/job_queue.h"
#include "engine/base/mem.h"
#include "tui/session/deadlock_watch.h"
#include "tui/session/session_state.h"
#include "tui/session/totals_query.h"

#include <stdlib.h>
#include <string.h>

/* Shortest interval between reads of totals. */
#define ROWS_NS (NS_PER_S / 4)
/* With fewer calls, the p99 is one of the two longest, so too many calls count as slow. */
#define P99_MIN_CALLS 100

/* The job owns this struct while it is pending. */
struct snapshot {
	struct job job;
	/* The query. */
	struct engine *engine;
	bool live, rows_wanted;
	bool whatever; /* take the result even while the display is paused */
	bool arrives; /* a recording has reached its new position */
	bool settled; /* the filter in force is that of filter_version */
	uint64_t clock_ns, filter_version;
	uint64_t generation, rows_generation; /* of the model when the job was submitted */
	/* The result. */
	struct engine_row *rows;
	size_t row_count;
	struct call *in_flight;
	size_t in_flight_count;
	struct deadlock_watch deadlocks;
	uint64_t rows_cost_ns, rows_made_ns;
};

/* ---- job thread ---- */

static void read_rows(struct snapshot *snapshot)
{
	uint64_t began_ns = clock_thread_ns();

	snapshot->rows_made_ns = clock_now_ns();
	snapshot->row_count = engine_processes(snapshot->engine, &snapshot->rows);
	totals_add_running(snapshot->rows, snapshot->row_count);
	snapshot->rows_cost_ns = clock_thread_ns() - began_ns;
}

static void make(void *ctx)
{
	struct snapshot *snapshot = ctx;

	if (snapshot->live) {
		deadlock_watch_look(&snapshot->deadlocks, snapshot->engine, snapshot->clock_ns);
		snapshot->in_flight_count = engine_in_flight(snapshot->engine, snapshot->in_flight,
							     SESSION_IN_FLIGHT_MAX);
	}
	if (snapshot->rows_wanted)
		read_rows(snapshot);
}

/* ---- UI thread ---- */

struct snapshot *snapshot_new(void)
{
	struct snapshot *snapshot = mem_zalloc(1, sizeof(*snapshot));

	snapshot->job = (struct job){ .run = make, .ctx = snapshot };
	snapshot->in_flight = mem_alloc(sizeof(struct call) * SESSION_IN_FLIGHT_MAX);
	return snapshot;
}

void snapshot_free(struct snapshot *snapshot)
{
	job_cancel(&snapshot->job);
	free(snapshot->rows);
	free(snapshot->in_flight);
	free(snapshot);
}

static void index_p99(struct session *session)
{
	idmap_clear(&session->p99_by_pid);
	for (size_t i = 0; i < session->rows->count; i++) {
		const struct engine_row *row = &session->rows->rows[i];

		if (row->calls >= P99_MIN_CALLS)
			idmap_put(&session->p99_by_pid, row->pid,
				  (void *)(uintptr_t)(row->p99_ns + 1));
	}
}

static void take_rows(struct session *session, struct snapshot *snapshot)
{
	row_set_unref(session->rows);
	session->rows = row_set_new(snapshot->rows, snapshot->row_count);
	snapshot->rows = NULL;
	snapshot->row_count = 0;
	session->rows_version++;
	index_p99(session);
	session->rows_every_ns = job_every_ns(snapshot->rows_cost_ns, ROWS_NS);
	session->rows_read_ns = clock_now_ns();
	session->rows_made_ns = snapshot->rows_made_ns;
	session->rows_filter_version = snapshot->filter_version;
}

/* Discard calls in flight of an earlier filter: they must not appear under the new one. */
static void take_in_flight(struct session *session, const struct snapshot *snapshot)
{
	session->deadlocks = snapshot->deadlocks;
	if (!snapshot->settled || snapshot->filter_version != session->filter_version)
		return;
	session->in_flight_known = true;
	session->in_flight_count = snapshot->in_flight_count;
	memcpy(session->in_flight, snapshot->in_flight,
	       snapshot->in_flight_count * sizeof(*snapshot->in_flight));
}

static void drop_rows(struct snapshot *snapshot)
{
	free(snapshot->rows);
	snapshot->rows = NULL;
	snapshot->row_count = 0;
}

bool snapshot_take(struct session *session)
{
	struct snapshot *snapshot = session->snapshot;

	if (!job_is_done(&snapshot->job))
		return false;
	/* The user paused meanwhile: the display must not change. */
	if (session->paused && !snapshot->whatever) {
		drop_rows(snapshot);
		return false;
	}
	if (snapshot->live)
		take_in_flight(session, snapshot);
	if (snapshot->rows_wanted)
		take_rows(session, snapshot);
	if (snapshot->arrives)
		session_arrived(session);
	session->dirty = true;
	return true;
}

void snapshot_refresh(struct session *session)
{
	struct snapshot *snapshot = session->snapshot;
	bool refiltered, first, due, news, counting;

	snapshot_take(session);
	if (job_is_pending(&snapshot->job))
		return;
	refiltered = session->rows_filter_version != session->filter_version;
	first = !session->moving && (!session->rows_read_ns || !session->in_flight_known);
	due = session_is_due(session, session->rows_read_ns, session->rows_every_ns,
			     snapshot->rows_generation);
	news = session_is_due(session, snapshot->clock_ns, 0, snapshot->generation);
	counting = session_is_counting(session, NULL);
	snapshot->engine = session->engine;
	/* Incomplete totals are not shown; reading them would only delay the counting. */
	snapshot->arrives = session->arrives && !counting;
	/* The first query and one for a new filter or position run even while paused. */
	snapshot->whatever = first || refiltered || session->arrives;
	snapshot->live = (!session->paused && (news || due)) || snapshot->whatever;
	snapshot->rows_wanted = !counting && (snapshot->whatever || (!session->paused && due));
	snapshot->filter_version = session->filter_version;
	snapshot->settled = !session->status.filter_pending;
	if (!snapshot->live && !snapshot->rows_wanted)
		return;
	snapshot->clock_ns = session->clock_ns;
	snapshot->generation = session->status.model.generation;
	if (snapshot->rows_wanted)
		snapshot->rows_generation = snapshot->generation;
	job_submit(&snapshot->job, session->job_queue);
	/* Without a job queue the job has already run. */
	snapshot_take(session);
}
