#include "tui/shell/shell_filter.h"

#include "engine/base/escape.h"
#include "tui/dialogs/filter_menus.h"
#include "tui/session/key_name.h"
#include "tui/view/quick_terms.h"

#include <errno.h>
#include <string.h>

/* ---- typing ---- */

static void open_filter(struct desk *desk, const char *text)
{
	entry_line_open(&desk->entry, ENTRY_FILTER, text);
	filter_draft_begin(&desk->draft, DRAFT_FILTER, 0);
}

static void open_term(struct desk *desk, size_t index)
{
	const struct filter_terms *terms = narrowing_terms(&desk->session.narrowing);

	menus_close(&desk->menus);
	entry_line_open(&desk->entry, ENTRY_TERM,
			index < terms->count ? terms->items[index].text : "");
	filter_draft_begin(&desk->draft, DRAFT_TERM, index);
}

static void open_terms(struct desk *desk, size_t index)
{
	menus_open_terms(&desk->menus, &desk->session, desk->bindings, index);
}

static void open_name(struct desk *desk)
{
	struct session *session = &desk->session;
	char key[KEY_NAME_TEXT_BYTES];

	menus_close(&desk->menus);
	if (!narrowing_filter(&session->narrowing))
		session_say(session, ROLE_WARN, "There is no filter to save; %s takes one",
			    key_name(key, session, ACTION_FILTER));
	else if (menus_read_saved(&desk->menus, session))
		entry_line_open(&desk->entry, ENTRY_NAME, "");
}

static bool accept_filter(struct desk *desk)
{
	struct session *session = &desk->session;
	const char *text = prompt_text(&desk->entry.prompt);
	struct filter_error error;
	bool is_term = desk->entry.kind == ENTRY_TERM;
	int rc = is_term ? narrowing_set_term(&session->narrowing, desk->draft.term, text, &error)
			 : narrowing_type(&session->narrowing, text, &error);

	if (rc) {
		prompt_set_error(&desk->entry.prompt, error.column, error.err.text);
		return true;
	}
	entry_line_close(&desk->entry, true);
	session_apply_filter(session);
	if (is_term)
		open_terms(desk, desk->draft.term);
	return true;
}

static bool accept_name(struct desk *desk)
{
	struct session *session = &desk->session;
	const char *name = prompt_text(&desk->entry.prompt);
	struct err err;

	if (saved_filters_check_name(name, &err)) {
		prompt_set_error(&desk->entry.prompt, 0, err.text);
		return true;
	}
	if (filter_saving_begin(&desk->saving, desk->session.background, name,
				narrowing_text(&session->narrowing), &err)) {
		prompt_set_error(&desk->entry.prompt, 0, err.text);
		return true;
	}
	entry_line_close(&desk->entry, true);
	return true;
}

bool desk_filter_accept(struct desk *desk)
{
	if (desk->entry.kind == ENTRY_FILTER || desk->entry.kind == ENTRY_TERM)
		return accept_filter(desk);
	return desk->entry.kind == ENTRY_NAME && accept_name(desk);
}

bool desk_filter_cancel(struct desk *desk)
{
	if (desk->entry.kind != ENTRY_TERM)
		return false;
	entry_line_close(&desk->entry, false);
	open_terms(desk, desk->draft.term);
	return true;
}

/* What Enter would replace. */
static void say_same_name(struct desk *desk)
{
	struct prompt *prompt = &desk->entry.prompt;
	struct str hint = STR_INIT;

	for (size_t i = 0; i < desk->menus.saved.count; i++)
		if (!strcmp(desk->menus.saved.items[i].name, prompt_text(prompt)))
			str_addf(&hint, "replaces %s", desk->menus.saved.items[i].text);
	prompt_set_hint(prompt, PROMPT_NO_PLACE, hint.data);
	str_release(&hint);
}

static void say_saved(struct desk *desk)
{
	struct filter_saving *saving = &desk->saving;
	char path[128];

	if (!filter_saving_ended(saving))
		return;
	if (saving->rc)
		session_say(&desk->session, ROLE_ERROR, "%s", saving->err.text);
	else
		session_say(&desk->session, ROLE_TEXT,
			    saving->text.len ? "Saved as %s in %s" : "Removed %s from %s",
			    saving->name.data, escape_name(path, sizeof(path), saving->path.data));
}

void desk_filter_refresh(struct desk *desk)
{
	say_saved(desk);
	if (!desk->entry.open)
		return;
	if (entry_line_is_filter(&desk->entry))
		filter_draft_look(&desk->draft, &desk->session, &desk->entry.prompt);
	else if (desk->entry.kind == ENTRY_NAME)
		say_same_name(desk);
}

bool desk_filter_work(struct desk *desk)
{
	return desk->entry.open && entry_line_is_filter(&desk->entry) &&
	       filter_draft_work(&desk->draft, &desk->session, &desk->entry.prompt);
}

/* ---- the lists ---- */

static void switch_term(struct desk *desk, size_t index)
{
	struct session *session = &desk->session;
	struct filter_error error;

	if (index >= narrowing_terms(&session->narrowing)->count) {
		open_term(desk, index);
		return;
	}
	if (narrowing_switch_term(&session->narrowing, index, &error))
		session_say(session, ROLE_ERROR, "%s", error.err.text);
	else
		session_apply_filter(session);
	open_terms(desk, index);
}

static void remove_term(struct desk *desk, size_t index)
{
	struct session *session = &desk->session;
	struct filter_error error;

	if (index >= narrowing_terms(&session->narrowing)->count)
		return;
	if (narrowing_set_term(&session->narrowing, index, "", &error))
		session_say(session, ROLE_ERROR, "%s", error.err.text);
	else
		session_apply_filter(session);
	open_terms(desk, index);
}

/* One that is no filter, by another version or by hand, is there to be mended. */
static void take_saved(struct desk *desk, const char *text)
{
	struct session *session = &desk->session;
	struct filter_error error;

	menus_close(&desk->menus);
	if (!narrowing_type(&session->narrowing, text, &error)) {
		session_apply_filter(session);
		return;
	}
	open_filter(desk, text);
	prompt_set_error(&desk->entry.prompt, error.column, error.err.text);
}

static void forget_saved(struct desk *desk)
{
	struct menus *menus = &desk->menus;
	struct err err;

	if (filter_saving_begin(&desk->saving, desk->session.background,
				menus->saved.items[menus->chosen].name, NULL, &err))
		session_say(&desk->session, ROLE_ERROR, "%s", err.text);
}

static void take_row_term(struct desk *desk, size_t index)
{
	const struct menus *menus = &desk->menus;

	quick_term_take(&desk->session, menus->excludes ? menus->row.items[index].exclude
							: menus->row.items[index].only);
}

bool desk_filter_choose(struct desk *desk, int id)
{
	switch (desk->menus.kind) {
	case MENU_TERMS:
		switch_term(desk, (size_t)id);
		return true;
	case MENU_SAVED:
		take_saved(desk, desk->menus.saved.items[id].text);
		return true;
	case MENU_ROW:
		menus_close(&desk->menus);
		take_row_term(desk, (size_t)id);
		return true;
	case MENU_FORGET:
		if (id)
			forget_saved(desk);
		menus_close(&desk->menus);
		return true;
	default:
		return false;
	}
}

static bool act_on_terms(struct desk *desk, enum action action, size_t index)
{
	switch (action) {
	case ACTION_SWITCH_TERM:
		switch_term(desk, index);
		return true;
	case ACTION_EDIT_TERM:
		open_term(desk, index);
		return true;
	case ACTION_ADD_TERM:
		open_term(desk, narrowing_terms(&desk->session.narrowing)->count);
		return true;
	case ACTION_REMOVE_TERM:
		remove_term(desk, index);
		return true;
	case ACTION_SAVE_FILTER:
		open_name(desk);
		return true;
	case ACTION_SAVED_FILTERS:
		menus_open_saved(&desk->menus, &desk->session, desk->bindings);
		return true;
	case ACTION_FILTER_TERMS:
		menus_close(&desk->menus); /* the key that opened it */
		return true;
	default:
		return false;
	}
}

bool desk_filter_menu_act(struct desk *desk, enum action action)
{
	int id = menu_selected(&desk->menus.menu);

	if (desk->menus.kind == MENU_TERMS)
		return id >= 0 && act_on_terms(desk, action, (size_t)id);
	if (desk->menus.kind != MENU_SAVED)
		return false;
	if (id >= 0 && action == ACTION_REMOVE_TERM)
		menus_open_forget(&desk->menus, (size_t)id);
	else if (id >= 0 && action == ACTION_EDIT_TERM)
		desk_filter_choose(desk, id);
	else
		return false;
	return true;
}

/* ---- rows ---- */

/* What is read is what keys act on; the row may have gone on. */
static struct quick_row read_row(const struct desk *desk)
{
	const struct detail_page *detail = &desk->page.detail;
	const struct session *session = &desk->session;

	if (desk->page.open && desk->page.is_detail)
		return (struct quick_row){ &detail->pick,
					   detail->kind == DETAIL_CALL ? &detail->call : NULL };
	return (struct quick_row){ &session->pick,
				   session->has_subject_call ? &session->subject_call : NULL };
}

static void open_row(struct desk *desk, bool excludes)
{
	struct pane *pane = view_focused(desk->shown);
	struct row_terms *terms = &desk->menus.row;
	struct quick_row row = read_row(desk);
	bool is_page = desk->page.open && desk->page.is_detail;
	char key[KEY_NAME_TEXT_BYTES];

	row_terms_release(terms);
	row_terms_init(terms, desk->session.narrowing.names);
	if (!is_page && pane->ops->terms)
		pane->ops->terms(pane->self, &desk->session, terms);
	/* A frame of a stack speaks for itself, not for the row whose stack it is. */
	if (is_page || pane->ops->pick)
		row_terms_add_row(terms, &desk->session, row.pick, row.call);
	desk->menus.excludes = excludes;
	if (terms->count > 1)
		menus_open_row(&desk->menus, excludes);
	else if (terms->count)
		take_row_term(desk, 0);
	else
		session_say(&desk->session, ROLE_WARN,
			    "The selected row gives nothing to filter by; %s takes what is typed",
			    key_name(key, &desk->session, ACTION_FILTER));
}

bool desk_filter_act_on_row(struct desk *desk, enum action action)
{
	struct quick_row row = read_row(desk);

	if (action != ACTION_ONLY_CELL && action != ACTION_EXCLUDE_CELL)
		return quick_term_act(&desk->session, &row, action);
	open_row(desk, action == ACTION_EXCLUDE_CELL);
	return true;
}

/* ---- actions ---- */

static void change(struct desk *desk, bool changed, const char *otherwise)
{
	if (changed)
		session_apply_filter(&desk->session);
	else
		session_say(&desk->session, ROLE_DIM, "%s", otherwise);
}

void desk_filter_go_back_to(struct desk *desk, size_t step)
{
	change(desk, narrowing_back_to(&desk->session.narrowing, step), "That is where you are");
}

bool desk_filter_act(struct desk *desk, enum action action)
{
	struct narrowing *narrowing = &desk->session.narrowing;

	switch (action) {
	case ACTION_FILTER:
		open_filter(desk, narrowing_text(narrowing));
		return true;
	case ACTION_BACK:
		change(desk, narrowing_back(narrowing), "There is nothing to go back to");
		return true;
	case ACTION_CLEAR_LAST_TERM:
		change(desk, narrowing_drop_term(narrowing), "There is no filter");
		return true;
	case ACTION_CLEAR_FILTER:
		change(desk, narrowing_clear(narrowing), "There is no filter");
		return true;
	case ACTION_FILTER_TERMS:
		open_terms(desk, 0);
		return true;
	case ACTION_SAVE_FILTER:
		open_name(desk);
		return true;
	case ACTION_SAVED_FILTERS:
		menus_open_saved(&desk->menus, &desk->session, desk->bindings);
		return true;
	default:
		return desk_filter_act_on_row(desk, action);
	}
}
