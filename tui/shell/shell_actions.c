#include "tui/shell/shell_actions.h"

#include "tui/calls/waker_jump.h"
#include "tui/dialogs/column_choice.h"
#include "tui/dialogs/help_page.h"
#include "tui/dialogs/messages_page.h"
#include "tui/panes/calls_pane.h"
#include "tui/panes/detail_page.h"
#include "tui/panes/overview.h"
#include "tui/session/key_name.h"
#include "tui/shell/palette.h"
#include "tui/shell/shell_catch.h"
#include "tui/shell/shell_compare.h"
#include "tui/shell/shell_export.h"
#include "tui/shell/shell_filter.h"
#include "tui/shell/shell_flight.h"
#include "tui/shell/shell_record.h"
#include "tui/shell/shell_settings_menu.h"
#include "tui/shell/shell_targets.h"
#include "tui/shell/shell_time.h"
#include "tui/view/quick_terms.h"

#include <signal.h>
#include <string.h>

/* ---- searching ---- */

/* False: it is not there. */
static bool search(struct desk *desk, int step, bool from_here)
{
	struct session *session = &desk->session;
	const char *text = session->search.data;
	struct pane *pane = view_focused(desk->shown);
	char key[KEY_NAME_TEXT_BYTES];
	bool found;

	if (!session->search.len) {
		session_say(session, ROLE_WARN, "Nothing has been searched for yet; %s does",
			    key_name(key, session, ACTION_SEARCH));
		return false;
	}
	found = desk->page.open ? help_search(&desk->page.help, text, step)
				: pane->ops->search(pane->self, session, text, step, from_here);
	if (!found)
		session_say(session, ROLE_WARN, "Not found: %s", text);
	return found;
}

/* ---- what was typed ---- */

static void accept_events(struct desk *desk)
{
	struct err err;

	if (event_choice_take(&desk->events, &desk->session, prompt_text(&desk->entry.prompt),
			      &err)) {
		prompt_set_error(&desk->entry.prompt, PROMPT_NO_PLACE, err.text);
		return;
	}
	entry_line_close(&desk->entry, true);
}

static void open_events(struct desk *desk)
{
	const char *list = event_choice_begin(&desk->events, &desk->session);

	if (list)
		entry_line_open(&desk->entry, ENTRY_EVENTS, list);
}

void desk_accept_entry(struct desk *desk)
{
	struct session *session = &desk->session;

	if (desk_filter_accept(desk) || desk_targets_accept(desk) || desk_catch_accept(desk) ||
	    desk_export_accept(desk) || desk_record_accept(desk) || desk_flight_accept(desk) ||
	    desk_time_accept(desk) || desk_compare_accept(desk))
		return;
	if (desk->entry.kind == ENTRY_EVENTS) {
		accept_events(desk);
		return;
	}
	entry_line_close(&desk->entry, true);
	/* Nothing typed: as before, which is how editors have it. */
	if (!*prompt_text(&desk->entry.prompt)) {
		if (session->search.len)
			search(desk, desk->search_step, false);
		return;
	}
	str_clear(&session->search);
	str_add(&session->search, prompt_text(&desk->entry.prompt));
	search(desk, desk->search_step, true);
}

void desk_search_on(struct desk *desk, enum action action)
{
	struct session *session = &desk->session;
	struct prompt *prompt = &desk->entry.prompt;
	bool is_new = false;

	if (desk->entry.kind != ENTRY_SEARCH && desk->entry.kind != ENTRY_SEARCH_BACK)
		return;
	if (!*prompt_text(prompt)) {
		prompt_set_text(prompt, session->search.data);
	} else if (strcmp(prompt_text(prompt), session->search.data)) {
		str_clear(&session->search);
		str_add(&session->search, prompt_text(prompt));
		is_new = true;
	}
	desk->search_step = action == ACTION_SEARCH_NEXT ? 1 : -1;
	if (session->search.len && !search(desk, desk->search_step, is_new))
		prompt_set_error(prompt, PROMPT_NO_PLACE, "Not found");
}

/* ---- what was chosen ---- */

static void sort_by(struct desk *desk, int column_id)
{
	struct pane *pane = view_sortable(desk->shown);

	if (pane && pane->ops->table(pane->self)->sort_column != column_id)
		pane->ops->sort_by(pane->self, &desk->session, column_id);
}

void desk_accept_menu(struct desk *desk, int id)
{
	struct menus *menus = &desk->menus;
	enum menu_kind kind = menus->kind;

	if (id < 0 || desk_setup_choose(desk, id) || desk_filter_choose(desk, id) ||
	    desk_catch_choose(desk, id) || desk_export_choose(desk, id) ||
	    desk_flight_choose(desk, id))
		return;
	if (kind == MENU_COLUMNS) {
		column_choice_switch(menus, &desk->session, id);
		return;
	}
	if (kind == MENU_TARGETS) {
		desk_targets_choose(desk, id);
		return;
	}
	switch (kind) {
	case MENU_SIGNAL:
		menus_open_confirm(menus, id);
		return;
	case MENU_CONFIRM:
		if (id)
			menus_send_signal(menus, &desk->session);
		break;
	case MENU_LEAVE:
		if (id == LEAVE_END)
			command_signal(desk->session.command, SIGTERM);
		if (id != LEAVE_STAY)
			desk->wish = WISH_QUIT;
		break;
	default:
		break;
	}
	menus_close(menus);
	/* Only now: an action may open a menu of its own. */
	switch (kind) {
	case MENU_SORT:
		sort_by(desk, id);
		break;
	case MENU_GROUP:
		menus->grouped.ops->group_by(menus->grouped.self, &desk->session,
					     (enum engine_group)id);
		break;
	case MENU_VIEWS:
	case MENU_PALETTE:
		desk_act(desk, (enum action)id);
		break;
	default:
		break;
	}
}

/* ---- actions ---- */

/* False: it is not the action of a view. */
static bool show_view(struct desk *desk, enum action action)
{
	for (int i = 0; i < DESK_VIEW_COUNT; i++) {
		if (desk->views[i].def->action != action)
			continue;
		desk->shown = &desk->views[i];
		desk_refresh(desk, false);
		return true;
	}
	return false;
}

/* False: it is not an action that goes from view to view. */
static bool step_view(struct desk *desk, enum action action)
{
	int step = action == ACTION_NEXT_VIEW ? 1 : action == ACTION_PREVIOUS_VIEW ? -1 : 0;
	int at = (int)(desk->shown - desk->views);

	if (!step)
		return false;
	desk->shown = &desk->views[(at + step + DESK_VIEW_COUNT) % DESK_VIEW_COUNT];
	desk_refresh(desk, false);
	return true;
}

/* What is read is what keys act on; the row may have gone on. */
const struct call *desk_subject_call(const struct desk *desk)
{
	const struct detail_page *detail = &desk->page.detail;

	if (desk->page.open)
		return desk->page.is_detail && detail->kind == DETAIL_CALL ? &detail->call : NULL;
	return desk->session.has_subject_call ? &desk->session.subject_call : NULL;
}

/* To a call that is in the history and matches the filter. */
static void jump_to(struct desk *desk, uint64_t seq)
{
	struct session *session = &desk->session;
	struct view *overview = &desk->views[DESK_OVERVIEW];
	struct desk_jump *jump;
	struct pane *calls;

	desk->page.open = false;
	if (desk->jump_count == DESK_MAX_JUMPS ||
	    desk->jump_filter_version != session->filter_version)
		desk->jump_count = 0;
	desk->jump_filter_version = session->filter_version;
	jump = &desk->jumps[desk->jump_count++];
	jump->view = desk->shown;
	jump->focus = desk->shown->layout.focus;
	calls = overview_focus_calls(overview);
	jump->place = calls_pane_place(calls);
	desk->shown = overview;
	/* It may have missed a change of the filter, which would place it anew. */
	desk_refresh(desk, false);
	calls_pane_go(calls, session, calls_pane_place_of(seq));
	desk_refresh(desk, false);
}

static void jump_to_waker(struct desk *desk)
{
	struct session *session = &desk->session;
	const struct call *call = desk_subject_call(desk);
	uint64_t seq;

	if (session->phase != SESSION_RUNNING || !call) {
		session_say(session, ROLE_WARN, "No call is selected; go to one with the arrows");
		return;
	}
	switch (waker_find(session, call, &seq)) {
	case WAKER_FOUND:
		jump_to(desk, seq);
		break;
	case WAKER_FILTERED:
		desk->waker_offered = true;
		desk->waker_seq = seq;
		break;
	case WAKER_NOWHERE:
		break;
	}
}

/* What was offered is taken by the next key, or not at all. */
static bool take_waker(struct desk *desk, enum action action)
{
	bool taken = desk->waker_offered && action == ACTION_DRILL_IN;

	desk->waker_offered = false;
	if (!taken)
		return false;
	desk_filter_act(desk, ACTION_CLEAR_FILTER);
	jump_to(desk, desk->waker_seq);
	return true;
}

/* False: there was no jump, or the filter has changed since. */
static bool jump_back(struct desk *desk)
{
	struct session *session = &desk->session;
	const struct desk_jump *jump;

	if (!desk->jump_count || desk->jump_filter_version != session->filter_version ||
	    desk->shown != &desk->views[DESK_OVERVIEW])
		return false;
	jump = &desk->jumps[--desk->jump_count];
	calls_pane_go(overview_focus_calls(desk->shown), session, jump->place);
	desk->shown = jump->view;
	desk->shown->layout.focus = jump->focus;
	desk_refresh(desk, false);
	return true;
}

static void open_views_menu(struct desk *desk)
{
	const struct view *views[DESK_VIEW_COUNT];

	for (int i = 0; i < DESK_VIEW_COUNT; i++)
		views[i] = &desk->views[i];
	menus_open_views(&desk->menus, views, DESK_VIEW_COUNT, desk->shown, desk->bindings);
}

static void open_help(struct desk *desk)
{
	help_clear(&desk->page.help);
	help_page_fill(&desk->page.help, desk->bindings, desk->shown, &desk->session.status.source);
	desk->page.title = "Help";
	desk->page.open = true;
	desk->page.is_detail = false;
}

static void open_messages(struct desk *desk)
{
	help_clear(&desk->page.help);
	messages_page_fill(&desk->page.help, &desk->session.toast, desk->session.clock_ns);
	desk->page.title = "Messages";
	desk->page.open = true;
	desk->page.is_detail = false;
}

/* The end of a stream has a row that speaks of somebody, but stays nobody's choice. */
static void say_none(struct session *session)
{
	session_say(session, ROLE_WARN,
		    session->pick.has_pid && !session->pick.chosen
			    ? "Up chooses a row, Space stops the display"
			    : "Nothing is selected; go to a row with the arrows");
}

static void open_detail(struct desk *desk)
{
	if (!detail_page_open(&desk->page.detail, &desk->session, desk->page.cols,
			      &desk->page.help)) {
		say_none(&desk->session);
		return;
	}
	desk->page.title = "Detail";
	desk->page.open = desk->page.is_detail = true;
}

static void open_sort_menu(struct desk *desk)
{
	struct pane *pane = view_sortable(desk->shown);

	if (pane)
		menus_open_sort(&desk->menus, pane->ops->table(pane->self));
	else
		session_say(&desk->session, ROLE_WARN, "This view has one order only");
}

static void open_group_menu(struct desk *desk)
{
	struct view *view = desk->shown;
	struct pane *found = NULL;
	enum engine_group group;

	for (int i = view->pane_count - 1; i >= 0; i--)
		if (view->panes[i].ops->groups &&
		    view->panes[i].ops->groups(view->panes[i].self, &group) &&
		    found != view_focused(view))
			found = &view->panes[i];
	if (found)
		menus_open_group(&desk->menus, found);
	else
		session_say(&desk->session, ROLE_WARN,
			    "The rows of this view are no sums, which "
			    "can be grouped; those of Processes are");
}

static void copy_row(struct desk *desk)
{
	struct pane *pane = view_focused(desk->shown);

	str_clear(&desk->copy);
	if (desk->page.open)
		help_text(&desk->page.help, &desk->copy);
	else
		pane->ops->row_text(pane->self, &desk->session, &desk->copy);
	if (desk->copy.len)
		desk->wish = WISH_COPY;
	else
		say_none(&desk->session);
}

static void show_calls(struct desk *desk)
{
	desk->session.to_calls = false;
	desk->shown = &desk->views[DESK_CALLS];
	desk_refresh(desk, false);
}

/* Where it is the calls that one wants to see, they are shown. */
static void narrow_to_row(struct desk *desk)
{
	struct session *session = &desk->session;
	if (quick_term_enter(session, &session->pick) && desk->shown != &desk->views[DESK_OVERVIEW])
		show_calls(desk);
}

/* Enter on a row of sums narrows to it, on a call it tells everything about it. */
static void drill_in(struct desk *desk)
{
	struct session *session = &desk->session;

	if (session->phase == SESSION_REFUSED)
		desk->wish = WISH_AGAIN;
	else if (session->has_subject_call && session->pick.chosen)
		open_detail(desk);
	else if (!session->pick.chosen)
		say_none(session);
	else
		narrow_to_row(desk);
}

static void quit(struct desk *desk)
{
	struct session *session = &desk->session;

	if (session->command && !session->command_ended && session->phase != SESSION_REFUSED)
		menus_open_leave(&desk->menus, session->options, desk->bindings);
	else
		desk->wish = WISH_QUIT;
}

static bool act_on_find(struct desk *desk, enum action action)
{
	switch (action) {
	case ACTION_BACK:
		return jump_back(desk);
	case ACTION_SEARCH:
	case ACTION_SEARCH_BACK:
		desk->search_step = action == ACTION_SEARCH ? 1 : -1;
		entry_line_open(&desk->entry,
				action == ACTION_SEARCH ? ENTRY_SEARCH : ENTRY_SEARCH_BACK, "");
		return true;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
		search(desk, action == ACTION_SEARCH_NEXT ? desk->search_step : -desk->search_step,
		       false);
		return true;
	default:
		return false;
	}
}

static bool act_on_program(struct desk *desk, enum action action)
{
	struct session *session = &desk->session;

	switch (action) {
	case ACTION_PAUSE:
		session_pause(session, !session->paused);
		return true;
	case ACTION_TOGGLE_COLLECTION:
		session_toggle_collection(session);
		return true;
	case ACTION_EVENTS:
		open_events(desk);
		return true;
	case ACTION_ZERO_TOTALS:
		session_zero(session);
		return true;
	case ACTION_SORT_MENU:
		open_sort_menu(desk);
		return true;
	case ACTION_COLUMNS:
		column_choice_open(&desk->menus, session, view_focused(desk->shown),
				   desk->bindings);
		return true;
	case ACTION_GROUP_MENU:
		open_group_menu(desk);
		return true;
	case ACTION_VIEWS_MENU:
		open_views_menu(desk);
		return true;
	case ACTION_HELP:
		open_help(desk);
		return true;
	case ACTION_MESSAGES:
		open_messages(desk);
		return true;
	case ACTION_WAKER:
		jump_to_waker(desk);
		return true;
	case ACTION_IDLE:
		session->hides_idle = !session->hides_idle;
		session_say(
			session, ROLE_TEXT,
			session->hides_idle
				? "Idle waits are hidden in Futexes and Blocked; titles count them"
				: "Idle waits are shown");
		return true;
	case ACTION_DETAIL:
		open_detail(desk);
		return true;
	case ACTION_DESCRIBE_KEY:
		desk->describes = true;
		return true;
	case ACTION_SETUP:
		return desk_setup_act(desk, action);
	case ACTION_PALETTE:
		palette_open(&desk->menus, desk->bindings);
		return true;
	case ACTION_SIGNAL:
		menus_open_signal(&desk->menus, session);
		return true;
	case ACTION_COPY_ROW:
		copy_row(desk);
		return true;
	case ACTION_REDRAW:
		desk->wish = WISH_REDRAW;
		return true;
	case ACTION_SUSPEND:
		desk->wish = WISH_SUSPEND;
		return true;
	case ACTION_QUIT:
		quit(desk);
		return true;
	default:
		return false;
	}
}

/* Who knows one of its keys needs the line no more, now and the next time. */
static bool take_hint(struct desk *desk, enum action action)
{
	bool taken = first_hints_take(&desk->hints, action);
	struct err err;

	if (!desk->hints.on && desk->settings.all)
		desk_settings_choose(desk, SETTING_HINTS, "no", &err);
	return taken;
}

void desk_act(struct desk *desk, enum action action)
{
	struct session *session = &desk->session;
	char key[KEY_NAME_TEXT_BYTES];

	session->dirty = true;
	if (take_waker(desk, action))
		return;
	if (action == ACTION_BACK && (desk_export_stop(desk) || desk_time_stop(desk)))
		return;
	if (desk->hints.on && take_hint(desk, action))
		return;
	if (view_act(desk->shown, session, action)) {
		desk_time_take_span(desk);
		if (session->to_calls)
			show_calls(desk);
		return;
	}
	if (action == ACTION_DRILL_IN) {
		drill_in(desk);
		return;
	}
	if (!show_view(desk, action) && !step_view(desk, action) && !desk_owner_act(desk, action) &&
	    !act_on_find(desk, action) && !desk_filter_act(desk, action) &&
	    !desk_targets_act(desk, action) && !desk_catch_act(desk, action) &&
	    !desk_export_act(desk, action) && !desk_record_act(desk, action) &&
	    !desk_flight_act(desk, action) && !desk_time_act(desk, action) &&
	    !desk_compare_act(desk, action) && !desk_about_act(desk, action) &&
	    !desk_use_act(desk, action) && !act_on_program(desk, action))
		session_say(session, ROLE_DIM, "%s does nothing here; %s says what does",
			    action_name(action), key_name(key, session, ACTION_HELP));
}
