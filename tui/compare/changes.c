#include "tui/compare/changes.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "tui/session/empty_reason.h"
#include "tui/session/key_name.h"

#include <stdlib.h>
#include <string.h>

/* Minimum interval of results, and the limit of their cost: a twentieth of a CPU. */
#define READ_NS (NS_PER_S / 2)
#define READ_COST_SHARE 20

/* Runs on the job thread. */
static void make(void *ctx)
{
	struct changes *changes = ctx;
	uint64_t began_ns = clock_now_ns();

	changes->made = comparison_new();
	for (int i = 0; i < COMPARISON_SIDES; i++)
		comparison_take(changes->made, i, changes->engines[i], changes->files[i].data,
				changes->since_ns[i]);
	comparison_match(changes->made);
	changes->cost_ns = clock_now_ns() - began_ns;
}

void changes_init(struct changes *changes)
{
	memset(changes, 0, sizeof(*changes));
	changes->job = (struct job){ .run = make, .ctx = changes };
	for (int i = 0; i < COMPARISON_SIDES; i++)
		str_init(&changes->files[i]);
}

void changes_release(struct changes *changes)
{
	job_cancel(&changes->job);
	counterpart_free(changes->counterpart);
	comparison_unref(changes->shown);
	comparison_unref(changes->made);
	for (int i = 0; i < COMPARISON_SIDES; i++)
		str_release(&changes->files[i]);
	free(changes->wanted);
}

void changes_take(struct changes *changes, struct counterpart *counterpart)
{
	changes->counterpart = counterpart;
}

void changes_open(struct changes *changes, const char *path)
{
	free(changes->wanted);
	changes->wanted = mem_strdup(path);
}

/* Discard results of the previous sides, including the one that the job has just made. */
static void drop_results(struct changes *changes)
{
	job_is_done(&changes->job);
	comparison_unref(changes->made);
	comparison_unref(changes->shown);
	changes->made = changes->shown = NULL;
}

/* Open the wanted recording, unless the job is pending: it can be reading the old counterpart. */
static void open_wanted(struct changes *changes, struct session *session)
{
	struct engine_options options = session->options->engine;
	struct counterpart *counterpart;
	struct err err;

	options.filter = filter_stack_filter(&session->filter_stack);
	if (!changes->wanted || session->phase != SESSION_RUNNING || job_is_pending(&changes->job))
		return;
	if (counterpart_new(&counterpart, session->engine, &options, changes->wanted,
			    changes->counterpart, &err)) {
		session_say(session, ROLE_ERROR, "%s", err.text);
	} else {
		changes_take(changes, counterpart);
		drop_results(changes);
	}
	free(changes->wanted);
	changes->wanted = NULL;
}

/*
 * True if the explored side can be compared now: it is live, or a recording that is stopped or
 * plays at a set speed. A recording that is being read at full speed is incomplete.
 */
static bool own_is_there(const struct session *session)
{
	const struct play_status *play = &session->play;

	if (!play->recorded)
		return session->phase == SESSION_RUNNING;
	return play->moving == PLAY_STILL && !session->arrives &&
	       (play->at_end || play->paused || play->speed > PLAY_UNLIMITED);
}

static bool own_filters(const struct session *session)
{
	return session->status.filter_pending || session->status.model.refilling;
}

static bool is_same(const struct changes_state *a, const struct changes_state *b)
{
	return a->filter_version == b->filter_version && a->zero_version == b->zero_version &&
	       a->restarts == b->restarts && a->own_stands == b->own_stands &&
	       a->other_stands == b->other_stands;
}

/* Store the time at which the user last reset the live totals: rates count from that time. */
static void note_zero(struct changes *changes, const struct session *session)
{
	if (changes->zero_version == session->zero_version)
		return;
	changes->zero_version = session->zero_version;
	changes->zeroed_ns = changes->live ? session->now_ns : 0;
}

static bool is_due(const struct changes *changes, const struct session *session,
		   const struct changes_state *state)
{
	if (!is_same(state, &changes->taken) || !changes->shown)
		return true;
	return !state->own_stands && session->clock_ns >= changes->read_ns + changes->every_ns;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Show the directories of two recordings only if their file names are the same. */
static void name_sides(struct changes *changes, const struct session *session)
{
	const char *own = changes->live ? "this session" : session->options->engine.recording;
	const char *other = counterpart_path(changes->counterpart);
	struct str *files = changes->files;

	if (!changes->live && strcmp(last_part(own), last_part(other))) {
		own = last_part(own);
		other = last_part(other);
	}
	str_clear(&files[changes->own]);
	str_add_escaped(&files[changes->own], own, strlen(own), ESCAPE_PLAIN);
	str_clear(&files[!changes->own]);
	str_add_escaped(&files[!changes->own], other, strlen(other), ESCAPE_PLAIN);
}

static void ask(struct changes *changes, struct session *session, const struct changes_state *state)
{
	int other = !changes->own;

	changes->asked = *state;
	changes->engines[changes->own] = session->engine;
	changes->engines[other] = counterpart_engine(changes->counterpart);
	changes->since_ns[changes->own] = changes->zeroed_ns;
	changes->since_ns[other] = 0;
	name_sides(changes, session);
	job_submit(&changes->job, session->job_queue);
}

static bool take_made(struct changes *changes, const struct session *session)
{
	if (!job_is_done(&changes->job))
		return false;
	comparison_unref(changes->shown);
	changes->shown = changes->made;
	changes->made = NULL;
	changes->taken = changes->asked;
	changes->read_ns = session->clock_ns;
	changes->every_ns = changes->cost_ns * READ_COST_SHARE;
	if (changes->every_ns < READ_NS)
		changes->every_ns = READ_NS;
	return true;
}

bool changes_look(struct changes *changes, struct session *session)
{
	struct changes_state state;
	bool taken = take_made(changes, session);

	changes->live = !session->options->engine.recording;
	changes->own = changes->live ? COMPARISON_B : COMPARISON_A;
	open_wanted(changes, session);
	if (!changes->counterpart || session->phase != SESSION_RUNNING)
		return taken;
	note_zero(changes, session);
	counterpart_set_filter(changes->counterpart, filter_stack_filter(&session->filter_stack));
	counterpart_status(changes->counterpart, &changes->status);
	/* A half-read recording has wrong rates, and its unread calls would be reported as gone. */
	if (job_is_pending(&changes->job) || changes->status.state != COUNTERPART_THERE ||
	    !own_is_there(session) || own_filters(session))
		return taken;
	state = (struct changes_state){
		.filter_version = session->filter_version,
		.zero_version = session->zero_version,
		.restarts = session->restarts,
		.own_stands = session_stands(session),
		.other_stands = true,
	};
	if (!is_due(changes, session, &state))
		return taken;
	ask(changes, session, &state);
	/* Without a job queue the result is ready at once. */
	return take_made(changes, session) || taken;
}

static void say_none(const struct session *session, struct str *out)
{
	char key[KEY_NAME_TEXT_BYTES];

	str_addf(out, "nothing to compare with: %s FILE opens another recording",
		 key_name(key, session, ACTION_COMPARE));
}

void changes_say_why(const struct changes *changes, const struct session *session, struct str *out)
{
	if (session->phase != SESSION_RUNNING) {
		empty_reason_say(session, EMPTY_TOTALS, out);
		return;
	}
	if (changes->wanted) {
		str_add(out, "opening the other recording…");
		return;
	}
	if (!changes->counterpart && changes->live) {
		str_add(out, "nothing to compare with: start with --against FILE to see changes "
			     "since a recording");
		return;
	}
	if (!changes->counterpart) {
		say_none(session, out);
		return;
	}
	switch (changes->status.state) {
	case COUNTERPART_OPENING:
		str_addf(out, "opening %s…", counterpart_file(changes->counterpart));
		break;
	case COUNTERPART_REFUSED:
		str_add(out, changes->status.error);
		break;
	case COUNTERPART_READING:
		str_addf(out, "reading %s: %d%%…", counterpart_file(changes->counterpart),
			 (int)(changes->status.progress * 100));
		break;
	case COUNTERPART_THERE:
		if (!own_is_there(session) || own_filters(session) || !changes->shown)
			str_add(out, "reading the explored side…");
		else
			empty_reason_say(session, EMPTY_TOTALS, out);
		break;
	}
}
