#include "tui/shell/shell_lock_owner.h"

#include "tui/panes/futexes_pane.h"
#include "tui/panes/futexes_view.h"
#include "tui/shell/shell.h"

#include <stdio.h>

/* 0: not known, or nothing that may have an owner is selected. */
static uint32_t selected_owner(struct desk *desk)
{
	const struct detail_page *detail = &desk->page.detail;
	const struct call_held *held;

	if (desk->page.open && desk->page.is_detail) {
		held = detail->kind == DETAIL_CALL ? call_holder_of(&detail->holder, &detail->call)
						   : NULL;
		return held ? held->tid : 0;
	}
	return desk->shown == &desk->views[DESK_FUTEXES] ? futexes_view_owner(desk->shown) : 0;
}

static void say_no_owner(struct desk *desk)
{
	bool is_lock = (desk->page.open && desk->page.is_detail) ||
		       desk->shown == &desk->views[DESK_FUTEXES];

	session_say(&desk->session, ROLE_WARN, "%s",
		    is_lock ? "The owner is not known: nothing waits there now, or the word in "
			      "memory does "
			      "not name it"
			    : "No lock is selected; Futexes lists them, and the detail of a wait "
			      "names its "
			      "owner");
}

static void go_to_owner(struct desk *desk)
{
	struct session *session = &desk->session;
	uint32_t tid = selected_owner(desk);
	struct filter_error error;
	char term[32];

	if (!tid) {
		say_no_owner(desk);
		return;
	}
	/* Alone: what made the lock seen seldom fits its owner. */
	snprintf(term, sizeof(term), "tid == %u", tid);
	if (narrowing_type(&session->narrowing, term, &error)) {
		session_say(session, ROLE_ERROR, "%s", error.err.text);
		return;
	}
	session_apply_filter(session);
	desk->page.open = false;
	desk->owner.from = desk->shown;
	desk->owner.filter_version = session->filter_version;
	desk->shown = &desk->views[DESK_OVERVIEW];
	desk_refresh(desk, false);
}

static bool go_back(struct desk *desk)
{
	struct session *session = &desk->session;
	struct view *from = desk->owner.from;

	if (!from || desk->owner.filter_version != session->filter_version)
		return false;
	desk->owner.from = NULL;
	if (narrowing_back(&session->narrowing))
		session_apply_filter(session);
	desk->shown = from;
	desk_refresh(desk, false);
	return true;
}

bool desk_owner_act(struct desk *desk, enum action action)
{
	switch (action) {
	case ACTION_OWNER:
		go_to_owner(desk);
		return true;
	case ACTION_BACK:
		return go_back(desk);
	default:
		return false;
	}
}
