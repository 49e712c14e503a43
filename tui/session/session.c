#include "tui/session/session.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "tui/session/snapshot.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFRESH_NS (NS_PER_S / 10)
/* Minimum age of a table from which the header shows it. */
#define OLD_NS (2 * NS_PER_S)
/* Redraw for this long after new names arrive: longer than a tree waits before it takes them. */
#define NAMES_SETTLE_NS (500 * NS_PER_MS)

void session_init(struct session *session, struct engine *engine, const struct options *options,
		  struct command *command)
{
	memset(session, 0, sizeof(*session));
	session->engine = engine;
	session->options = options;
	session->command = command;
	session->refresh_ns = REFRESH_NS;
	session->string_bytes = options->engine.string_bytes;
	session->clock_ns = session->now_ns = clock_now_ns();
	idmap_init(&session->p99_by_pid);
	session->in_flight = mem_alloc(sizeof(struct call) * SESSION_IN_FLIGHT_MAX);
	session->snapshot = snapshot_new();
	filter_stack_init(&session->filter_stack, engine_filter_names(engine),
			  options->engine.filter);
	targets_init(&session->targets, &options->engine.target);
	str_init(&session->search);
	status_line_init(&session->message);
	toast_init(&session->toast);
}

void session_release(struct session *session)
{
	snapshot_free(session->snapshot);
	row_set_unref(session->rows);
	free(session->in_flight);
	idmap_release(&session->p99_by_pid);
	filter_stack_release(&session->filter_stack);
	targets_release(&session->targets);
	str_release(&session->search);
	status_line_release(&session->message);
	toast_release(&session->toast);
}

void session_started(struct session *session)
{
	session->phase = SESSION_RUNNING;
	session->dirty = true;
	if (session->filter_stack.count > 1)
		session_apply_filter(session); /* typed while the engine was starting */
}

void session_refused(struct session *session, const char *why)
{
	session->phase = SESSION_REFUSED;
	snprintf(session->refusal, sizeof(session->refusal), "%s", why);
	session->dirty = true;
}

const char *session_not_running(const struct session *session)
{
	switch (session->phase) {
	case SESSION_STARTING:
		return "starting…";
	case SESSION_REFUSED:
		return "no permission: see the access view";
	case SESSION_RUNNING:
		break;
	}
	return NULL;
}

/* Show the note of a recording once, after the recording was read. */
static void say_note(struct session *session)
{
	const struct source_status *source = &session->status.source;

	if (session->note_said || !session->status.finished || !source->until_ns ||
	    !source->note[0])
		return;
	session->note_said = true;
	toast_say(&session->toast, source->damaged ? ROLE_ERROR : ROLE_WARN, session->clock_ns, 0,
		  source->note);
}

/*
 * Pause the display while a recording moves to a new position. A new version means that the
 * recording was read again, so all earlier data is void.
 */
static void look_at_recording(struct session *session)
{
	bool moves;

	engine_play_status(session->engine, &session->play);
	if (!session->play.recorded)
		return;
	moves = session->play.moving == PLAY_GOING;
	if (moves != session->moving) {
		session->moving = session->paused = moves;
		session->arrives = !moves;
	}
	if (!moves && session->play.version != session->play_version)
		session->arrives = true;
}

/* Names and bytes arrive after their rows, and panes use them a little later: redraw until then. */
static bool names_are_coming(struct session *session)
{
	uint64_t version = engine_symbols_version(session->engine) +
			   engine_bytes_version(session->engine);

	if (version != session->names_version) {
		session->names_version = version;
		session->names_ns = session->clock_ns;
	}
	return session->names_ns && session->clock_ns - session->names_ns < NAMES_SETTLE_NS;
}

/* Redraw on changes; without changes, once per second, because displayed ages grow. */
static void note_changes(struct session *session, const struct engine_status *before)
{
	struct engine_status then = *before;

	if (names_are_coming(session))
		session->dirty = true;

	then.now_ns = session->status.now_ns;
	then.own_cpu = session->status.own_cpu;
	if (!memcmp(&then, &session->status, sizeof(then)) &&
	    session->clock_ns < session->drawn_status_ns + NS_PER_S)
		return;
	session->drawn_status_ns = session->clock_ns;
	session->dirty = true;
}

unsigned session_age_s(const struct session *session)
{
	uint64_t age_ns = session->shown_from_ns && session->clock_ns > session->shown_from_ns
				  ? session->clock_ns - session->shown_from_ns
				  : 0;

	if (session->paused || session_is_counting(session, NULL))
		return 0;
	return age_ns > OLD_NS ? (unsigned)(age_ns / NS_PER_S) : 0;
}

void session_refresh(struct session *session)
{
	struct engine_status before = session->status;

	if (session->phase != SESSION_RUNNING)
		return;
	/* The header shows present rates and losses even while paused. */
	engine_status(session->engine, &session->status);
	look_at_recording(session);
	note_changes(session, &before);
	targets_look(session);
	session->targets_gone = targets_are_gone(session);
	if (session->status.error[0] && !session->error_said)
		toast_say(&session->toast, ROLE_ERROR, session->clock_ns, 0, session->status.error);
	session->error_said = session->status.error[0] != '\0';
	say_note(session);
	/* If paused during the start, there is no earlier time to show. */
	if (!session->paused || !before.started_ns)
		session->now_ns = session->status.now_ns;
	snapshot_refresh(session);
	session->busy |= session_is_counting(session, NULL);
}

void session_count_on(struct session *session)
{
	if (session->phase != SESSION_RUNNING || !session_is_counting(session, NULL))
		return;
	engine_status(session->engine, &session->status);
	session->busy = session_is_counting(session, NULL);
	session->tick = !session->busy;
	snapshot_refresh(session);
}

void session_pause(struct session *session, bool paused)
{
	session->paused = paused;
	session->dirty = true;
}

void session_toggle_collection(struct session *session)
{
	if (session->phase != SESSION_RUNNING || session->status.finished) {
		session_say(session, ROLE_WARN, "Collection is not running");
		return;
	}
	session->status.running = !session->status.running;
	engine_set_running(session->engine, session->status.running);
	session_say(session, ROLE_TEXT,
		    session->status.running ? "Collection resumed"
					    : "Collection stopped; the same key resumes it");
}

void session_zero(struct session *session)
{
	if (session->phase != SESSION_RUNNING)
		return;
	engine_zero(session->engine);
	session->zero_version++;
	session->rows_every_ns = 0; /* read at the next tick */
	session_say(session, ROLE_TEXT, "Totals set to zero");
}
