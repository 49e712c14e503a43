/*
 * menus - menus for columns, groups, views, signals, targets and all actions.
 *
 * At most one menu is open. Handles actions, not keys. UI thread only.
 */
#ifndef DIALOGS_MENUS_H
#define DIALOGS_MENUS_H

#include "tui/config/bindings.h"
#include "tui/config/saved_filters.h"
#include "tui/session/session.h"
#include "tui/view/view.h"
#include "widgets/menu.h"

enum menu_kind {
	MENU_NONE,
	MENU_SORT, /* ids: columns of the sortable pane */
	MENU_GROUP, /* ids: enum engine_group, for .grouped */
	MENU_VIEWS, /* ids: enum action */
	MENU_PALETTE, /* ids: enum action */
	MENU_SIGNAL, /* ids: signal numbers */
	MENU_CONFIRM, /* ids: 0 no, 1 yes */
	MENU_LEAVE, /* ids: enum leave_choice */
	MENU_TERMS, /* ids: indices of filter_stack_terms(), then one for a new term */
	MENU_SAVED, /* ids: indices of .saved */
	MENU_ROW, /* ids: indices of .row */
	MENU_TARGETS, /* ids: see shell_targets.c */
	MENU_CATCHES, /* ids: indices as in catch_set.h; CATCHES_MAX: a new catch */
	MENU_FLIGHT, /* ids: see shell_flight.c */
	MENU_COLUMNS, /* ids: columns of .table */
	MENU_EXPORT, /* ids: enum export_format */
	MENU_REPLACE, /* ids: 0 no, 1 yes: overwrite an existing file */
	MENU_UNWRITTEN, /* ids: 0 no, 1 yes: quit while a file is being written */
	MENU_SETUP, /* ids: enum setting, and see shell_settings_menu.c */
	MENU_THEMES, /* ids: indices of the names of shell_settings; also for MENU_KEYMAPS */
	MENU_KEYMAPS,
	MENU_FORGET, /* ids: 0 no, 1 yes: remove the saved filter .chosen */
};

/* Choices at quit while the traced command is still running. */
enum leave_choice { LEAVE_STAY, LEAVE_END, LEAVE_RUNNING };

struct menus {
	struct menu menu;
	enum menu_kind kind;
	/* For MENU_SIGNAL and MENU_CONFIRM. The pidfd prevents a signal to a reused pid. */
	int pidfd;
	uint32_t pid;
	int signal;
	char comm[ENGINE_NAME_BYTES];
	/* For MENU_SAVED and MENU_FORGET. */
	struct saved_filters saved;
	size_t chosen;
	/* For MENU_ROW: terms of the selected row, to include or to exclude. */
	struct row_terms row;
	bool excludes;
	/* For MENU_GROUP. */
	struct pane grouped;
	/* For MENU_COLUMNS. */
	struct table *table;
	const struct bindings *bindings;
};

void menus_init(struct menus *menus);
void menus_release(struct menus *menus);
void menus_close(struct menus *menus);

/*
 * Append a key and what it does, such as "Space switches", to the line below a menu. `out` gets a
 * comma first if it has text. No-op if the action has no key.
 */
void menus_add_key(const struct bindings *bindings, enum action_context context, enum action action,
		   const char *does, struct str *out);

void menus_open_sort(struct menus *menus, const struct table *table);
/* The pane must have groups. */
void menus_open_group(struct menus *menus, const struct pane *pane);
void menus_open_views(struct menus *menus, const struct view *const *views, size_t count,
		      const struct view *shown, const struct bindings *bindings);
/* Open the menu, or show why no signal can be sent. */
void menus_open_signal(struct menus *menus, struct session *session);
/* Open a menu with the ids 0 (no) and 1 (yes). */
void menus_open_question(struct menus *menus, enum menu_kind kind, const char *title,
			 const char *no, const char *yes);
/*
 * In a question, y and n select the answer, and Enter confirms it. False: no question is open, or
 * the character is not an answer.
 */
bool menus_answer(struct menus *menus, uint32_t code);
/* Open the menu that confirms the chosen signal. */
void menus_open_confirm(struct menus *menus, int signal);
void menus_open_leave(struct menus *menus, const struct options *options,
		      const struct bindings *bindings);
/* Send menus->signal after the user confirmed; reports the result as a message. */
void menus_send_signal(struct menus *menus, struct session *session);

#endif
