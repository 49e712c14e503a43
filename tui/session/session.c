#include "tui/session/session.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "tui/session/snapshot.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFRESH_NS (NS_PER_S / 10)
/* A table that is older says so. */
#define OLD_NS (2 * NS_PER_S)
/* Longer than a tree waits before it takes new names. */
#define NAMES_SETTLE_NS (500 * NS_PER_MS)
#define MESSAGE_NS (4 * NS_PER_S)
#define READING_NS (50 * NS_PER_MS) /* a character more of an error */
/* Nobody waits for less, whatever the process's other calls take. */
#define SLOW_MIN_NS (100 * NS_PER_US)

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
		return "nothing is watched: the view of access says why";
	case SESSION_RUNNING:
		break;
	}
	return NULL;
}

/* Once, when all that is there of a recording was read. */
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
 * What is shown stands still until a recording is where it was told to go. When it was begun
 * anew for that, nothing of before is there any more.
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

void session_arrived(struct session *session)
{
	bool complete = session->rows_filter_version == session->filter_version;

	session->arrives = false;
	session->zero_version++;
	if (session->play.version == session->play_version)
		return;
	session->play_version = session->play.version;
	session->restarts++;
	session->filter_version++;
	if (complete)
		session->rows_filter_version = session->filter_version;
}

bool session_is_due(const struct session *session, uint64_t read_ns, uint64_t every_ns,
		    uint64_t generation)
{
	uint64_t since_ns = session->clock_ns > read_ns ? session->clock_ns - read_ns : 0;

	if (since_ns < every_ns)
		return false;
	return generation != session->status.model.generation || since_ns >= NS_PER_S;
}

bool session_is_late(const struct session *session, uint64_t read_ns)
{
	return session->paused && read_ns < session->late_ns;
}

/* Names and bytes come after the rows that they belong to; panes take them up a little later. */
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

/* Ages go on by the second where nothing else happens. */
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

void session_shows_from(struct session *session, uint64_t made_ns)
{
	if (made_ns && (!session->shown_from_ns || made_ns < session->shown_from_ns))
		session->shown_from_ns = made_ns;
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
	/* The header goes on while paused: rates, losses. */
	engine_status(session->engine, &session->status);
	look_at_recording(session);
	note_changes(session, &before);
	targets_look(session);
	session->targets_gone = targets_are_gone(session);
	if (session->status.error[0] && !session->error_said)
		toast_say(&session->toast, ROLE_ERROR, session->clock_ns, 0, session->status.error);
	session->error_said = session->status.error[0] != '\0';
	say_note(session);
	/* Paused during the start: there is no earlier time to show. */
	if (!session->paused || !before.started_ns)
		session->now_ns = session->status.now_ns;
	snapshot_ask(session);
	snapshot_take(session);
	session->busy |= session_is_counting(session, NULL);
}

void session_count_on(struct session *session)
{
	if (session->phase != SESSION_RUNNING || !session_is_counting(session, NULL))
		return;
	engine_status(session->engine, &session->status);
	session->busy = session_is_counting(session, NULL);
	session->tick = !session->busy;
	snapshot_ask(session);
	snapshot_take(session);
}

void session_pause(struct session *session, bool paused)
{
	session->paused = paused;
	session->dirty = true;
}

void session_toggle_collection(struct session *session)
{
	if (session->phase != SESSION_RUNNING || session->status.finished) {
		session_say(session, ROLE_WARN, "Nothing is being collected");
		return;
	}
	session->status.running = !session->status.running;
	engine_set_running(session->engine, session->status.running);
	session_say(session, ROLE_TEXT,
		    session->status.running ? "Collection goes on"
					    : "Collection stopped; the same key starts it again");
}

void session_zero(struct session *session)
{
	if (session->phase != SESSION_RUNNING)
		return;
	engine_zero(session->engine);
	session->zero_version++;
	session->rows_every_ns = 0; /* shown at the next tick */
	session_say(session, ROLE_TEXT, "Totals start at zero");
}

void session_apply_filter(struct session *session)
{
	if (session->phase == SESSION_RUNNING)
		engine_set_filter(session->engine, filter_stack_filter(&session->filter_stack));
	session->status.filter_pending = session->phase == SESSION_RUNNING;
	session->busy |= session->status.filter_pending;
	session->in_flight_count = 0;
	session->in_flight_known = false;
	session->filter_version++;
	session->dirty = true;
}

bool session_is_counting(const struct session *session, unsigned *percent)
{
	const struct model_status *model = &session->status.model;

	if (percent)
		*percent = model->refill_all && !session->status.filter_pending
				   ? (unsigned)(model->refill_done * 100 / model->refill_all)
				   : 0;
	return session->status.filter_pending || model->refill_all;
}

void session_add_counting(const struct session *session, struct str *out)
{
	unsigned percent;

	session_is_counting(session, &percent);
	if (percent)
		str_addf(out, "counting %u %%", percent);
	else
		str_add(out, "counting…");
}

enum filter_kernel session_filter_kernel(const struct session *session)
{
	const char *name = session->status.source.name;

	if (!name || !strcmp(name, "recording"))
		return FILTER_BY_NOTHING;
	return strcmp(name, "bpf") ? FILTER_BY_EVENTS : FILTER_BY_PROGRAMS;
}

bool session_stands(const struct session *session)
{
	const struct play_status *play = &session->play;

	return session->paused ||
	       (play->recorded && play->moving == PLAY_STILL && (play->paused || play->at_end));
}

bool session_is_slow(const struct session *session, const struct call *call)
{
	uintptr_t p99;

	if (call->dur_ns < (int64_t)SLOW_MIN_NS)
		return false;
	p99 = (uintptr_t)idmap_get(&session->p99_by_pid, call->pid);
	return p99 && (uint64_t)call->dur_ns > p99 - 1;
}

void session_say(struct session *session, enum role role, const char *format, ...)
{
	char text[ERR_TEXT_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (role == ROLE_ERROR) {
		toast_say(&session->toast, role, session->clock_ns,
			  MESSAGE_NS + strlen(text) * READING_NS, text);
	} else {
		if (role != ROLE_DIM) /* what a key does not do is not worth keeping */
			toast_note(&session->toast, role, session->clock_ns, text);
		status_line_set(&session->message, role, session->clock_ns, MESSAGE_NS, "%s", text);
	}
	session->dirty = true;
}
