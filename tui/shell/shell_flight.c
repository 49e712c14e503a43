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

/* Rows of the panel other than its fields. Their ids follow those of the fields. */
enum row {
	ROW_ARMED = FLIGHT_FIELD_COUNT,
	ROW_EXPRESSION,
	ROW_FREEZE,
	ROW_LAST,
};

#define NOTE_BYTES 64
#define SHOWN_BYTES 160
#define SEEK_CALLS 64
#define SEEKS_A_TURN 50 /* number of seek_call() calls per refresh: 1 to 2 ms */

/* ---- arming ---- */

/* Job thread. */
static void arm(void *ctx)
{
	struct shell_flight *flight = ctx;

	flight->rc = engine_flight_arm(flight->engine, &flight->sent, &flight->err);
}

static void release_sent(struct shell_flight *flight)
{
	filter_free(flight->sent.filter);
	free((char *)(uintptr_t)flight->sent.pattern);
	flight->sent.filter = NULL;
	flight->sent.pattern = NULL;
}

/* Arm with the current settings. If a job is arming already, arm again when it is done. */
static void send_arming(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;

	flight->again = job_is_pending(&flight->job);
	if (flight->again)
		return;
	release_sent(flight);
	flight->sent = flight->request;
	flight->sent.filter = flight->request.filter ? filter_ref(flight->request.filter) : NULL;
	/* The ring exists already, so its size stays. */
	if (flight->armed)
		flight->sent.bytes = flight->armed_bytes;
	flight->sent.pattern = mem_strdup(flight->request.pattern ? flight->request.pattern
								  : FLIGHT_PATTERN);
	job_submit(&flight->job, shell->session.job_queue);
}

static bool is_on(const struct shell_flight *flight)
{
	return flight->armed || job_is_pending(&flight->job);
}

static void take_armed(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;

	if (!job_is_done(&flight->job))
		return;
	shell->session.dirty = true;
	if (flight->rc) {
		session_say(&shell->session, ROLE_ERROR, "%s", flight->err.text);
		flight->again = false;
		return;
	}
	flight->armed = true;
	flight->armed_bytes = flight->sent.bytes;
	if (flight->again)
		send_arming(shell);
}

/* ---- the panel ---- */

static void say_state(const struct shell_flight *flight, char note[NOTE_BYTES])
{
	const struct flight_status *status = &flight->status;
	char one[UNITS_TEXT_BYTES], two[UNITS_TEXT_BYTES];

	switch (status->state) {
	case FLIGHT_OFF:
		snprintf(note, NOTE_BYTES, "%s", is_on(flight) ? "arming" : "");
		return;
	case FLIGHT_SAVING:
		snprintf(note, NOTE_BYTES, "a file is being written");
		return;
	case FLIGHT_RESTS:
		snprintf(note, NOTE_BYTES, "paused for %s", units_format_ns(one, status->rests_ns));
		return;
	case FLIGHT_SPENT:
		snprintf(note, NOTE_BYTES, "one file saved; Enter twice arms it again");
		return;
	default:
		snprintf(note, NOTE_BYTES, "%s in %s", units_format_ns(one, status->kept_ns),
			 units_format_bytes(two, status->ring_bytes));
		return;
	}
}

static void add_field(struct shell *shell, enum flight_field field)
{
	struct str value = STR_INIT;

	flight_field_format(&shell->flight.request, field, &value);
	menu_add(&shell->menus.menu, (int)field, flight_field_title(field), value.data, false);
	str_release(&value);
}

static void open_panel(struct shell *shell, int selected)
{
	struct shell_flight *flight = &shell->flight;
	struct menu *menu = &shell->menus.menu;
	char note[NOTE_BYTES], shown[SHOWN_BYTES];
	struct str footer = STR_INIT;

	engine_flight_status(flight->engine, &flight->status);
	menus_close(&shell->menus);
	shell->menus.kind = MENU_FLIGHT;
	menu_open(menu, "Flight recorder: save the last seconds on a trigger", false);
	say_state(flight, note);
	menu_add(menu, ROW_ARMED, "Armed", note, is_on(flight));
	menu_add(menu, ROW_EXPRESSION, "Trigger",
		 flight->request.filter && !filter_is_all(flight->request.filter)
			 ? filter_text(flight->request.filter)
			 : "manual or SIGUSR1",
		 false);
	for (int i = 0; i < FLIGHT_FIELD_COUNT; i++)
		add_field(shell, (enum flight_field)i);
	menu_add(menu, ROW_FREEZE, "Save now", "", false);
	if (flight->last.len)
		menu_add(menu, ROW_LAST, "Copy the command for the last file",
			 escape_name(shown, sizeof(shown), flight->last.data), false);
	menu_select(menu, selected);
	menus_add_key(shell->bindings, CONTEXT_MENU, ACTION_ACCEPT, "arms, changes, saves",
		      &footer);
	menu_set_footer(menu, footer.data);
	str_release(&footer);
}

static void switch_armed(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;

	if (is_on(flight)) {
		flight->again = false;
		if (job_is_pending(&flight->job))
			return;
		engine_flight_disarm(flight->engine);
		flight->armed = false;
	} else {
		send_arming(shell);
	}
}

static void freeze(struct shell *shell, enum flight_reason reason)
{
	struct shell_flight *flight = &shell->flight;

	if (flight->armed)
		engine_flight_freeze(flight->engine, reason);
	else
		session_say(&shell->session, ROLE_WARN,
			    "The flight recorder is not armed: nothing to save");
}

/* Append the text, quoted as one word of a command shell. */
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

static void copy_command(struct shell *shell)
{
	char shown[SHOWN_BYTES];

	str_clear(&shell->copy);
	str_add(&shell->copy, "stxtop -i ");
	add_word(shell->flight.last.data, &shell->copy);
	shell->request = REQUEST_COPY;
	session_say(&shell->session, ROLE_TEXT, "stxtop -i %s",
		    escape_name(shown, sizeof(shown), shell->flight.last.data));
}

static void open_entry(struct shell *shell, int row)
{
	struct shell_flight *flight = &shell->flight;
	struct str text = STR_INIT;

	menus_close(&shell->menus);
	flight->edited = row;
	if (row == ROW_EXPRESSION) {
		entry_line_open(&shell->entry, ENTRY_FLIGHT,
				flight->request.filter ? filter_text(flight->request.filter) : "");
		filter_draft_begin(&shell->draft, DRAFT_FLIGHT, 0);
	} else {
		flight_field_format(&flight->request, (enum flight_field)row, &text);
		entry_line_open(&shell->entry, ENTRY_FLIGHT_FIELD, text.data);
		prompt_set_hint(&shell->entry.prompt, PROMPT_NO_PLACE,
				flight_field_hint((enum flight_field)row));
	}
	str_release(&text);
}

bool shell_flight_choose(struct shell *shell, int id)
{
	if (shell->menus.kind != MENU_FLIGHT)
		return false;
	switch (id) {
	case ROW_ARMED:
		switch_armed(shell);
		open_panel(shell, id);
		break;
	case ROW_FREEZE:
		menus_close(&shell->menus);
		freeze(shell, FLIGHT_KEY);
		break;
	case ROW_LAST:
		menus_close(&shell->menus);
		copy_command(shell);
		break;
	default:
		open_entry(shell, id);
		break;
	}
	return true;
}

/* ---- prompts ---- */

static bool take_expression(struct shell *shell)
{
	struct prompt *prompt = &shell->entry.prompt;
	struct filter_error error;
	struct filter *filter;

	if (filter_parse(&filter, prompt_text(prompt), shell->session.filter_stack.names, &error)) {
		prompt_set_error(prompt, error.column, error.err.text);
		return false;
	}
	filter_free(shell->flight.request.filter);
	shell->flight.request.filter = filter;
	return true;
}

static bool take_field(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;
	struct prompt *prompt = &shell->entry.prompt;
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
		session_say(&shell->session, ROLE_WARN,
			    "The new size applies when it is armed next");
	flight->request = wanted;
	return true;
}

bool shell_flight_accept(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;
	bool taken;

	if (shell->entry.kind != ENTRY_FLIGHT && shell->entry.kind != ENTRY_FLIGHT_FIELD)
		return false;
	taken = shell->entry.kind == ENTRY_FLIGHT ? take_expression(shell) : take_field(shell);
	if (!taken)
		return true;
	entry_line_close(&shell->entry, true);
	if (is_on(flight))
		send_arming(shell);
	open_panel(shell, flight->edited);
	return true;
}

bool shell_flight_cancel(struct shell *shell)
{
	if (shell->entry.kind != ENTRY_FLIGHT && shell->entry.kind != ENTRY_FLIGHT_FIELD)
		return false;
	entry_line_close(&shell->entry, false);
	open_panel(shell, shell->flight.edited);
	return true;
}

bool shell_flight_act(struct shell *shell, enum action action)
{
	struct session *session = &shell->session;

	if (action != ACTION_FLIGHT)
		return false;
	if (session->phase != SESSION_RUNNING)
		session_say(session, ROLE_WARN, "%s", session_not_running(session));
	else if (session->options->engine.recording)
		session_say(session, ROLE_WARN,
			    "No flight recorder in a recording: it saves live calls only");
	else
		open_panel(shell, ROW_ARMED);
	return true;
}

/* ---- status ---- */

static void say_news(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;
	struct str text = STR_INIT;

	while (engine_flight_next(flight->engine, flight->save)) {
		str_clear(&text);
		flight_lines_save(flight->engine, flight->save, &text);
		session_say(&shell->session, flight->save->failure ? ROLE_ERROR : ROLE_WARN, "%s",
			    text.data);
		if (!flight->save->failure) {
			str_clear(&flight->last);
			str_add(&flight->last, flight->save->path);
		}
	}
	str_release(&text);
}

/* Set the text of the header, "FLIGHT 9.80s", while the recorder is armed. */
static void say_header(struct shell *shell)
{
	const struct flight_status *status = &shell->flight.status;
	const char *word = shell->ascii ? "*FLIGHT" : "●FLIGHT";
	struct header *header = &shell->header;
	const size_t room = sizeof(header->flight);
	char ns[UNITS_TEXT_BYTES];

	header->flight[0] = '\0';
	header->flight_saving = status->state == FLIGHT_SAVING;
	switch (status->state) {
	case FLIGHT_ARMED:
		snprintf(header->flight, room, "%s %s%s", word,
			 units_format_ns(ns, status->kept_ns),
			 status->small ? ", memory too small" : "");
		break;
	case FLIGHT_SAVING:
		snprintf(header->flight, room, "%s saving", word);
		break;
	case FLIGHT_RESTS:
		snprintf(header->flight, room, "%s paused %s", word,
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

/* ---- mark of a saved recording ---- */

static void show_call(struct shell *shell, uint64_t seq)
{
	struct view *overview = &shell->views[SHELL_OVERVIEW];

	/* Do not interrupt a user in another view, a page, a prompt or a menu. */
	if (shell->shown != overview || shell->page.open || shell->entry.open ||
	    shell->menus.kind != MENU_NONE)
		return;
	calls_pane_go(overview_focus_calls(overview), &shell->session, calls_pane_place_of(seq));
	shell->ops->refresh(shell, false);
}

static bool is_marked(const struct flight_mark *mark, const struct call *call)
{
	return call->tid == mark->tid && call->enter_ns == mark->enter_ns && call->nr == mark->nr &&
	       call_was_made(call);
}

/* Search one batch for the marked call, which is near the end of the history: go backwards. */
static void seek_call(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;
	uint64_t seqs[SEEK_CALLS], before = flight->seek_seq;
	struct call calls[SEEK_CALLS];
	size_t count = engine_calls_before(flight->engine, &flight->seek_seq, NULL, calls, seqs,
					   SEEK_CALLS);

	for (size_t i = 0; i < count; i++) {
		if (!is_marked(&flight->mark, &calls[i]))
			continue;
		flight->seeks = false;
		show_call(shell, seqs[i]);
		return;
	}
	flight->seeks = count && flight->seek_seq < before;
}

/* Once the whole recording has been read, report its mark and go to the marked call. */
static void report_mark(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;
	const struct source_status *source = &shell->session.status.source;
	struct str text = STR_INIT;

	if (flight->mark.reason == FLIGHT_NONE || !source->finished)
		return;
	if (!flight->reported) {
		flight->reported = true;
		flight_lines_mark(flight->engine, &flight->mark, source->until_ns, &text);
		session_say(&shell->session, ROLE_WARN, "%s", text.data);
		str_release(&text);
		flight->seeks = flight->mark.reason == FLIGHT_CALL && !flight->mark.event;
		flight->seek_seq = UINT64_MAX;
	}
	for (int i = 0; flight->seeks && i < SEEKS_A_TURN; i++)
		seek_call(shell);
}

void shell_flight_look(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;

	take_armed(shell);
	if (shell->session.phase != SESSION_RUNNING)
		return;
	report_mark(shell);
	engine_flight_status(flight->engine, &flight->status);
	say_news(shell);
	say_header(shell);
	/* The panel shows the status too. */
	if (shell->menus.kind == MENU_FLIGHT)
		open_panel(shell, menu_selected(&shell->menus.menu));
}

void shell_flight_signal(struct shell *shell)
{
	freeze(shell, FLIGHT_SIGNAL);
}

void shell_flight_start(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;

	flight->armed = shell->session.options->engine.flight;
	flight->armed_bytes = flight->request.bytes;
	engine_flight_mark(flight->engine, &flight->mark);
}

/* ---- init and release ---- */

void shell_flight_init(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;

	memset(flight, 0, sizeof(*flight));
	flight->engine = shell->session.engine;
	flight->request = shell->session.options->flight;
	if (flight->request.filter)
		filter_ref(flight->request.filter);
	flight->job = (struct job){ .run = arm, .ctx = flight };
	flight->save = mem_zalloc(1, sizeof(*flight->save));
	str_init(&flight->pattern);
	str_init(&flight->last);
}

void shell_flight_release(struct shell *shell)
{
	struct shell_flight *flight = &shell->flight;

	job_cancel(&flight->job);
	release_sent(flight);
	filter_free(flight->request.filter);
	free(flight->save);
	str_release(&flight->pattern);
	str_release(&flight->last);
}
