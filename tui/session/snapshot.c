#include "tui/session/snapshot.h"

#include "engine/base/clock.h"
#include "engine/base/job_queue.h"
#include "engine/base/mem.h"
#include "tui/session/deadlock_watch.h"
#include "tui/session/session.h"
#include "tui/session/totals_query.h"

#include <stdlib.h>
#include <string.h>

/* Sums are read so often at most. */
#define ROWS_NS (NS_PER_S / 4)
/* A p99 of fewer calls is the longest one or next to it and makes everything slow. */
#define P99_MIN_CALLS 100

/* The errand's while it is away. */
struct survey {
	struct errand errand;
	/* What is asked for. */
	struct engine *engine;
	bool live, rows_wanted;
	bool whatever; /* also for a display that stands still */
	bool arrives; /* a recording is where it was told to go */
	bool settled; /* the filter in force is that of filter_version */
	uint64_t clock_ns, filter_version;
	uint64_t generation, rows_generation; /* of the model, when it was asked for */
	/* What was found. */
	struct engine_row *rows;
	size_t row_count;
	struct call *in_flight;
	size_t in_flight_count;
	struct deadlock_watch deadlocks;
	uint64_t rows_cost_ns, rows_made_ns;
};

/* ---- on the errand's thread ---- */

static void read_rows(struct survey *survey)
{
	uint64_t began_ns = clock_thread_ns();

	survey->rows_made_ns = clock_now_ns();
	survey->row_count = engine_processes(survey->engine, &survey->rows);
	sums_add_running(survey->rows, survey->row_count);
	survey->rows_cost_ns = clock_thread_ns() - began_ns;
}

static void make(void *ctx)
{
	struct survey *survey = ctx;

	if (survey->live) {
		deadlock_watch_look(&survey->deadlocks, survey->engine, survey->clock_ns);
		survey->in_flight_count = engine_in_flight(survey->engine, survey->in_flight,
							   SESSION_IN_FLIGHT_MAX);
	}
	if (survey->rows_wanted)
		read_rows(survey);
}

/* ---- on ours ---- */

struct survey *survey_new(void)
{
	struct survey *survey = mem_zalloc(1, sizeof(*survey));

	survey->errand = (struct errand){ .run = make, .ctx = survey };
	survey->in_flight = mem_alloc(sizeof(struct call) * SESSION_IN_FLIGHT_MAX);
	return survey;
}

void survey_free(struct survey *survey)
{
	errand_recall(&survey->errand);
	free(survey->rows);
	free(survey->in_flight);
	free(survey);
}

void survey_ask(struct session *session)
{
	struct survey *survey = session->survey;
	bool refiltered = session->rows_filter_version != session->filter_version;
	bool first = !session->moving && (!session->rows_read_ns || !session->in_flight_known);
	bool due = session_is_due(session, session->rows_read_ns, session->rows_every_ns,
				  survey->rows_generation);
	bool news = session_is_due(session, survey->clock_ns, 0, survey->generation);
	bool counting = session_is_counting(session, NULL);

	if (errand_is_pending(&survey->errand))
		return;
	survey->engine = session->engine;
	/* Sums that are not complete are not shown: making them would only delay the counting. */
	survey->arrives = session->arrives && !counting;
	/* The first request and one with another filter are answered in a pause, too. */
	survey->whatever = first || refiltered || session->arrives;
	survey->live = (!session->paused && (news || due)) || survey->whatever;
	survey->rows_wanted = !counting && (survey->whatever || (!session->paused && due));
	survey->filter_version = session->filter_version;
	survey->settled = !session->status.filter_pending;
	if (!survey->live && !survey->rows_wanted)
		return;
	survey->clock_ns = session->clock_ns;
	survey->generation = session->status.model.generation;
	if (survey->rows_wanted)
		survey->rows_generation = survey->generation;
	errand_send(&survey->errand, session->errands);
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

static void take_rows(struct session *session, struct survey *survey)
{
	row_set_unref(session->rows);
	session->rows = row_set_new(survey->rows, survey->row_count);
	survey->rows = NULL;
	survey->row_count = 0;
	session->rows_version++;
	index_p99(session);
	session->rows_every_ns = errand_every_ns(survey->rows_cost_ns, ROWS_NS);
	session->rows_read_ns = clock_now_ns();
	session->rows_made_ns = survey->rows_made_ns;
	session->rows_filter_version = survey->filter_version;
}

/* Those of a filter that is not in force any more are not shown for those of the next. */
static void take_in_flight(struct session *session, const struct survey *survey)
{
	session->deadlocks = survey->deadlocks;
	if (!survey->settled || survey->filter_version != session->filter_version)
		return;
	session->in_flight_known = true;
	session->in_flight_count = survey->in_flight_count;
	memcpy(session->in_flight, survey->in_flight,
	       survey->in_flight_count * sizeof(*survey->in_flight));
}

static void drop_rows(struct survey *survey)
{
	free(survey->rows);
	survey->rows = NULL;
	survey->row_count = 0;
}

bool survey_take(struct session *session)
{
	struct survey *survey = session->survey;

	if (!errand_is_back(&survey->errand))
		return false;
	/* Somebody paused meanwhile: nothing moves any more. */
	if (session->paused && !survey->whatever) {
		drop_rows(survey);
		return false;
	}
	if (survey->live)
		take_in_flight(session, survey);
	if (survey->rows_wanted)
		take_rows(session, survey);
	if (survey->arrives)
		session_arrived(session);
	session->dirty = true;
	return true;
}
