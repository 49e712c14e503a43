#include "tui/shell/shell_catch.h"

#include "engine/base/clock.h"
#include "tui/dialogs/filter_menus.h"
#include "tui/panes/calls_pane.h"
#include "tui/panes/overview.h"

/* Minimum interval between bells: a catch can match a thousand times per second. */
#define RING_EVERY_NS NS_PER_S

/* ---- prompt ---- */

static void open_entry(struct shell *shell, unsigned index)
{
	const struct catch_rule *rule = index < CATCHES_MAX ? &shell->catch_set.entries[index].rule
							    : NULL;
	struct str text = STR_INIT;

	menus_close(&shell->menus);
	if (rule && rule->filter)
		catch_rule_text(rule, &text);
	shell->catch_index = index;
	entry_line_open(&shell->entry, ENTRY_CATCH, text.data);
	filter_draft_begin(&shell->draft, DRAFT_CATCH, 0);
	str_release(&text);
}

bool shell_catch_accept(struct shell *shell)
{
	struct session *session = &shell->session;
	struct prompt *prompt = &shell->entry.prompt;
	struct filter_error error;
	struct catch_rule rule;
	struct err err;

	if (shell->entry.kind != ENTRY_CATCH)
		return false;
	if (catch_rule_parse(&rule, prompt_text(prompt), session->filter_stack.names, &error)) {
		prompt_set_error(prompt, error.column, error.err.text);
		return true;
	}
	if (catch_set_set(&shell->catch_set, shell->catch_index, &rule, &err)) {
		prompt_set_error(prompt, 0, err.text);
		return true;
	}
	entry_line_close(&shell->entry, true);
	session_say(session, ROLE_TEXT, "Armed: waiting for a matching call");
	return true;
}

/* ---- the list ---- */

static void open_list(struct shell *shell, unsigned selected)
{
	struct menu *menu = &shell->menus.menu;
	struct str text = STR_INIT, note = STR_INIT;

	catch_set_look(&shell->catch_set);
	menus_close(&shell->menus);
	shell->menus.kind = MENU_CATCHES;
	menu_open(menu, "Catches", false);
	for (unsigned i = 0; i < CATCHES_MAX; i++) {
		const struct catch_set_entry *entry = &shell->catch_set.entries[i];

		if (!entry->rule.filter)
			continue;
		str_clear(&text);
		str_clear(&note);
		catch_rule_text(&entry->rule, &text);
		if (entry->state.count)
			str_addf(&note, "caught %llu", (unsigned long long)entry->state.count);
		menu_add(menu, (int)i, text.data, note.data, entry->state.armed);
	}
	menu_add(menu, CATCHES_MAX, "add a catch…", "", false);
	menu_select(menu, (int)selected);
	str_clear(&note);
	menus_add_key(shell->bindings, CONTEXT_TERMS, ACTION_SWITCH_TERM, "arms/disarms", &note);
	menus_add_key(shell->bindings, CONTEXT_TERMS, ACTION_EDIT_TERM, "edits", &note);
	menus_add_key(shell->bindings, CONTEXT_TERMS, ACTION_REMOVE_TERM, "removes", &note);
	menu_set_footer(menu, note.data);
	str_release(&text);
	str_release(&note);
}

bool shell_catch_cancel(struct shell *shell)
{
	size_t armed;

	if (shell->entry.kind != ENTRY_CATCH)
		return false;
	entry_line_close(&shell->entry, false);
	if (catch_set_count(&shell->catch_set, &armed))
		open_list(shell, shell->catch_index);
	return true;
}

bool shell_catch_choose(struct shell *shell, int id)
{
	unsigned index = (unsigned)id;

	if (shell->menus.kind != MENU_CATCHES)
		return false;
	if (index < CATCHES_MAX) {
		catch_set_arm(&shell->catch_set, index,
			      !shell->catch_set.entries[index].state.armed);
		open_list(shell, index);
	} else {
		open_entry(shell, CATCHES_MAX);
	}
	return true;
}

static void remove_catch(struct shell *shell, unsigned index)
{
	struct err err;

	if (index < CATCHES_MAX && catch_set_remove(&shell->catch_set, index, &err))
		session_say(&shell->session, ROLE_ERROR, "%s", err.text);
	open_list(shell, CATCHES_MAX);
}

bool shell_catch_menu_act(struct shell *shell, enum action action)
{
	int id = menu_selected(&shell->menus.menu);

	if (shell->menus.kind != MENU_CATCHES || id < 0)
		return false;
	switch (action) {
	case ACTION_SWITCH_TERM:
		return shell_catch_choose(shell, id);
	case ACTION_EDIT_TERM:
		open_entry(shell, (unsigned)id);
		return true;
	case ACTION_ADD_TERM:
		open_entry(shell, CATCHES_MAX);
		return true;
	case ACTION_REMOVE_TERM:
		remove_catch(shell, (unsigned)id);
		return true;
	default:
		return false;
	}
}

/* ---- hits ---- */

static void freeze(struct shell *shell, const struct catch_set_news *news)
{
	struct session *session = &shell->session;
	struct view *overview = &shell->views[SHELL_OVERVIEW];
	struct pane *calls = overview_focus_calls(overview);

	/* Refresh all rows first, so that the frozen display is complete at that time. */
	session->rows_every_ns = 0;
	session_refresh(session);
	session_pause(session, true);
	shell->page.open = false;
	shell->shown = overview;
	shell->ops->refresh(shell, false);
	calls_pane_go(calls, session, calls_pane_place_of(news->seq));
	shell->ops->refresh(shell, false);
}

void shell_catch_look(struct shell *shell)
{
	struct session *session = &shell->session;
	struct catch_set_news news;

	if (session->phase != SESSION_RUNNING)
		return;
	while (catch_set_next(&shell->catch_set, &news)) {
		session_say(session, news.failed ? ROLE_ERROR : ROLE_WARN, "%s", news.text);
		if (news.action == CATCH_FREEZE && !session->paused)
			freeze(shell, &news);
		/* Ring only for CATCH_BELL, which is for a user that looks elsewhere. */
		if (news.action == CATCH_BELL &&
		    session->clock_ns - shell->rang_ns >= RING_EVERY_NS) {
			shell->rings = true;
			shell->rang_ns = session->clock_ns;
		}
		catch_set_look(&shell->catch_set);
	}
	catch_set_write(&shell->catch_set, session->background);
}

void shell_catch_start(struct shell *shell)
{
	struct err err;

	if (catch_set_start(&shell->catch_set, &err))
		session_say(&shell->session, ROLE_ERROR, "--catch: %s", err.text);
}

/* ---- actions ---- */

static void resume(struct shell *shell)
{
	struct session *session = &shell->session;
	uint32_t pids[STOPPER_MAX];
	size_t count = engine_stopped(session->engine, pids);

	engine_resume(session->engine);
	if (count == 1)
		session_say(session, ROLE_TEXT, "Process %u continued", pids[0]);
	else if (count)
		session_say(session, ROLE_TEXT, "%zu processes continued", count);
	else
		session_say(session, ROLE_DIM, "No catch has stopped a process");
}

bool shell_catch_act(struct shell *shell, enum action action)
{
	size_t armed;

	switch (action) {
	case ACTION_CATCH:
		if (catch_set_count(&shell->catch_set, &armed))
			open_list(shell, 0);
		else
			open_entry(shell, CATCHES_MAX);
		return true;
	case ACTION_RESUME:
		resume(shell);
		return true;
	default:
		return false;
	}
}

bool shell_catch_text(const struct shell *shell, struct str *out)
{
	uint32_t pids[STOPPER_MAX];
	size_t stopped = engine_stopped(shell->session.engine, pids), armed;
	size_t count = catch_set_count(&shell->catch_set, &armed);

	for (size_t i = 0; i < stopped; i++)
		str_addf(out, "%s%u", i ? "," : "STOPPED ", pids[i]);
	if (count)
		str_addf(out, "%s%zu of %zu catches armed", stopped ? "  " : "", armed, count);
	return stopped > 0;
}
