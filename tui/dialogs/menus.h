/*
 * menus - the lists to choose from: columns, groups, views, signals, all actions.
 *
 * One is open at a time. It knows actions, not keys. UI thread only.
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
	MENU_SIGNAL, /* ids: signals */
	MENU_CONFIRM, /* ids: 0 no, 1 yes */
	MENU_LEAVE, /* ids: enum leave_choice */
	MENU_TERMS, /* ids: places in filter_stack_terms(), and one for another term */
	MENU_SAVED, /* ids: places in .saved */
	MENU_ROW, /* ids: places in .row */
	MENU_TARGETS, /* ids: see shell_targets.c */
	MENU_CATCHES, /* ids: places of catch_set.h, CATCHES_MAX for another one */
	MENU_FLIGHT, /* ids: see shell_flight.c */
	MENU_COLUMNS, /* ids: columns of .table */
	MENU_EXPORT, /* ids: enum export_format */
	MENU_REPLACE, /* ids: 0 no, 1 yes: a file that is there */
	MENU_UNWRITTEN, /* ids: 0 no, 1 yes: leave while a file is being written */
	MENU_SETUP, /* ids: enum setting, and see shell_settings_menu.c */
	MENU_THEMES, /* ids: places in the names of shell_settings; the next too */
	MENU_KEYMAPS,
	MENU_FORGET, /* ids: 0 no, 1 yes: remove the saved filter .chosen */
};

/* Leaving while the traced command still runs. */
enum leave_choice { LEAVE_STAY, LEAVE_END, LEAVE_RUNNING };

struct menus {
	struct menu menu;
	enum menu_kind kind;
	/* Of MENU_SIGNAL and MENU_CONFIRM. The descriptor keeps a reused pid from being hit. */
	int pidfd;
	uint32_t pid;
	int signal;
	char comm[ENGINE_NAME_BYTES];
	/* Of MENU_SAVED and MENU_FORGET. */
	struct saved_filters saved;
	size_t chosen;
	/* Of MENU_ROW: what the row gave, to be kept or left out. */
	struct row_terms row;
	bool excludes;
	/* Of MENU_GROUP. */
	struct pane grouped;
	/* Of MENU_COLUMNS. */
	struct table *table;
	const struct bindings *bindings;
};

void menus_init(struct menus *menus);
void menus_release(struct menus *menus);
void menus_close(struct menus *menus);

/* "Space switches" for the line below a list, after a comma; appended. */
void menus_add_key(const struct bindings *bindings, enum action_context context, enum action action,
		   const char *does, struct str *out);

void menus_open_sort(struct menus *menus, const struct table *table);
/* Of a pane that has groups. */
void menus_open_group(struct menus *menus, const struct pane *pane);
void menus_open_views(struct menus *menus, const struct view *const *views, size_t count,
		      const struct view *shown, const struct bindings *bindings);
/* Says why not where there is no process to send to. */
void menus_open_signal(struct menus *menus, struct session *session);
/* After a signal was chosen: is it meant? */
void menus_open_confirm(struct menus *menus, int signal);
void menus_open_leave(struct menus *menus, const struct options *options,
		      const struct bindings *bindings);
/* After "yes". */
void menus_send_signal(struct menus *menus, struct session *session);

#endif
