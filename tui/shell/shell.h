/*
 * shell - everything on the screen: header, views, and what is opened above them.
 *
 * Takes what the person does and draws what there is; what only the program can
 * do (leave, stop, copy) it asks for in `wish`. UI thread only.
 */
#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

#include "engine/base/job_queue.h"
#include "tui/compare/changes.h"
#include "tui/config/bindings.h"
#include "tui/dialogs/entry_line.h"
#include "tui/dialogs/filter_draft.h"
#include "tui/dialogs/filter_saving.h"
#include "tui/dialogs/first_hints.h"
#include "tui/dialogs/function_bar.h"
#include "tui/dialogs/header.h"
#include "tui/dialogs/menus.h"
#include "tui/dialogs/pending_keys.h"
#include "tui/dialogs/time_line.h"
#include "tui/dialogs/user_stack_focus.h"
#include "tui/dialogs/view_tabs.h"
#include "tui/panes/detail_page.h"
#include "tui/report/catch_set.h"
#include "tui/report/exporting.h"
#include "tui/session/command_output.h"
#include "tui/session/session.h"
#include "tui/shell/shell_lock_owner.h"
#include "tui/shell/shell_memory_usage.h"
#include "tui/shell/shell_recording_info.h"
#include "tui/shell/shell_settings.h"
#include "tui/view/view.h"
#include "widgets/help.h"
#include "widgets/terminal/event.h"

enum desk_view {
	DESK_OVERVIEW,
	DESK_PROCESSES,
	DESK_SYSCALLS,
	DESK_CALLS,
	DESK_BLOCKED,
	DESK_FUTEXES,
	DESK_FILES,
	DESK_STACKS,
	DESK_LATENCY,
	DESK_COMPARE,
	DESK_OUTPUT,
	DESK_ACCESS,
	DESK_VIEW_COUNT
};

enum desk_wish {
	WISH_NONE,
	WISH_QUIT,
	WISH_SUSPEND,
	WISH_REDRAW,
	WISH_COPY,
	WISH_AGAIN,
	WISH_LOOK, /* of the settings, which the screen has to take */
};

/* A text above the view: help, or the detail of a row. */
struct desk_page {
	struct help help;
	struct detail_page detail;
	const char *title;
	bool open;
	bool is_detail; /* with open */
	int cols; /* of the last draw */
};

/* Where somebody was before a jump to a waker. */
struct desk_jump {
	struct view *view;
	int focus;
	uint64_t place; /* in the overview: of the calls pane */
};

#define DESK_MAX_JUMPS 16

/* A file that is asked for, or written. */
struct desk_export {
	struct exporting exporting;
	struct path_choice paths;
	struct str path;
	enum export_format format;
	const char *name; /* of what is written */
	struct canvas screen; /* as it was when a file was asked for */
	bool has_screen;
};

/* A recording that is asked for, or made. */
struct desk_record {
	struct engine *engine;
	struct errand errand; /* opens the file */
	/* The errand's while it is away. */
	struct str path;
	struct err err;
	int rc;
	struct recorder_status status; /* as of the last look */
};

/* The flight recorder as it is set, and armed. */
struct desk_flight {
	struct engine *engine;
	struct flight_request request; /* filter owned; pattern: that of the options, or below */
	struct str pattern;
	bool armed, again; /* again: what was changed while it was being armed is for once more */
	size_t armed_bytes;
	struct errand errand; /* arms */
	/* The errand's while it is away. */
	struct flight_request sent; /* filter and pattern owned */
	struct err err;
	int rc;
	struct flight_status status; /* as of the last look */
	struct flight_save *save; /* room for one */
	struct str last; /* the file that was saved last; empty: none was */
	int edited; /* the row of the panel that is being typed */
	struct flight_mark mark; /* of the recording; .reason FLIGHT_NONE: it has none */
	bool told, seeks; /* it was told; its call is being looked for, below: */
	uint64_t seek_seq;
};

struct desk {
	struct session session;
	struct bindings *bindings; /* borrowed */
	struct header header;
	struct function_bar bar;
	struct prefix prefix;
	bool describes; /* the next key is told of, not followed */
	int search_step; /* 1, or -1: the last search went upwards */
	struct view views[DESK_VIEW_COUNT];
	struct view *shown; /* one of them */
	struct desk_jump jumps[DESK_MAX_JUMPS];
	size_t jump_count;
	uint64_t jump_filter_version; /* another filter: "back" is the filter's again */
	struct desk_owner owner;
	/* The filter leaves out a waker's call; Enter, as the next key, drops it and goes there. */
	bool waker_offered;
	uint64_t waker_seq;
	struct entry_line entry;
	struct event_choice events;
	struct filter_draft draft; /* of the line, where it is a filter's */
	struct filter_saving saving;
	struct catching catching;
	unsigned catch_index; /* that is being typed anew; CATCHES_MAX: another one */
	bool rings; /* taken and cleared by the caller */
	uint64_t rang_ns;
	struct menus menus;
	struct desk_page page;
	struct deep_watch deep;
	struct desk_export export;
	struct first_hints hints;
	struct desk_record record;
	struct desk_flight flight;
	struct time_line time;
	struct changes changes;
	struct desk_about about;
	struct desk_use use;
	bool moved; /* about in a recording, since it was played last */
	const struct theme *theme; /* in force; borrowed, set by the caller; NULL: the default */
	int rows, cols; /* of the last draw */
	bool ascii;
	struct desk_settings settings;
	struct rect entry_rect; /* where they were drawn last */
	int bar_row; /* -1: not drawn */
	int bar_cols; /* without the tabs behind it */
	struct view_tabs tabs;
	enum desk_wish wish; /* taken and cleared by the caller */
	struct str copy; /* with WISH_COPY */
};

void desk_init(struct desk *desk, struct engine *engine, const struct options *options,
	       struct command *command, struct bindings *bindings,
	       const struct command_output *output);
void desk_release(struct desk *desk);

/* Takes what changed in the engine; a tick comes some times a second. */
void desk_refresh(struct desk *desk, bool tick);
/* Between ticks, while it has work: goes on with what takes long. */
void desk_work(struct desk *desk);
/* *hurry: a person waits for it. */
bool desk_has_work(const struct desk *desk, bool *hurry);
/* Draws on the whole canvas; *cursor_row -1: no cursor. */
void desk_draw(struct desk *desk, struct canvas *canvas, int *cursor_row, int *cursor_col);

/* Nothing may be watched: what could be is shown instead. */
void desk_refuse(struct desk *desk, const char *why);

void desk_event(struct desk *desk, const struct input_event *event);
void desk_act(struct desk *desk, enum action action);

#endif
