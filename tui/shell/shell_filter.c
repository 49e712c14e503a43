#include "tui/shell/shell_filter.h"

#include "engine/base/escape.h"
#include "tui/dialogs/filter_menus.h"
#include "tui/session/key_name.h"
#include "tui/view/quick_terms.h"

#include <errno.h>
#include <string.h>

/* ---- prompt ---- */

static void open_filter(struct shell *shell, const char *text)
{
	entry_line_open(&shell->entry, ENTRY_FILTER, text);
	filter_draft_begin(&shell->draft, DRAFT_FILTER, 0);
}

static void open_term(struct shell *shell, size_t index)
{
	const struct filter_terms *terms = filter_stack_terms(&shell->session.filter_stack);

	menus_close(&shell->menus);
	entry_line_open(&shell->entry, ENTRY_TERM,
			index < terms->count ? terms->items[index].text : "");
	filter_draft_begin(&shell->draft, DRAFT_TERM, index);
}

static void open_terms(struct shell *shell, size_t index)
{
	menus_open_terms(&shell->menus, &shell->session, shell->bindings, index);
}

static void open_name(struct shell *shell)
{
	struct session *session = &shell->session;
	char key[KEY_NAME_TEXT_BYTES];

	menus_close(&shell->menus);
	if (!filter_stack_filter(&session->filter_stack))
		session_say(session, ROLE_WARN, "There is no filter to save; %s sets one",
			    key_name(key, session, ACTION_FILTER));
	else if (menus_read_saved(&shell->menus, session))
		entry_line_open(&shell->entry, ENTRY_NAME, "");
}

static bool accept_filter(struct shell *shell)
{
	struct session *session = &shell->session;
	const char *text = prompt_text(&shell->entry.prompt);
	struct filter_error error;
	bool is_term = shell->entry.kind == ENTRY_TERM;
	int rc = is_term ? filter_stack_set_term(&session->filter_stack, shell->draft.term, text,
						 &error)
			 : filter_stack_type(&session->filter_stack, text, &error);

	if (rc) {
		prompt_set_error(&shell->entry.prompt, error.column, error.err.text);
		return true;
	}
	entry_line_close(&shell->entry, true);
	session_apply_filter(session);
	if (is_term)
		open_terms(shell, shell->draft.term);
	return true;
}

static bool accept_name(struct shell *shell)
{
	struct session *session = &shell->session;
	const char *name = prompt_text(&shell->entry.prompt);
	struct err err;

	if (saved_filters_check_name(name, &err)) {
		prompt_set_error(&shell->entry.prompt, 0, err.text);
		return true;
	}
	if (filter_saving_begin(&shell->saving, shell->session.background, name,
				filter_stack_text(&session->filter_stack), &err)) {
		prompt_set_error(&shell->entry.prompt, 0, err.text);
		return true;
	}
	entry_line_close(&shell->entry, true);
	return true;
}

bool shell_filter_accept(struct shell *shell)
{
	if (shell->entry.kind == ENTRY_FILTER || shell->entry.kind == ENTRY_TERM)
		return accept_filter(shell);
	return shell->entry.kind == ENTRY_NAME && accept_name(shell);
}

bool shell_filter_cancel(struct shell *shell)
{
	if (shell->entry.kind != ENTRY_TERM)
		return false;
	entry_line_close(&shell->entry, false);
	open_terms(shell, shell->draft.term);
	return true;
}

/* Show the saved filter that Enter would replace. */
static void say_same_name(struct shell *shell)
{
	struct prompt *prompt = &shell->entry.prompt;
	struct str hint = STR_INIT;

	for (size_t i = 0; i < shell->menus.saved.count; i++)
		if (!strcmp(shell->menus.saved.items[i].name, prompt_text(prompt)))
			str_addf(&hint, "replaces %s", shell->menus.saved.items[i].text);
	prompt_set_hint(prompt, PROMPT_NO_PLACE, hint.data);
	str_release(&hint);
}

static void say_saved(struct shell *shell)
{
	struct filter_saving *saving = &shell->saving;
	char path[128];

	if (!filter_saving_ended(saving))
		return;
	if (saving->rc)
		session_say(&shell->session, ROLE_ERROR, "%s", saving->err.text);
	else
		session_say(&shell->session, ROLE_TEXT,
			    saving->text.len ? "Saved as %s in %s" : "Removed %s from %s",
			    saving->name.data, escape_name(path, sizeof(path), saving->path.data));
}

void shell_filter_refresh(struct shell *shell)
{
	say_saved(shell);
	if (!shell->entry.open)
		return;
	if (entry_line_is_filter(&shell->entry))
		filter_draft_look(&shell->draft, &shell->session, &shell->entry.prompt);
	else if (shell->entry.kind == ENTRY_NAME)
		say_same_name(shell);
}

bool shell_filter_work(struct shell *shell)
{
	return shell->entry.open && entry_line_is_filter(&shell->entry) &&
	       filter_draft_work(&shell->draft, &shell->session, &shell->entry.prompt);
}

/* ---- the lists ---- */

static void switch_term(struct shell *shell, size_t index)
{
	struct session *session = &shell->session;
	struct filter_error error;

	if (index >= filter_stack_terms(&session->filter_stack)->count) {
		open_term(shell, index);
		return;
	}
	if (filter_stack_switch_term(&session->filter_stack, index, &error))
		session_say(session, ROLE_ERROR, "%s", error.err.text);
	else
		session_apply_filter(session);
	open_terms(shell, index);
}

static void remove_term(struct shell *shell, size_t index)
{
	struct session *session = &shell->session;
	struct filter_error error;

	if (index >= filter_stack_terms(&session->filter_stack)->count)
		return;
	if (filter_stack_set_term(&session->filter_stack, index, "", &error))
		session_say(session, ROLE_ERROR, "%s", error.err.text);
	else
		session_apply_filter(session);
	open_terms(shell, index);
}

/*
 * Apply a saved filter. If it is invalid (other version, edited by hand), open it for correction.
 */
static void take_saved(struct shell *shell, const char *text)
{
	struct session *session = &shell->session;
	struct filter_error error;

	menus_close(&shell->menus);
	if (!filter_stack_type(&session->filter_stack, text, &error)) {
		session_apply_filter(session);
		return;
	}
	open_filter(shell, text);
	prompt_set_error(&shell->entry.prompt, error.column, error.err.text);
}

static void forget_saved(struct shell *shell)
{
	struct menus *menus = &shell->menus;
	struct err err;

	if (filter_saving_begin(&shell->saving, shell->session.background,
				menus->saved.items[menus->chosen].name, NULL, &err))
		session_say(&shell->session, ROLE_ERROR, "%s", err.text);
}

static void take_row_term(struct shell *shell, size_t index)
{
	const struct menus *menus = &shell->menus;

	quick_term_take(&shell->session, menus->excludes ? menus->row.items[index].exclude
							 : menus->row.items[index].only);
}

bool shell_filter_choose(struct shell *shell, int id)
{
	switch (shell->menus.kind) {
	case MENU_TERMS:
		switch_term(shell, (size_t)id);
		return true;
	case MENU_SAVED:
		take_saved(shell, shell->menus.saved.items[id].text);
		return true;
	case MENU_ROW:
		menus_close(&shell->menus);
		take_row_term(shell, (size_t)id);
		return true;
	case MENU_FORGET:
		if (id)
			forget_saved(shell);
		menus_close(&shell->menus);
		return true;
	default:
		return false;
	}
}

static bool act_on_terms(struct shell *shell, enum action action, size_t index)
{
	switch (action) {
	case ACTION_SWITCH_TERM:
		switch_term(shell, index);
		return true;
	case ACTION_EDIT_TERM:
		open_term(shell, index);
		return true;
	case ACTION_ADD_TERM:
		open_term(shell, filter_stack_terms(&shell->session.filter_stack)->count);
		return true;
	case ACTION_REMOVE_TERM:
		remove_term(shell, index);
		return true;
	case ACTION_SAVE_FILTER:
		open_name(shell);
		return true;
	case ACTION_SAVED_FILTERS:
		menus_open_saved(&shell->menus, &shell->session, shell->bindings);
		return true;
	case ACTION_FILTER_TERMS:
		menus_close(&shell->menus); /* the key that opened the list closes it */
		return true;
	default:
		return false;
	}
}

bool shell_filter_menu_act(struct shell *shell, enum action action)
{
	int id = menu_selected(&shell->menus.menu);

	if (shell->menus.kind == MENU_TERMS)
		return id >= 0 && act_on_terms(shell, action, (size_t)id);
	if (shell->menus.kind != MENU_SAVED)
		return false;
	if (id >= 0 && action == ACTION_REMOVE_TERM)
		menus_open_forget(&shell->menus, (size_t)id);
	else if (id >= 0 && action == ACTION_EDIT_TERM)
		shell_filter_choose(shell, id);
	else
		return false;
	return true;
}

/* ---- rows ---- */

/* Keys act on the open detail page: the selected row can have changed since the page was opened. */
static struct quick_row read_row(const struct shell *shell)
{
	const struct detail_page *detail = &shell->page.detail;
	const struct session *session = &shell->session;

	if (shell->page.open && shell->page.is_detail)
		return (struct quick_row){ &detail->selection,
					   detail->kind == DETAIL_CALL ? &detail->call : NULL };
	return (struct quick_row){ &session->selection,
				   session->has_subject_call ? &session->subject_call : NULL };
}

static void open_row(struct shell *shell, bool excludes)
{
	struct pane *pane = view_focused(shell->shown);
	struct row_terms *terms = &shell->menus.row;
	struct quick_row row = read_row(shell);
	bool is_page = shell->page.open && shell->page.is_detail;
	char key[KEY_NAME_TEXT_BYTES];

	row_terms_release(terms);
	row_terms_init(terms, shell->session.filter_stack.names);
	if (!is_page && pane->ops->terms)
		pane->ops->terms(pane->self, &shell->session, terms);
	/* A frame of a stack gives terms of its own, not those of the row that has the stack. */
	if (is_page || pane->ops->selection)
		row_terms_add_row(terms, &shell->session, row.selection, row.call);
	shell->menus.excludes = excludes;
	if (terms->count > 1)
		menus_open_row(&shell->menus, excludes);
	else if (terms->count)
		take_row_term(shell, 0);
	else
		session_say(&shell->session, ROLE_WARN,
			    "The selected row has nothing to filter by; type a filter with %s",
			    key_name(key, &shell->session, ACTION_FILTER));
}

bool shell_filter_act_on_row(struct shell *shell, enum action action)
{
	struct quick_row row = read_row(shell);

	if (action != ACTION_ONLY_CELL && action != ACTION_EXCLUDE_CELL)
		return quick_term_act(&shell->session, &row, action);
	open_row(shell, action == ACTION_EXCLUDE_CELL);
	return true;
}

/* ---- actions ---- */

static void change(struct shell *shell, bool changed, const char *otherwise)
{
	if (changed)
		session_apply_filter(&shell->session);
	else
		session_say(&shell->session, ROLE_DIM, "%s", otherwise);
}

void shell_filter_go_back_to(struct shell *shell, size_t step)
{
	change(shell, filter_stack_back_to(&shell->session.filter_stack, step),
	       "Already at this filter");
}

bool shell_filter_act(struct shell *shell, enum action action)
{
	struct filter_stack *filter_stack = &shell->session.filter_stack;

	switch (action) {
	case ACTION_FILTER:
		open_filter(shell, filter_stack_text(filter_stack));
		return true;
	case ACTION_BACK:
		change(shell, filter_stack_back(filter_stack), "Nothing to go back to");
		return true;
	case ACTION_CLEAR_LAST_TERM:
		change(shell, filter_stack_drop_term(filter_stack), "There is no filter");
		return true;
	case ACTION_CLEAR_FILTER:
		change(shell, filter_stack_clear(filter_stack), "There is no filter");
		return true;
	case ACTION_FILTER_TERMS:
		open_terms(shell, 0);
		return true;
	case ACTION_SAVE_FILTER:
		open_name(shell);
		return true;
	case ACTION_SAVED_FILTERS:
		menus_open_saved(&shell->menus, &shell->session, shell->bindings);
		return true;
	default:
		return shell_filter_act_on_row(shell, action);
	}
}
