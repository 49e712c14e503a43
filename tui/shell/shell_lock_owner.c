#include "tui/shell/shell_lock_owner.h"

#include "tui/panes/futexes_pane.h"
#include "tui/panes/futexes_view.h"

#include <stdio.h>

/* Return the tid of the owner; 0: unknown, or the selection is not a lock. */
static uint32_t selected_owner(struct shell *shell)
{
	const struct detail_page *detail = &shell->page.detail;
	const struct call_held *held;

	if (shell->page.open && shell->page.is_detail) {
		held = detail->kind == DETAIL_CALL
			       ? call_lock_owner_of(&detail->holder, &detail->call)
			       : NULL;
		return held ? held->tid : 0;
	}
	return shell->shown == &shell->views[SHELL_FUTEXES] ? futexes_view_owner(shell->shown) : 0;
}

static void say_no_owner(struct shell *shell)
{
	bool is_lock = (shell->page.open && shell->page.is_detail) ||
		       shell->shown == &shell->views[SHELL_FUTEXES];

	session_say(
		&shell->session, ROLE_WARN, "%s",
		is_lock ? "Owner unknown: no waiter now, or the futex word does not name it"
			: "No lock selected: select one in Futexes, or open the detail of a wait");
}

static void go_to_owner(struct shell *shell)
{
	struct session *session = &shell->session;
	uint32_t tid = selected_owner(shell);
	struct filter_error error;
	char term[32];

	if (!tid) {
		say_no_owner(shell);
		return;
	}
	/* Replace the whole filter: the terms that showed the lock seldom match its owner. */
	snprintf(term, sizeof(term), "tid == %u", tid);
	if (filter_stack_type(&session->filter_stack, term, &error)) {
		session_say(session, ROLE_ERROR, "%s", error.err.text);
		return;
	}
	session_apply_filter(session);
	shell->page.open = false;
	shell->owner.from = shell->shown;
	shell->owner.filter_version = session->filter_version;
	shell->shown = &shell->views[SHELL_OVERVIEW];
	shell->ops->refresh(shell, false);
}

static bool go_back(struct shell *shell)
{
	struct session *session = &shell->session;
	struct view *from = shell->owner.from;

	if (!from || shell->owner.filter_version != session->filter_version)
		return false;
	shell->owner.from = NULL;
	if (filter_stack_back(&session->filter_stack))
		session_apply_filter(session);
	shell->shown = from;
	shell->ops->refresh(shell, false);
	return true;
}

bool shell_lock_owner_act(struct shell *shell, enum action action)
{
	switch (action) {
	case ACTION_OWNER:
		go_to_owner(shell);
		return true;
	case ACTION_BACK:
		return go_back(shell);
	default:
		return false;
	}
}
