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
#include "tui/shell/shell_lock_owner.h"
#include "tui/shell/shell_memory_usage.h"
#include "tui/shell/shell_record.h"
#include "tui/shell/shell_recording_info.h"
#include "tui/shell/shell_settings.h"
#include "tui/shell/shell_settings_menu.h"
#include "tui/shell/shell_targets.h"
#include "tui/shell/shell_time.h"
#include "tui/view/quick_terms.h"

#include <signal.h>
#include <string.h>

/* ---- search ---- */

/* False: no match, or no search text yet. */
static bool search(struct shell *shell, int step, bool from_here)
{
	struct session *session = &shell->session;
	const char *text = session->search.data;
	struct pane *pane = view_focused(shell->shown);
	char key[KEY_NAME_TEXT_BYTES];
	bool found;

	if (!session->search.len) {
		session_say(session, ROLE_WARN, "Nothing searched yet; %s starts a search",
			    key_name(key, session, ACTION_SEARCH));
		return false;
	}
	found = shell->page.open ? help_search(&shell->page.help, text, step)
				 : pane->ops->search(pane->self, session, text, step, from_here);
	if (!found)
		session_say(session, ROLE_WARN, "Not found: %s", text);
	return found;
}

/* ---- prompts ---- */

static void accept_events(struct shell *shell)
{
	struct err err;

	if (event_choice_take(&shell->events, &shell->session, prompt_text(&shell->entry.prompt),
			      &err)) {
		prompt_set_error(&shell->entry.prompt, PROMPT_NO_PLACE, err.text);
		return;
	}
	entry_line_close(&shell->entry, true);
}

static void open_events(struct shell *shell)
{
	const char *list = event_choice_begin(&shell->events, &shell->session);

	if (list)
		entry_line_open(&shell->entry, ENTRY_EVENTS, list);
}

void shell_accept_entry(struct shell *shell)
{
	struct session *session = &shell->session;

	if (shell_filter_accept(shell) || shell_targets_accept(shell) ||
	    shell_catch_accept(shell) || shell_export_accept(shell) || shell_record_accept(shell) ||
	    shell_flight_accept(shell) || shell_time_accept(shell) || shell_compare_accept(shell))
		return;
	if (shell->entry.kind == ENTRY_EVENTS) {
		accept_events(shell);
		return;
	}
	entry_line_close(&shell->entry, true);
	/* Empty input repeats the last search, as in editors. */
	if (!*prompt_text(&shell->entry.prompt)) {
		if (session->search.len)
			search(shell, shell->search_step, false);
		return;
	}
	str_clear(&session->search);
	str_add(&session->search, prompt_text(&shell->entry.prompt));
	search(shell, shell->search_step, true);
}

void shell_search_on(struct shell *shell, enum action action)
{
	struct session *session = &shell->session;
	struct prompt *prompt = &shell->entry.prompt;
	bool is_new = false;

	if (shell->entry.kind != ENTRY_SEARCH && shell->entry.kind != ENTRY_SEARCH_BACK)
		return;
	if (!*prompt_text(prompt)) {
		prompt_set_text(prompt, session->search.data);
	} else if (strcmp(prompt_text(prompt), session->search.data)) {
		str_clear(&session->search);
		str_add(&session->search, prompt_text(prompt));
		is_new = true;
	}
	shell->search_step = action == ACTION_SEARCH_NEXT ? 1 : -1;
	if (session->search.len && !search(shell, shell->search_step, is_new))
		prompt_set_error(prompt, PROMPT_NO_PLACE, "Not found");
}

/* ---- menus ---- */

static void sort_by(struct shell *shell, int column_id)
{
	struct pane *pane = view_sortable(shell->shown);

	if (pane && pane->ops->table(pane->self)->sort_column != column_id)
		pane->ops->sort_by(pane->self, &shell->session, column_id);
}

void shell_accept_menu(struct shell *shell, int id)
{
	struct menus *menus = &shell->menus;
	enum menu_kind kind = menus->kind;

	if (id < 0 || shell_settings_menu_choose(shell, id) || shell_filter_choose(shell, id) ||
	    shell_catch_choose(shell, id) || shell_export_choose(shell, id) ||
	    shell_flight_choose(shell, id))
		return;
	if (kind == MENU_COLUMNS) {
		column_choice_switch(menus, &shell->session, id);
		return;
	}
	if (kind == MENU_TARGETS) {
		shell_targets_choose(shell, id);
		return;
	}
	switch (kind) {
	case MENU_SIGNAL:
		menus_open_confirm(menus, id);
		return;
	case MENU_CONFIRM:
		if (id)
			menus_send_signal(menus, &shell->session);
		break;
	case MENU_LEAVE:
		if (id == LEAVE_END)
			command_signal(shell->session.command, SIGTERM);
		if (id != LEAVE_STAY)
			shell->request = REQUEST_QUIT;
		break;
	default:
		break;
	}
	menus_close(menus);
	/* The menu is closed first, because an action can open a menu of its own. */
	switch (kind) {
	case MENU_SORT:
		sort_by(shell, id);
		break;
	case MENU_GROUP:
		menus->grouped.ops->group_by(menus->grouped.self, &shell->session,
					     (enum engine_group)id);
		break;
	case MENU_VIEWS:
	case MENU_PALETTE:
		shell_act(shell, (enum action)id);
		break;
	default:
		break;
	}
}

/* ---- actions ---- */

/* False: not the action of a view. */
static bool show_view(struct shell *shell, enum action action)
{
	for (int i = 0; i < SHELL_VIEW_COUNT; i++) {
		if (shell->views[i].def->action != action)
			continue;
		shell->shown = &shell->views[i];
		shell->ops->refresh(shell, false);
		return true;
	}
	return false;
}

/* False: not an action that switches between views. */
static bool step_view(struct shell *shell, enum action action)
{
	int step = action == ACTION_NEXT_VIEW ? 1 : action == ACTION_PREVIOUS_VIEW ? -1 : 0;
	int at = (int)(shell->shown - shell->views);

	if (!step)
		return false;
	shell->shown = &shell->views[(at + step + SHELL_VIEW_COUNT) % SHELL_VIEW_COUNT];
	shell->ops->refresh(shell, false);
	return true;
}

/* Jump to a call that is in the history and matches the filter. */
static void jump_to(struct shell *shell, uint64_t seq)
{
	struct session *session = &shell->session;
	struct view *overview = &shell->views[SHELL_OVERVIEW];
	struct shell_jump *jump;
	struct pane *calls;

	shell->page.open = false;
	if (shell->jump_count == SHELL_MAX_JUMPS ||
	    shell->jump_filter_version != session->filter_version)
		shell->jump_count = 0;
	shell->jump_filter_version = session->filter_version;
	jump = &shell->jumps[shell->jump_count++];
	jump->view = shell->shown;
	jump->focus = shell->shown->layout.focus;
	calls = overview_focus_calls(overview);
	jump->place = calls_pane_place(calls);
	shell->shown = overview;
	/* Refresh first: the pane can have missed a filter change, which would reset its cursor. */
	shell->ops->refresh(shell, false);
	calls_pane_go(calls, session, calls_pane_place_of(seq));
	shell->ops->refresh(shell, false);
}

static void jump_to_waker(struct shell *shell)
{
	struct session *session = &shell->session;
	const struct call *call = shell_subject_call(shell);
	uint64_t seq;

	if (session->phase != SESSION_RUNNING || !call) {
		session_say(session, ROLE_WARN, "No call selected: go to one with the arrows");
		return;
	}
	switch (waker_find(session, call, &seq)) {
	case WAKER_FOUND:
		jump_to(shell, seq);
		break;
	case WAKER_FILTERED:
		shell->waker_offered = true;
		shell->waker_seq = seq;
		break;
	case WAKER_NOWHERE:
		break;
	}
}

/* Accept the offered jump to a waker. Any other next key discards the offer. */
static bool take_waker(struct shell *shell, enum action action)
{
	bool taken = shell->waker_offered && action == ACTION_DRILL_IN;

	shell->waker_offered = false;
	if (!taken)
		return false;
	shell_filter_act(shell, ACTION_CLEAR_FILTER);
	jump_to(shell, shell->waker_seq);
	return true;
}

/* False: no jump to undo, the filter has changed since, or another view is shown. */
static bool jump_back(struct shell *shell)
{
	struct session *session = &shell->session;
	const struct shell_jump *jump;

	if (!shell->jump_count || shell->jump_filter_version != session->filter_version ||
	    shell->shown != &shell->views[SHELL_OVERVIEW])
		return false;
	jump = &shell->jumps[--shell->jump_count];
	calls_pane_go(overview_focus_calls(shell->shown), session, jump->place);
	shell->shown = jump->view;
	shell->shown->layout.focus = jump->focus;
	shell->ops->refresh(shell, false);
	return true;
}

static void open_views_menu(struct shell *shell)
{
	const struct view *views[SHELL_VIEW_COUNT];

	for (int i = 0; i < SHELL_VIEW_COUNT; i++)
		views[i] = &shell->views[i];
	menus_open_views(&shell->menus, views, SHELL_VIEW_COUNT, shell->shown, shell->bindings);
}

static void open_help(struct shell *shell)
{
	help_clear(&shell->page.help);
	help_page_fill(&shell->page.help, shell->bindings, shell->shown,
		       &shell->session.status.source);
	shell->page.title = "Help";
	shell->page.open = true;
	shell->page.is_detail = false;
}

static void open_messages(struct shell *shell)
{
	help_clear(&shell->page.help);
	messages_page_fill(&shell->page.help, &shell->session.toast, shell->session.clock_ns);
	shell->page.title = "Messages";
	shell->page.open = true;
	shell->page.is_detail = false;
}

/* Say that no row is chosen. If .has_pid is set, the selection is the end of a followed list. */
static void say_none(struct session *session)
{
	session_say(session, ROLE_WARN,
		    session->selection.has_pid && !session->selection.chosen
			    ? "Up selects a row, Space pauses the display"
			    : "Nothing selected: go to a row with the arrows");
}

static void open_detail(struct shell *shell)
{
	if (!detail_page_open(&shell->page.detail, &shell->session, shell->page.cols,
			      &shell->page.help)) {
		say_none(&shell->session);
		return;
	}
	shell->page.title = "Details";
	shell->page.open = shell->page.is_detail = true;
}

static void open_sort_menu(struct shell *shell)
{
	struct pane *pane = view_sortable(shell->shown);

	if (pane)
		menus_open_sort(&shell->menus, pane->ops->table(pane->self));
	else
		session_say(&shell->session, ROLE_WARN, "This view has a fixed order");
}

static void open_group_menu(struct shell *shell)
{
	struct view *view = shell->shown;
	struct pane *found = NULL;
	enum engine_group group;

	for (int i = view->pane_count - 1; i >= 0; i--)
		if (view->panes[i].ops->groups &&
		    view->panes[i].ops->groups(view->panes[i].self, &group) &&
		    found != view_focused(view))
			found = &view->panes[i];
	if (found)
		menus_open_group(&shell->menus, found);
	else
		session_say(&shell->session, ROLE_WARN,
			    "This view has no totals to group; Processes has");
}

static void copy_row(struct shell *shell)
{
	struct pane *pane = view_focused(shell->shown);

	str_clear(&shell->copy);
	if (shell->page.open)
		help_text(&shell->page.help, &shell->copy);
	else
		pane->ops->row_text(pane->self, &shell->session, &shell->copy);
	if (shell->copy.len)
		shell->request = REQUEST_COPY;
	else
		say_none(&shell->session);
}

static void show_calls(struct shell *shell)
{
	shell->session.to_calls = false;
	shell->shown = &shell->views[SHELL_CALLS];
	shell->ops->refresh(shell, false);
}

/* Narrow the filter to the selected row. On success, show the calls. */
static void narrow_to_row(struct shell *shell)
{
	struct session *session = &shell->session;
	if (quick_term_enter(session, &session->selection) &&
	    shell->shown != &shell->views[SHELL_OVERVIEW])
		show_calls(shell);
}

/*
 * Enter narrows the filter to a row of totals, and shows the details of a call. Without permission
 * to trace, it restarts stxtop.
 */
static void drill_in(struct shell *shell)
{
	struct session *session = &shell->session;

	if (session->phase == SESSION_REFUSED)
		shell->request = REQUEST_AGAIN;
	else if (session->has_subject_call && session->selection.chosen)
		open_detail(shell);
	else if (!session->selection.chosen)
		say_none(session);
	else
		narrow_to_row(shell);
}

static void quit(struct shell *shell)
{
	struct session *session = &shell->session;

	if (session->command && !session->command_ended && session->phase != SESSION_REFUSED)
		menus_open_leave(&shell->menus, session->options, shell->bindings);
	else
		shell->request = REQUEST_QUIT;
}

static bool act_on_find(struct shell *shell, enum action action)
{
	switch (action) {
	case ACTION_BACK:
		return jump_back(shell);
	case ACTION_SEARCH:
	case ACTION_SEARCH_BACK:
		shell->search_step = action == ACTION_SEARCH ? 1 : -1;
		entry_line_open(&shell->entry,
				action == ACTION_SEARCH ? ENTRY_SEARCH : ENTRY_SEARCH_BACK, "");
		return true;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
		search(shell,
		       action == ACTION_SEARCH_NEXT ? shell->search_step : -shell->search_step,
		       false);
		return true;
	default:
		return false;
	}
}

static bool act_on_program(struct shell *shell, enum action action)
{
	struct session *session = &shell->session;

	switch (action) {
	case ACTION_PAUSE:
		session_pause(session, !session->paused);
		return true;
	case ACTION_TOGGLE_COLLECTION:
		session_toggle_collection(session);
		return true;
	case ACTION_EVENTS:
		open_events(shell);
		return true;
	case ACTION_ZERO_TOTALS:
		session_zero(session);
		return true;
	case ACTION_SORT_MENU:
		open_sort_menu(shell);
		return true;
	case ACTION_COLUMNS:
		column_choice_open(&shell->menus, session, view_focused(shell->shown),
				   shell->bindings);
		return true;
	case ACTION_GROUP_MENU:
		open_group_menu(shell);
		return true;
	case ACTION_VIEWS_MENU:
		open_views_menu(shell);
		return true;
	case ACTION_HELP:
		open_help(shell);
		return true;
	case ACTION_MESSAGES:
		open_messages(shell);
		return true;
	case ACTION_WAKER:
		jump_to_waker(shell);
		return true;
	case ACTION_IDLE:
		session->hides_idle = !session->hides_idle;
		session_say(session, ROLE_TEXT,
			    session->hides_idle ? "Idle waits are hidden in Futexes and Blocked; "
						  "the titles show how many"
						: "Idle waits are shown");
		return true;
	case ACTION_DETAIL:
		open_detail(shell);
		return true;
	case ACTION_DESCRIBE_KEY:
		shell->describes = true;
		return true;
	case ACTION_SETUP:
		return shell_settings_menu_act(shell, action);
	case ACTION_PALETTE:
		palette_open(&shell->menus, shell->bindings);
		return true;
	case ACTION_SIGNAL:
		menus_open_signal(&shell->menus, session);
		return true;
	case ACTION_COPY_ROW:
		copy_row(shell);
		return true;
	case ACTION_REDRAW:
		shell->request = REQUEST_REDRAW;
		return true;
	case ACTION_SUSPEND:
		shell->request = REQUEST_SUSPEND;
		return true;
	case ACTION_QUIT:
		quit(shell);
		return true;
	default:
		return false;
	}
}

/* Turn the hints off, also for later starts, when a hinted key is pressed. */
static bool take_hint(struct shell *shell, enum action action)
{
	bool taken = first_hints_take(&shell->hints, action);
	struct err err;

	if (!shell->hints.on && shell->settings.all)
		shell_settings_choose(shell, SETTING_HINTS, "no", &err);
	return taken;
}

void shell_act(struct shell *shell, enum action action)
{
	struct session *session = &shell->session;
	char key[KEY_NAME_TEXT_BYTES];

	session->dirty = true;
	if (take_waker(shell, action))
		return;
	if (action == ACTION_BACK && (shell_export_stop(shell) || shell_time_stop(shell)))
		return;
	if (shell->hints.on && take_hint(shell, action))
		return;
	if (view_act(shell->shown, session, action)) {
		shell_time_take_span(shell);
		if (session->to_calls)
			show_calls(shell);
		return;
	}
	if (action == ACTION_DRILL_IN) {
		drill_in(shell);
		return;
	}
	if (!show_view(shell, action) && !step_view(shell, action) &&
	    !shell_lock_owner_act(shell, action) && !act_on_find(shell, action) &&
	    !shell_filter_act(shell, action) && !shell_targets_act(shell, action) &&
	    !shell_catch_act(shell, action) && !shell_export_act(shell, action) &&
	    !shell_record_act(shell, action) && !shell_flight_act(shell, action) &&
	    !shell_time_act(shell, action) && !shell_compare_act(shell, action) &&
	    !shell_recording_info_act(shell, action) && !shell_memory_usage_act(shell, action) &&
	    !act_on_program(shell, action))
		session_say(session, ROLE_DIM, "%s does nothing here; %s lists the keys",
			    action_name(action), key_name(key, session, ACTION_HELP));
}
