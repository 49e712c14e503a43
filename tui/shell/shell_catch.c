#include "tui/shell/shell_catch.h"

#include "engine/base/clock.h"
#include "tui/dialogs/filter_menus.h"
#include "tui/panes/calls_pane.h"
#include "tui/panes/overview.h"

/* Who matches a thousand times a second need not ring as often. */
#define RING_EVERY_NS NS_PER_S

/* ---- typing ---- */

static void open_entry(struct desk *desk, unsigned index)
{
	const struct catch_rule *rule = index < CATCHES_MAX ? &desk->catching.entries[index].rule
							    : NULL;
	struct str text = STR_INIT;

	menus_close(&desk->menus);
	if (rule && rule->filter)
		catch_rule_text(rule, &text);
	desk->catch_index = index;
	entry_line_open(&desk->entry, ENTRY_CATCH, text.data);
	filter_draft_begin(&desk->draft, DRAFT_CATCH, 0);
	str_release(&text);
}

bool desk_catch_accept(struct desk *desk)
{
	struct session *session = &desk->session;
	struct prompt *prompt = &desk->entry.prompt;
	struct filter_error error;
	struct catch_rule rule;
	struct err err;

	if (desk->entry.kind != ENTRY_CATCH)
		return false;
	if (catch_rule_parse(&rule, prompt_text(prompt), session->narrowing.names, &error)) {
		prompt_set_error(prompt, error.column, error.err.text);
		return true;
	}
	if (catching_set(&desk->catching, desk->catch_index, &rule, &err)) {
		prompt_set_error(prompt, 0, err.text);
		return true;
	}
	entry_line_close(&desk->entry, true);
	session_say(session, ROLE_TEXT, "It waits for the next call that matches");
	return true;
}

/* ---- the list ---- */

static void open_list(struct desk *desk, unsigned selected)
{
	struct menu *menu = &desk->menus.menu;
	struct str text = STR_INIT, note = STR_INIT;

	catching_look(&desk->catching);
	menus_close(&desk->menus);
	desk->menus.kind = MENU_CATCHES;
	menu_open(menu, "Catches", false);
	for (unsigned i = 0; i < CATCHES_MAX; i++) {
		const struct catching_entry *entry = &desk->catching.entries[i];

		if (!entry->rule.filter)
			continue;
		str_clear(&text);
		str_clear(&note);
		catch_rule_text(&entry->rule, &text);
		if (entry->state.count)
			str_addf(&note, "caught %llu", (unsigned long long)entry->state.count);
		menu_add(menu, (int)i, text.data, note.data, entry->state.armed);
	}
	menu_add(menu, CATCHES_MAX, "(another one)", "", false);
	menu_select(menu, (int)selected);
	str_clear(&note);
	menus_add_key(desk->bindings, CONTEXT_TERMS, ACTION_SWITCH_TERM, "arms or not", &note);
	menus_add_key(desk->bindings, CONTEXT_TERMS, ACTION_EDIT_TERM, "edits", &note);
	menus_add_key(desk->bindings, CONTEXT_TERMS, ACTION_REMOVE_TERM, "removes", &note);
	menu_set_footer(menu, note.data);
	str_release(&text);
	str_release(&note);
}

bool desk_catch_cancel(struct desk *desk)
{
	size_t armed;

	if (desk->entry.kind != ENTRY_CATCH)
		return false;
	entry_line_close(&desk->entry, false);
	if (catching_count(&desk->catching, &armed))
		open_list(desk, desk->catch_index);
	return true;
}

bool desk_catch_choose(struct desk *desk, int id)
{
	unsigned index = (unsigned)id;

	if (desk->menus.kind != MENU_CATCHES)
		return false;
	if (index < CATCHES_MAX) {
		catching_arm(&desk->catching, index, !desk->catching.entries[index].state.armed);
		open_list(desk, index);
	} else {
		open_entry(desk, CATCHES_MAX);
	}
	return true;
}

static void remove_catch(struct desk *desk, unsigned index)
{
	struct err err;

	if (index < CATCHES_MAX && catching_remove(&desk->catching, index, &err))
		session_say(&desk->session, ROLE_ERROR, "%s", err.text);
	open_list(desk, CATCHES_MAX);
}

bool desk_catch_menu_act(struct desk *desk, enum action action)
{
	int id = menu_selected(&desk->menus.menu);

	if (desk->menus.kind != MENU_CATCHES || id < 0)
		return false;
	switch (action) {
	case ACTION_SWITCH_TERM:
		return desk_catch_choose(desk, id);
	case ACTION_EDIT_TERM:
		open_entry(desk, (unsigned)id);
		return true;
	case ACTION_ADD_TERM:
		open_entry(desk, CATCHES_MAX);
		return true;
	case ACTION_REMOVE_TERM:
		remove_catch(desk, (unsigned)id);
		return true;
	default:
		return false;
	}
}

/* ---- what was caught ---- */

static void freeze(struct desk *desk, const struct catching_news *news)
{
	struct session *session = &desk->session;
	struct view *overview = &desk->views[DESK_OVERVIEW];
	struct pane *calls = overview_focus_calls(overview);

	/* What stands still should be what there was then, all of it. */
	session->rows_every_ns = 0;
	session_refresh(session);
	session_pause(session, true);
	desk->page.open = false;
	desk->shown = overview;
	desk_refresh(desk, false);
	calls_pane_go(calls, session, calls_pane_place_of(news->seq));
	desk_refresh(desk, false);
}

void desk_catch_look(struct desk *desk)
{
	struct session *session = &desk->session;
	struct catching_news news;

	if (session->phase != SESSION_RUNNING)
		return;
	while (catching_next(&desk->catching, &news)) {
		session_say(session, news.failed ? ROLE_ERROR : ROLE_WARN, "%s", news.text);
		if (news.action == CATCH_FREEZE && !session->paused)
			freeze(desk, &news);
		/* Whatever was caught, somebody may be looking elsewhere. */
		if (news.action == CATCH_BELL &&
		    session->clock_ns - desk->rang_ns >= RING_EVERY_NS) {
			desk->rings = true;
			desk->rang_ns = session->clock_ns;
		}
		catching_look(&desk->catching);
	}
	catching_write(&desk->catching, session->background);
}

void desk_catch_start(struct desk *desk)
{
	struct err err;

	if (catching_start(&desk->catching, &err))
		session_say(&desk->session, ROLE_ERROR, "--catch: %s", err.text);
}

/* ---- actions ---- */

static void resume(struct desk *desk)
{
	struct session *session = &desk->session;
	uint32_t pids[STOPPER_MAX];
	size_t count = engine_stopped(session->engine, pids);

	engine_resume(session->engine);
	if (count == 1)
		session_say(session, ROLE_TEXT, "Process %u goes on", pids[0]);
	else if (count)
		session_say(session, ROLE_TEXT, "%zu processes go on", count);
	else
		session_say(session, ROLE_DIM, "No catch has stopped a process");
}

bool desk_catch_act(struct desk *desk, enum action action)
{
	size_t armed;

	switch (action) {
	case ACTION_CATCH:
		if (catching_count(&desk->catching, &armed))
			open_list(desk, 0);
		else
			open_entry(desk, CATCHES_MAX);
		return true;
	case ACTION_RESUME:
		resume(desk);
		return true;
	default:
		return false;
	}
}

bool desk_catch_text(const struct desk *desk, struct str *out)
{
	uint32_t pids[STOPPER_MAX];
	size_t stopped = engine_stopped(desk->session.engine, pids), armed;
	size_t count = catching_count(&desk->catching, &armed);

	for (size_t i = 0; i < stopped; i++)
		str_addf(out, "%s%u", i ? "," : "STOPPED ", pids[i]);
	if (count)
		str_addf(out, "%s%zu of %zu catches armed", stopped ? "  " : "", armed, count);
	return stopped > 0;
}
