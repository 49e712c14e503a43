#include "tui/shell/shell_flight.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/config/flight_fields.h"
#include "tui/panes/calls_pane.h"
#include "tui/panes/overview.h"
#include "tui/report/flight_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of the panel: the fields, and before and behind them these. */
enum row {
	ROW_ARMED = FLIGHT_FIELD_COUNT,
	ROW_EXPRESSION,
	ROW_FREEZE,
	ROW_LAST,
};

#define NOTE_BYTES 64
#define SHOWN_BYTES 160
#define SEEK_CALLS 64
#define SEEKS_A_TURN 50 /* a millisecond or two */

/* ---- arming ---- */

/* On the errands' thread. */
static void arm(void *ctx)
{
	struct desk_flight *flight = ctx;

	flight->rc = engine_flight_arm(flight->engine, &flight->sent, &flight->err);
}

static void release_sent(struct desk_flight *flight)
{
	filter_free(flight->sent.filter);
	free((char *)(uintptr_t)flight->sent.pattern);
	flight->sent.filter = NULL;
	flight->sent.pattern = NULL;
}

/* With what is set now; what is being armed already is armed again when that is done. */
static void send_arming(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;

	flight->again = errand_is_pending(&flight->errand);
	if (flight->again)
		return;
	release_sent(flight);
	flight->sent = flight->request;
	flight->sent.filter = flight->request.filter ? filter_ref(flight->request.filter) : NULL;
	/* The ring is the one that there is. */
	if (flight->armed)
		flight->sent.bytes = flight->armed_bytes;
	flight->sent.pattern = mem_strdup(flight->request.pattern ? flight->request.pattern
								  : FLIGHT_PATTERN);
	errand_send(&flight->errand, desk->session.errands);
}

static bool is_on(const struct desk_flight *flight)
{
	return flight->armed || errand_is_pending(&flight->errand);
}

static void take_armed(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;

	if (!errand_is_back(&flight->errand))
		return;
	desk->session.dirty = true;
	if (flight->rc) {
		session_say(&desk->session, ROLE_ERROR, "%s", flight->err.text);
		flight->again = false;
		return;
	}
	flight->armed = true;
	flight->armed_bytes = flight->sent.bytes;
	if (flight->again)
		send_arming(desk);
}

/* ---- the panel ---- */

static void say_state(const struct desk_flight *flight, char note[NOTE_BYTES])
{
	const struct flight_status *status = &flight->status;
	char one[UNITS_TEXT_BYTES], two[UNITS_TEXT_BYTES];

	switch (status->state) {
	case FLIGHT_OFF:
		snprintf(note, NOTE_BYTES, "%s", is_on(flight) ? "being armed" : "");
		return;
	case FLIGHT_SAVING:
		snprintf(note, NOTE_BYTES, "a file is being written");
		return;
	case FLIGHT_RESTS:
		snprintf(note, NOTE_BYTES, "rests for %s", units_format_ns(one, status->rests_ns));
		return;
	case FLIGHT_SPENT:
		snprintf(note, NOTE_BYTES, "one file is saved; Enter twice arms it again");
		return;
	default:
		snprintf(note, NOTE_BYTES, "%s in %s", units_format_ns(one, status->kept_ns),
			 units_format_bytes(two, status->ring_bytes));
		return;
	}
}

static void add_field(struct desk *desk, enum flight_field field)
{
	struct str value = STR_INIT;

	flight_field_format(&desk->flight.request, field, &value);
	menu_add(&desk->menus.menu, (int)field, flight_field_title(field), value.data, false);
	str_release(&value);
}

static void open_panel(struct desk *desk, int selected)
{
	struct desk_flight *flight = &desk->flight;
	struct menu *menu = &desk->menus.menu;
	char note[NOTE_BYTES], shown[SHOWN_BYTES];
	struct str footer = STR_INIT;

	engine_flight_status(flight->engine, &flight->status);
	menus_close(&desk->menus);
	desk->menus.kind = MENU_FLIGHT;
	menu_open(menu, "Flight recorder: the last seconds, saved when something happens", false);
	say_state(flight, note);
	menu_add(menu, ROW_ARMED, "Armed", note, is_on(flight));
	menu_add(menu, ROW_EXPRESSION, "When",
		 flight->request.filter && !filter_is_all(flight->request.filter)
			 ? filter_text(flight->request.filter)
			 : "by hand or SIGUSR1 alone",
		 false);
	for (int i = 0; i < FLIGHT_FIELD_COUNT; i++)
		add_field(desk, (enum flight_field)i);
	menu_add(menu, ROW_FREEZE, "Save now", "", false);
	if (flight->last.len)
		menu_add(menu, ROW_LAST, "Copy the command for the last file",
			 escape_name(shown, sizeof(shown), flight->last.data), false);
	menu_select(menu, selected);
	menus_add_key(desk->bindings, CONTEXT_MENU, ACTION_ACCEPT, "arms, changes, saves", &footer);
	menu_set_footer(menu, footer.data);
	str_release(&footer);
}

static void switch_armed(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;

	if (is_on(flight)) {
		flight->again = false;
		if (errand_is_pending(&flight->errand))
			return;
		engine_flight_disarm(flight->engine);
		flight->armed = false;
	} else {
		send_arming(desk);
	}
}

static void freeze(struct desk *desk, enum flight_reason reason)
{
	struct desk_flight *flight = &desk->flight;

	if (flight->armed)
		engine_flight_freeze(flight->engine, reason);
	else
		session_say(&desk->session, ROLE_WARN,
			    "The flight recorder is not armed: there is "
			    "nothing to be saved");
}

/* As a shell takes it for one word. */
static void add_word(const char *text, struct str *out)
{
	str_addc(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			str_add(out, "'\\'");
		str_addc(out, *text);
	}
	str_addc(out, '\'');
}

static void copy_command(struct desk *desk)
{
	char shown[SHOWN_BYTES];

	str_clear(&desk->copy);
	str_add(&desk->copy, "stxtop -i ");
	add_word(desk->flight.last.data, &desk->copy);
	desk->wish = WISH_COPY;
	session_say(&desk->session, ROLE_TEXT, "stxtop -i %s",
		    escape_name(shown, sizeof(shown), desk->flight.last.data));
}

static void open_entry(struct desk *desk, int row)
{
	struct desk_flight *flight = &desk->flight;
	struct str text = STR_INIT;

	menus_close(&desk->menus);
	flight->edited = row;
	if (row == ROW_EXPRESSION) {
		entry_line_open(&desk->entry, ENTRY_FLIGHT,
				flight->request.filter ? filter_text(flight->request.filter) : "");
		filter_draft_begin(&desk->draft, DRAFT_FLIGHT, 0);
	} else {
		flight_field_format(&flight->request, (enum flight_field)row, &text);
		entry_line_open(&desk->entry, ENTRY_FLIGHT_FIELD, text.data);
		prompt_set_hint(&desk->entry.prompt, PROMPT_NO_PLACE,
				flight_field_hint((enum flight_field)row));
	}
	str_release(&text);
}

bool desk_flight_choose(struct desk *desk, int id)
{
	if (desk->menus.kind != MENU_FLIGHT)
		return false;
	switch (id) {
	case ROW_ARMED:
		switch_armed(desk);
		open_panel(desk, id);
		break;
	case ROW_FREEZE:
		menus_close(&desk->menus);
		freeze(desk, FLIGHT_KEY);
		break;
	case ROW_LAST:
		menus_close(&desk->menus);
		copy_command(desk);
		break;
	default:
		open_entry(desk, id);
		break;
	}
	return true;
}

/* ---- what was typed ---- */

static bool take_expression(struct desk *desk)
{
	struct prompt *prompt = &desk->entry.prompt;
	struct filter_error error;
	struct filter *filter;

	if (filter_parse(&filter, prompt_text(prompt), desk->session.narrowing.names, &error)) {
		prompt_set_error(prompt, error.column, error.err.text);
		return false;
	}
	filter_free(desk->flight.request.filter);
	desk->flight.request.filter = filter;
	return true;
}

static bool take_field(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;
	struct prompt *prompt = &desk->entry.prompt;
	struct flight_request wanted = flight->request;
	struct str path = STR_INIT;
	struct err err;

	if (flight->edited == FLIGHT_FIELD_FILE)
		path_choice_expand(prompt_text(prompt), &path);
	else
		str_add(&path, prompt_text(prompt));
	if (flight_field_parse(&wanted, (enum flight_field)flight->edited, path.data, &err)) {
		prompt_set_error(prompt, 0, err.text);
		str_release(&path);
		return false;
	}
	if (flight->edited == FLIGHT_FIELD_FILE) {
		str_clear(&flight->pattern);
		str_add(&flight->pattern, path.data);
		wanted.pattern = flight->pattern.data;
	}
	str_release(&path);
	if (wanted.bytes != flight->request.bytes && is_on(flight))
		session_say(&desk->session, ROLE_WARN,
			    "It has that memory when it is armed the "
			    "next time");
	flight->request = wanted;
	return true;
}

bool desk_flight_accept(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;
	bool taken;

	if (desk->entry.kind != ENTRY_FLIGHT && desk->entry.kind != ENTRY_FLIGHT_FIELD)
		return false;
	taken = desk->entry.kind == ENTRY_FLIGHT ? take_expression(desk) : take_field(desk);
	if (!taken)
		return true;
	entry_line_close(&desk->entry, true);
	if (is_on(flight))
		send_arming(desk);
	open_panel(desk, flight->edited);
	return true;
}

bool desk_flight_cancel(struct desk *desk)
{
	if (desk->entry.kind != ENTRY_FLIGHT && desk->entry.kind != ENTRY_FLIGHT_FIELD)
		return false;
	entry_line_close(&desk->entry, false);
	open_panel(desk, desk->flight.edited);
	return true;
}

bool desk_flight_act(struct desk *desk, enum action action)
{
	struct session *session = &desk->session;

	if (action != ACTION_FLIGHT)
		return false;
	if (session->phase != SESSION_RUNNING)
		session_say(session, ROLE_WARN, "%s", session_not_running(session));
	else if (session->options->engine.recording)
		session_say(session, ROLE_WARN,
			    "This is a recording: nothing happens any more "
			    "that could be kept");
	else
		open_panel(desk, ROW_ARMED);
	return true;
}

/* ---- what became of it ---- */

static void say_news(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;
	struct str text = STR_INIT;

	while (engine_flight_next(flight->engine, flight->save)) {
		str_clear(&text);
		flight_lines_save(flight->engine, flight->save, &text);
		session_say(&desk->session, flight->save->failure ? ROLE_ERROR : ROLE_WARN, "%s",
			    text.data);
		if (!flight->save->failure) {
			str_clear(&flight->last);
			str_add(&flight->last, flight->save->path);
		}
	}
	str_release(&text);
}

/* "FLIGHT 9.80s", while it is armed. */
static void say_header(struct desk *desk)
{
	const struct flight_status *status = &desk->flight.status;
	const char *word = desk->ascii ? "*FLIGHT" : "●FLIGHT";
	struct header *header = &desk->header;
	const size_t room = sizeof(header->flight);
	char ns[UNITS_TEXT_BYTES];

	header->flight[0] = '\0';
	header->flight_saving = status->state == FLIGHT_SAVING;
	switch (status->state) {
	case FLIGHT_ARMED:
		snprintf(header->flight, room, "%s %s%s", word,
			 units_format_ns(ns, status->kept_ns), status->small ? " too small" : "");
		break;
	case FLIGHT_SAVING:
		snprintf(header->flight, room, "%s saves", word);
		break;
	case FLIGHT_RESTS:
		snprintf(header->flight, room, "%s rests %s", word,
			 units_format_ns(ns, status->rests_ns));
		break;
	case FLIGHT_SPENT:
		snprintf(header->flight, room, "%s done", word);
		break;
	case FLIGHT_OFF:
	case FLIGHT_STATE_COUNT:
		break;
	}
}

/* ---- a recording that was saved by one ---- */

static void show_call(struct desk *desk, uint64_t seq)
{
	struct view *overview = &desk->views[DESK_OVERVIEW];

	/* Who looks at something already is left alone. */
	if (desk->shown != overview || desk->page.open || desk->entry.open ||
	    desk->menus.kind != MENU_NONE)
		return;
	calls_pane_go(overview_focus_calls(overview), &desk->session, calls_pane_place_of(seq));
	desk_refresh(desk, false);
}

static bool is_marked(const struct flight_mark *mark, const struct call *call)
{
	return call->tid == mark->tid && call->enter_ns == mark->enter_ns && call->nr == mark->nr &&
	       call_was_made(call);
}

/* Downwards from the end, where it is near; some of them in a turn. */
static void seek_call(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;
	uint64_t seqs[SEEK_CALLS], before = flight->seek_seq;
	struct call calls[SEEK_CALLS];
	size_t count = engine_calls_before(flight->engine, &flight->seek_seq, NULL, calls, seqs,
					   SEEK_CALLS);

	for (size_t i = 0; i < count; i++) {
		if (!is_marked(&flight->mark, &calls[i]))
			continue;
		flight->seeks = false;
		show_call(desk, seqs[i]);
		return;
	}
	flight->seeks = count && flight->seek_seq < before;
}

/* Once all of it was read. */
static void tell_mark(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;
	const struct source_status *source = &desk->session.status.source;
	struct str text = STR_INIT;

	if (flight->mark.reason == FLIGHT_NONE || !source->finished)
		return;
	if (!flight->told) {
		flight->told = true;
		flight_lines_mark(flight->engine, &flight->mark, source->until_ns, &text);
		session_say(&desk->session, ROLE_WARN, "%s", text.data);
		str_release(&text);
		flight->seeks = flight->mark.reason == FLIGHT_CALL && !flight->mark.event;
		flight->seek_seq = UINT64_MAX;
	}
	for (int i = 0; flight->seeks && i < SEEKS_A_TURN; i++)
		seek_call(desk);
}

void desk_flight_look(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;

	take_armed(desk);
	if (desk->session.phase != SESSION_RUNNING)
		return;
	tell_mark(desk);
	engine_flight_status(flight->engine, &flight->status);
	say_news(desk);
	say_header(desk);
	/* The panel says it too. */
	if (desk->menus.kind == MENU_FLIGHT)
		open_panel(desk, menu_selected(&desk->menus.menu));
}

void desk_flight_signal(struct desk *desk)
{
	freeze(desk, FLIGHT_SIGNAL);
}

void desk_flight_start(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;

	flight->armed = desk->session.options->engine.flight;
	flight->armed_bytes = flight->request.bytes;
	engine_flight_mark(flight->engine, &flight->mark);
}

/* ---- beginning and end ---- */

void desk_flight_init(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;

	memset(flight, 0, sizeof(*flight));
	flight->engine = desk->session.engine;
	flight->request = desk->session.options->flight;
	if (flight->request.filter)
		filter_ref(flight->request.filter);
	flight->errand = (struct errand){ .run = arm, .ctx = flight };
	flight->save = mem_zalloc(1, sizeof(*flight->save));
	str_init(&flight->pattern);
	str_init(&flight->last);
}

void desk_flight_release(struct desk *desk)
{
	struct desk_flight *flight = &desk->flight;

	errand_recall(&flight->errand);
	release_sent(flight);
	filter_free(flight->request.filter);
	free(flight->save);
	str_release(&flight->pattern);
	str_release(&flight->last);
}
