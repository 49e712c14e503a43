#include "tui/shell/shell_time.h"

#include "engine/base/clock.h"
#include "tui/session/key_name.h"
#include "tui/session/play_text.h"
#include "tui/session/time_text.h"

#include <stdio.h>

/* Steps are fractions of the span that the time bar shows; zooming multiplies that span. */
#define STEP_SHARE 100
#define FINE_SHARE 1000
#define ZOOM_IN 0.25
#define WHEEL_IN 0.5

/* ---- requests to the engine ---- */

static bool is_recording(const struct shell *shell)
{
	return shell->session.phase == SESSION_RUNNING && shell->session.play.recorded;
}

/* True if the position can change. False: the reason has been shown. */
static bool can_move(struct shell *shell)
{
	struct session *session = &shell->session;
	char key[KEY_NAME_TEXT_BYTES];

	if (session->phase != SESSION_RUNNING) {
		session_say(session, ROLE_WARN, "%s", session_not_running(session));
		return false;
	}
	if (!session->play.recorded) {
		session_say(session, ROLE_WARN,
			    "Live view: no time to go to; %s makes a recording, stxtop -i FILE "
			    "explores it",
			    key_name(key, session, ACTION_RECORD));
		return false;
	}
	if (!session->play.possible)
		session_say(session, ROLE_WARN, "%s", session->play.why_not);
	return session->play.possible;
}

static uint64_t present(const struct shell *shell)
{
	return time_line_at(&shell->time, &shell->session.play);
}

static void look_again(struct shell *shell)
{
	engine_play_status(shell->session.engine, &shell->session.play);
	shell->session.dirty = true;
}

/*
 * Go to a time. Playback at a set speed continues from there, as in media players. Otherwise the
 * recording pauses there.
 */
static void go(struct shell *shell, uint64_t at_ns)
{
	const struct play_status *play = &shell->session.play;
	bool plays = !play->paused && !play->at_end && play->speed > PLAY_UNLIMITED;

	if (at_ns < play->from_ns)
		at_ns = play->from_ns;
	if (at_ns > play->until_ns)
		at_ns = play->until_ns;
	time_line_set_goal(&shell->time, &shell->session, at_ns);
	engine_play_go(shell->session.engine, at_ns < play->until_ns ? at_ns : PLAY_TO_END);
	if (plays)
		engine_play_pause(shell->session.engine, false);
	shell->moved = true;
	look_again(shell);
}

static void step(struct shell *shell, int sign, uint64_t ns)
{
	uint64_t at_ns = present(shell);

	ns = ns ? ns : 1;
	if (sign < 0)
		go(shell, at_ns > ns ? at_ns - ns : 0);
	else
		go(shell, at_ns + ns);
}

static void step_share(struct shell *shell, int sign, uint64_t share)
{
	uint64_t from_ns, until_ns;

	time_line_window(&shell->time, &shell->session.play, &from_ns, &until_ns);
	step(shell, sign, (until_ns - from_ns) / share);
}

static void choose_span(struct shell *shell, uint64_t from_ns, uint64_t until_ns)
{
	struct session *session = &shell->session;

	shell->time.has_mark = false;
	if (from_ns > until_ns) {
		uint64_t other_ns = from_ns;

		from_ns = until_ns;
		until_ns = other_ns;
	}
	if (from_ns == until_ns) {
		session_say(session, ROLE_WARN, "Empty span: move forward, then set its end");
		return;
	}
	time_line_set_goal(&shell->time, session, until_ns);
	engine_play_span(session->engine,
			 from_ns > session->play.first_ns ? from_ns : PLAY_FROM_START,
			 until_ns < session->play.last_ns ? until_ns : PLAY_TO_END, PLAY_TO_END);
	look_again(shell);
}

bool shell_time_take_span(struct shell *shell)
{
	struct session *session = &shell->session;
	uint64_t from_ns = session->span_from_ns, until_ns = session->span_until_ns;

	if (from_ns == until_ns)
		return false;
	session->span_from_ns = session->span_until_ns = 0;
	if (can_move(shell))
		choose_span(shell, from_ns, until_ns);
	return true;
}

/* ---- playing ---- */

static void set_speed(struct shell *shell, double speed)
{
	char text[PLAY_SPEED_TEXT_BYTES];

	shell->moved = false; /* the chosen speed applies from now on */
	engine_play_speed(shell->session.engine, speed);
	look_again(shell);
	session_say(&shell->session, ROLE_TEXT, "Playing at %s", play_text_speed(text, speed));
}

/* Resume at full speed by default, but at speed 1 after a move, when the user wants to watch. */
static void play_on(struct shell *shell)
{
	struct session *session = &shell->session;

	if (shell->moved && session->play.speed <= PLAY_UNLIMITED)
		engine_play_speed(session->engine, 1);
	shell->moved = false;
	shell->time.has_goal = false;
	engine_play_pause(session->engine, false);
	look_again(shell);
}

static void play_or_stop(struct shell *shell)
{
	struct session *session = &shell->session;
	char key[KEY_NAME_TEXT_BYTES];

	if (session->play.moving == PLAY_STILL && session->play.at_end) {
		session_say(session, ROLE_TEXT, "End of the recording%s; %s goes back to the start",
			    session->play.whole ? "" : "'s span",
			    key_name(key, session, ACTION_TIME_START));
	} else if (session->play.moving != PLAY_STILL || !session->play.paused) {
		shell->time.has_goal = false;
		engine_play_pause(session->engine, true);
		look_again(shell);
	} else {
		play_on(shell);
	}
}

/*
 * True if the pause key pauses reading, not the display. Reading from a pipe must not pause, and a
 * frozen display must resume first.
 */
static bool pauses_recording(const struct shell *shell)
{
	const struct session *session = &shell->session;

	return is_recording(shell) && session->play.possible &&
	       (!session->paused || session->moving);
}

bool shell_time_stop(struct shell *shell)
{
	struct session *session = &shell->session;

	if (!is_recording(shell))
		return false;
	if (shell->time.drags) {
		shell->time.drags = false;
		return true;
	}
	if (session->play.moving != PLAY_GOING)
		return false;
	shell->time.has_goal = false;
	engine_play_pause(session->engine, true);
	look_again(shell);
	return true;
}

/* ---- keys ---- */

static void go_to_call(struct shell *shell)
{
	struct session *session = &shell->session;
	const struct call *call = shell_subject_call(shell);

	if (!call)
		session_say(session, ROLE_WARN, "No call selected: go to one with the arrows");
	else if (call->dur_ns < 0 || call->state == CALL_IN_FLIGHT)
		go(shell, call->enter_ns + 1); /* just after its enter */
	else
		go(shell, call->enter_ns + (uint64_t)call->dur_ns);
}

static void mark_begin(struct shell *shell)
{
	struct session *session = &shell->session;
	char key[KEY_NAME_TEXT_BYTES];

	shell->time.has_mark = true;
	shell->time.mark_ns = present(shell);
	session_say(session, ROLE_TEXT, "A span begins here; press %s where it ends",
		    key_name(key, session, ACTION_SPAN_END));
}

static void zoom_in(struct shell *shell)
{
	const struct play_status *play = &shell->session.play;
	uint64_t from_ns, until_ns;

	time_line_window(&shell->time, play, &from_ns, &until_ns);
	if (!play->whole && (from_ns < play->from_ns || until_ns > play->until_ns))
		time_line_zoom(&shell->time, play, play->from_ns, play->until_ns);
	else
		time_line_zoom_at(&shell->time, play, present(shell), ZOOM_IN);
}

static void zoom_out(struct shell *shell)
{
	struct session *session = &shell->session;

	if (shell->time.has_mark) {
		shell->time.has_mark = false;
	} else if (shell->time.zoomed) {
		shell->time.zoomed = false;
	} else if (!session->play.whole) {
		shell->time.has_goal = false;
		engine_play_span(session->engine, PLAY_FROM_START, PLAY_TO_END, PLAY_TO_END);
		look_again(shell);
		session_say(session, ROLE_TEXT, "Whole recording shown again");
	} else {
		session_say(session, ROLE_TEXT, "Whole recording is already shown");
	}
}

static void ask_time(struct shell *shell)
{
	entry_line_open(&shell->entry, ENTRY_TIME, "");
	prompt_set_hint(&shell->entry.prompt, PROMPT_NO_PLACE,
			"12.345 or 1:30 from the start, +3s or -500ms from here, 50%");
}

static void show_or_hide(struct shell *shell)
{
	char key[KEY_NAME_TEXT_BYTES];

	shell->time.hidden = !shell->time.hidden;
	if (shell->time.hidden)
		session_say(&shell->session, ROLE_TEXT, "%s shows the time bar again",
			    key_name(key, &shell->session, ACTION_TIME_BAR));
	shell->session.dirty = true;
}

static void move(struct shell *shell, enum action action)
{
	struct session *session = &shell->session;

	switch (action) {
	case ACTION_TIME_BACK:
	case ACTION_TIME_FORWARD:
		step_share(shell, action == ACTION_TIME_BACK ? -1 : 1, STEP_SHARE);
		break;
	case ACTION_TIME_BACK_FINE:
	case ACTION_TIME_FORWARD_FINE:
		step_share(shell, action == ACTION_TIME_BACK_FINE ? -1 : 1, FINE_SHARE);
		break;
	case ACTION_TIME_START:
		go(shell, session->play.from_ns);
		break;
	case ACTION_TIME_END:
		go(shell, PLAY_TO_END);
		break;
	case ACTION_TIME_GO:
		ask_time(shell);
		break;
	case ACTION_TIME_OF_CALL:
		go_to_call(shell);
		break;
	case ACTION_SECOND_ON:
		step(shell, 1, NS_PER_S);
		break;
	case ACTION_CALL_ON:
		shell->moved = true;
		engine_play_step_call(session->engine);
		look_again(shell);
		break;
	case ACTION_PLAY_FASTER:
	case ACTION_PLAY_SLOWER:
		set_speed(shell, play_speed_next(session->play.speed,
						 action == ACTION_PLAY_FASTER ? 1 : -1));
		break;
	case ACTION_SPAN_BEGIN:
		mark_begin(shell);
		break;
	case ACTION_SPAN_END:
		choose_span(shell,
			    shell->time.has_mark ? shell->time.mark_ns : session->play.from_ns,
			    present(shell));
		break;
	case ACTION_TIME_ZOOM_IN:
		zoom_in(shell);
		break;
	default:
		zoom_out(shell);
		break;
	}
}

bool shell_time_act(struct shell *shell, enum action action)
{
	if (action == ACTION_PAUSE && pauses_recording(shell)) {
		play_or_stop(shell);
		return true;
	}
	if (action_group(action) != ACTION_GROUP_TIME)
		return false;
	if (action == ACTION_TIME_BAR && is_recording(shell))
		show_or_hide(shell);
	else if (can_move(shell))
		move(shell, action);
	return true;
}

bool shell_time_accept(struct shell *shell)
{
	const struct play_status *play = &shell->session.play;
	struct prompt *prompt = &shell->entry.prompt;
	char from[TIME_TEXT_BYTES], until[TIME_TEXT_BYTES], text[ERR_TEXT_BYTES];
	uint64_t ns;
	struct err err;

	if (shell->entry.kind != ENTRY_TIME)
		return false;
	if (time_text_parse(prompt_text(prompt), present(shell) - play->first_ns,
			    play->last_ns - play->first_ns, &ns, &err)) {
		prompt_set_error(prompt, PROMPT_NO_PLACE, err.text);
		return true;
	}
	ns += play->first_ns;
	if (ns < play->from_ns || ns > play->until_ns) {
		snprintf(text, sizeof(text), "outside the span: %s to %s",
			 time_text_format(from, play->from_ns - play->first_ns, NS_PER_MS),
			 time_text_format(until, play->until_ns - play->first_ns, NS_PER_MS));
		prompt_set_error(prompt, PROMPT_NO_PLACE, text);
		return true;
	}
	entry_line_close(&shell->entry, true);
	go(shell, ns);
	return true;
}

/* ---- the mouse ---- */

static void release(struct shell *shell)
{
	struct time_line *line = &shell->time;

	line->drags = false;
	if (line->drag_from_ns == line->drag_until_ns)
		go(shell, line->drag_from_ns);
	else
		choose_span(shell, line->drag_from_ns, line->drag_until_ns);
}

static void wheel(struct shell *shell, bool up, uint64_t at_ns)
{
	time_line_zoom_at(&shell->time, &shell->session.play, at_ns, up ? WHEEL_IN : 1 / WHEEL_IN);
	shell->session.dirty = true;
}

bool shell_time_mouse(struct shell *shell, const struct input_event *event)
{
	struct time_line *line = &shell->time;
	enum mouse_action what = event->mouse.action;
	uint64_t time_ns;

	if (line->drags && what == MOUSE_DRAG) {
		line->drag_until_ns = time_line_nearest(line, &shell->session, event->mouse.col);
		shell->session.dirty = true;
		return true;
	}
	if (line->drags && what == MOUSE_RELEASE) {
		release(shell);
		return true;
	}
	if (!rect_contains(line->rect, event->mouse.row, event->mouse.col))
		return false;
	if (!time_line_pointed(line, &shell->session, event->mouse.row, event->mouse.col, &time_ns))
		return true;
	if (what == MOUSE_WHEEL_UP || what == MOUSE_WHEEL_DOWN) {
		wheel(shell, what == MOUSE_WHEEL_UP, time_ns);
	} else if (what == MOUSE_PRESS && event->mouse.button == 1 && can_move(shell)) {
		line->drags = true;
		line->drag_from_ns = line->drag_until_ns = time_ns;
	}
	return true;
}

void shell_time_look(struct shell *shell)
{
	time_line_look(&shell->time, &shell->session);
}
