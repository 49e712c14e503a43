#include "tui/shell/shell_time.h"

#include "engine/base/clock.h"
#include "tui/session/key_name.h"
#include "tui/session/play_text.h"
#include "tui/session/time_text.h"
#include "tui/shell/shell_actions.h"

#include <stdio.h>

/* Of what the time bar shows. */
#define STEP_SHARE 100
#define FINE_SHARE 1000
#define ZOOM_IN 0.25
#define WHEEL_IN 0.5

/* ---- what is wanted of the engine ---- */

static bool is_recording(const struct desk *desk)
{
	return desk->session.phase == SESSION_RUNNING && desk->session.play.recorded;
}

/* False, and it was said why. */
static bool can_move(struct desk *desk)
{
	struct session *session = &desk->session;
	char key[KEY_NAME_TEXT_BYTES];

	if (session->phase != SESSION_RUNNING) {
		session_say(session, ROLE_WARN, "%s", session_not_running(session));
		return false;
	}
	if (!session->play.recorded) {
		session_say(session, ROLE_WARN,
			    "This is live: there is no time to go to. %s makes "
			    "a recording, stxtop -i FILE explores it",
			    key_name(key, session, ACTION_RECORD));
		return false;
	}
	if (!session->play.possible)
		session_say(session, ROLE_WARN, "%s", session->play.why_not);
	return session->play.possible;
}

static uint64_t present(const struct desk *desk)
{
	return time_line_at(&desk->time, &desk->session.play);
}

static void look_again(struct desk *desk)
{
	engine_play_status(desk->session.engine, &desk->session.play);
	desk->session.dirty = true;
}

/* What is played goes on from there, as players have it; who stands goes on standing. */
static void go(struct desk *desk, uint64_t at_ns)
{
	const struct play_status *play = &desk->session.play;
	bool plays = !play->paused && !play->at_end && play->speed > PLAY_UNLIMITED;

	if (at_ns < play->from_ns)
		at_ns = play->from_ns;
	if (at_ns > play->until_ns)
		at_ns = play->until_ns;
	time_line_set_goal(&desk->time, &desk->session, at_ns);
	engine_play_go(desk->session.engine, at_ns < play->until_ns ? at_ns : PLAY_TO_END);
	if (plays)
		engine_play_pause(desk->session.engine, false);
	desk->moved = true;
	look_again(desk);
}

static void step(struct desk *desk, int sign, uint64_t ns)
{
	uint64_t at_ns = present(desk);

	ns = ns ? ns : 1;
	if (sign < 0)
		go(desk, at_ns > ns ? at_ns - ns : 0);
	else
		go(desk, at_ns + ns);
}

static void step_share(struct desk *desk, int sign, uint64_t share)
{
	uint64_t from_ns, until_ns;

	time_line_window(&desk->time, &desk->session.play, &from_ns, &until_ns);
	step(desk, sign, (until_ns - from_ns) / share);
}

static void choose_span(struct desk *desk, uint64_t from_ns, uint64_t until_ns)
{
	struct session *session = &desk->session;

	desk->time.has_mark = false;
	if (from_ns > until_ns) {
		uint64_t other_ns = from_ns;

		from_ns = until_ns;
		until_ns = other_ns;
	}
	if (from_ns == until_ns) {
		session_say(session, ROLE_WARN, "A span ends behind its beginning: go on first");
		return;
	}
	time_line_set_goal(&desk->time, session, until_ns);
	engine_play_span(session->engine,
			 from_ns > session->play.first_ns ? from_ns : PLAY_FROM_START,
			 until_ns < session->play.last_ns ? until_ns : PLAY_TO_END, PLAY_TO_END);
	look_again(desk);
}

bool desk_time_take_span(struct desk *desk)
{
	struct session *session = &desk->session;
	uint64_t from_ns = session->span_from_ns, until_ns = session->span_until_ns;

	if (from_ns == until_ns)
		return false;
	session->span_from_ns = session->span_until_ns = 0;
	if (can_move(desk))
		choose_span(desk, from_ns, until_ns);
	return true;
}

/* ---- playing ---- */

static void set_speed(struct desk *desk, double speed)
{
	char text[PLAY_SPEED_TEXT_BYTES];

	desk->moved = false; /* a speed was chosen, which is the one from now on */
	engine_play_speed(desk->session.engine, speed);
	look_again(desk);
	session_say(&desk->session, ROLE_TEXT, "Plays at %s", play_text_speed(text, speed));
}

/* Reading went to the end as fast as it could; who stands somewhere wants to watch. */
static void play_on(struct desk *desk)
{
	struct session *session = &desk->session;

	if (desk->moved && session->play.speed <= PLAY_UNLIMITED)
		engine_play_speed(session->engine, 1);
	desk->moved = false;
	desk->time.has_goal = false;
	engine_play_pause(session->engine, false);
	look_again(desk);
}

static void play_or_stop(struct desk *desk)
{
	struct session *session = &desk->session;
	char key[KEY_NAME_TEXT_BYTES];

	if (session->play.moving == PLAY_STILL && session->play.at_end) {
		session_say(session, ROLE_TEXT,
			    "This is the end%s; %s goes to the beginning, to "
			    "play it",
			    session->play.whole ? "" : " of the span",
			    key_name(key, session, ACTION_TIME_START));
	} else if (session->play.moving != PLAY_STILL || !session->play.paused) {
		desk->time.has_goal = false;
		engine_play_pause(session->engine, true);
		look_again(desk);
	} else {
		play_on(desk);
	}
}

/* A pipe is not kept waiting, and what froze the display is undone first. */
static bool pauses_recording(const struct desk *desk)
{
	const struct session *session = &desk->session;

	return is_recording(desk) && session->play.possible &&
	       (!session->paused || session->moving);
}

bool desk_time_stop(struct desk *desk)
{
	struct session *session = &desk->session;

	if (!is_recording(desk))
		return false;
	if (desk->time.drags) {
		desk->time.drags = false;
		return true;
	}
	if (session->play.moving != PLAY_GOING)
		return false;
	desk->time.has_goal = false;
	engine_play_pause(session->engine, true);
	look_again(desk);
	return true;
}

/* ---- keys ---- */

static void go_to_call(struct desk *desk)
{
	struct session *session = &desk->session;
	const struct call *call = desk_subject_call(desk);

	if (!call)
		session_say(session, ROLE_WARN, "No call is selected; go to one with the arrows");
	else if (call->dur_ns < 0 || call->state == CALL_IN_FLIGHT)
		go(desk, call->enter_ns + 1); /* it has just begun */
	else
		go(desk, call->enter_ns + (uint64_t)call->dur_ns);
}

static void mark_begin(struct desk *desk)
{
	struct session *session = &desk->session;
	char key[KEY_NAME_TEXT_BYTES];

	desk->time.has_mark = true;
	desk->time.mark_ns = present(desk);
	session_say(session, ROLE_TEXT, "A span begins here; %s where it ends chooses it",
		    key_name(key, session, ACTION_SPAN_END));
}

static void zoom_in(struct desk *desk)
{
	const struct play_status *play = &desk->session.play;
	uint64_t from_ns, until_ns;

	time_line_window(&desk->time, play, &from_ns, &until_ns);
	if (!play->whole && (from_ns < play->from_ns || until_ns > play->until_ns))
		time_line_zoom(&desk->time, play, play->from_ns, play->until_ns);
	else
		time_line_zoom_at(&desk->time, play, present(desk), ZOOM_IN);
}

static void zoom_out(struct desk *desk)
{
	struct session *session = &desk->session;

	if (desk->time.has_mark) {
		desk->time.has_mark = false;
	} else if (desk->time.zoomed) {
		desk->time.zoomed = false;
	} else if (!session->play.whole) {
		desk->time.has_goal = false;
		engine_play_span(session->engine, PLAY_FROM_START, PLAY_TO_END, PLAY_TO_END);
		look_again(desk);
		session_say(session, ROLE_TEXT, "All of the recording again");
	} else {
		session_say(session, ROLE_TEXT, "All of the recording is there");
	}
}

static void ask_time(struct desk *desk)
{
	entry_line_open(&desk->entry, ENTRY_TIME, "");
	prompt_set_hint(&desk->entry.prompt, PROMPT_NO_PLACE,
			"12.345 or 1:30 from the beginning, +3s or -500ms from here, 50%");
}

static void show_or_hide(struct desk *desk)
{
	char key[KEY_NAME_TEXT_BYTES];

	desk->time.hidden = !desk->time.hidden;
	if (desk->time.hidden)
		session_say(&desk->session, ROLE_TEXT, "%s shows the time bar again",
			    key_name(key, &desk->session, ACTION_TIME_BAR));
	desk->session.dirty = true;
}

static void move(struct desk *desk, enum action action)
{
	struct session *session = &desk->session;

	switch (action) {
	case ACTION_TIME_BACK:
	case ACTION_TIME_FORWARD:
		step_share(desk, action == ACTION_TIME_BACK ? -1 : 1, STEP_SHARE);
		break;
	case ACTION_TIME_BACK_FINE:
	case ACTION_TIME_FORWARD_FINE:
		step_share(desk, action == ACTION_TIME_BACK_FINE ? -1 : 1, FINE_SHARE);
		break;
	case ACTION_TIME_START:
		go(desk, session->play.from_ns);
		break;
	case ACTION_TIME_END:
		go(desk, PLAY_TO_END);
		break;
	case ACTION_TIME_GO:
		ask_time(desk);
		break;
	case ACTION_TIME_OF_CALL:
		go_to_call(desk);
		break;
	case ACTION_SECOND_ON:
		step(desk, 1, NS_PER_S);
		break;
	case ACTION_CALL_ON:
		desk->moved = true;
		engine_play_step_call(session->engine);
		look_again(desk);
		break;
	case ACTION_PLAY_FASTER:
	case ACTION_PLAY_SLOWER:
		set_speed(desk, play_speed_next(session->play.speed,
						action == ACTION_PLAY_FASTER ? 1 : -1));
		break;
	case ACTION_SPAN_BEGIN:
		mark_begin(desk);
		break;
	case ACTION_SPAN_END:
		choose_span(desk, desk->time.has_mark ? desk->time.mark_ns : session->play.from_ns,
			    present(desk));
		break;
	case ACTION_TIME_ZOOM_IN:
		zoom_in(desk);
		break;
	default:
		zoom_out(desk);
		break;
	}
}

bool desk_time_act(struct desk *desk, enum action action)
{
	if (action == ACTION_PAUSE && pauses_recording(desk)) {
		play_or_stop(desk);
		return true;
	}
	if (action_group(action) != ACTION_GROUP_TIME)
		return false;
	if (action == ACTION_TIME_BAR && is_recording(desk))
		show_or_hide(desk);
	else if (can_move(desk))
		move(desk, action);
	return true;
}

bool desk_time_accept(struct desk *desk)
{
	const struct play_status *play = &desk->session.play;
	struct prompt *prompt = &desk->entry.prompt;
	char from[TIME_TEXT_BYTES], until[TIME_TEXT_BYTES], text[ERR_TEXT_BYTES];
	uint64_t ns;
	struct err err;

	if (desk->entry.kind != ENTRY_TIME)
		return false;
	if (time_text_parse(prompt_text(prompt), present(desk) - play->first_ns,
			    play->last_ns - play->first_ns, &ns, &err)) {
		prompt_set_error(prompt, PROMPT_NO_PLACE, err.text);
		return true;
	}
	ns += play->first_ns;
	if (ns < play->from_ns || ns > play->until_ns) {
		snprintf(text, sizeof(text), "the chosen span is from %s to %s",
			 time_text_format(from, play->from_ns - play->first_ns, NS_PER_MS),
			 time_text_format(until, play->until_ns - play->first_ns, NS_PER_MS));
		prompt_set_error(prompt, PROMPT_NO_PLACE, text);
		return true;
	}
	entry_line_close(&desk->entry, true);
	go(desk, ns);
	return true;
}

/* ---- the mouse ---- */

static void release(struct desk *desk)
{
	struct time_line *line = &desk->time;

	line->drags = false;
	if (line->drag_from_ns == line->drag_until_ns)
		go(desk, line->drag_from_ns);
	else
		choose_span(desk, line->drag_from_ns, line->drag_until_ns);
}

static void wheel(struct desk *desk, bool up, uint64_t at_ns)
{
	time_line_zoom_at(&desk->time, &desk->session.play, at_ns, up ? WHEEL_IN : 1 / WHEEL_IN);
	desk->session.dirty = true;
}

bool desk_time_mouse(struct desk *desk, const struct input_event *event)
{
	struct time_line *line = &desk->time;
	enum mouse_action what = event->mouse.action;
	uint64_t time_ns;

	if (line->drags && what == MOUSE_DRAG) {
		line->drag_until_ns = time_line_nearest(line, &desk->session, event->mouse.col);
		desk->session.dirty = true;
		return true;
	}
	if (line->drags && what == MOUSE_RELEASE) {
		release(desk);
		return true;
	}
	if (!rect_contains(line->rect, event->mouse.row, event->mouse.col))
		return false;
	if (!time_line_pointed(line, &desk->session, event->mouse.row, event->mouse.col, &time_ns))
		return true;
	if (what == MOUSE_WHEEL_UP || what == MOUSE_WHEEL_DOWN) {
		wheel(desk, what == MOUSE_WHEEL_UP, time_ns);
	} else if (what == MOUSE_PRESS && event->mouse.button == 1 && can_move(desk)) {
		line->drags = true;
		line->drag_from_ns = line->drag_until_ns = time_ns;
	}
	return true;
}

void desk_time_look(struct desk *desk)
{
	time_line_look(&desk->time, &desk->session);
}
