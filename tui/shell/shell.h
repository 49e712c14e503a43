/*
 * shell - everything on the screen: header, views, and what is opened above them.
 *
 * Takes what the person does and draws what there is; what only the program can
 * do (leave, stop, copy) it asks for in `request`. UI thread only.
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

enum shell_view {
	SHELL_OVERVIEW,
	SHELL_PROCESSES,
	SHELL_SYSCALLS,
	SHELL_CALLS,
	SHELL_BLOCKED,
	SHELL_FUTEXES,
	SHELL_FILES,
	SHELL_STACKS,
	SHELL_LATENCY,
	SHELL_COMPARE,
	SHELL_OUTPUT,
	SHELL_ACCESS,
	SHELL_VIEW_COUNT
};

enum shell_request {
	REQUEST_NONE,
	REQUEST_QUIT,
	REQUEST_SUSPEND,
	REQUEST_REDRAW,
	REQUEST_COPY,
	REQUEST_AGAIN,
	REQUEST_APPLY_SETTINGS, /* of the settings, which the screen has to take */
};

/* A text above the view: help, or the detail of a row. */
struct shell_page {
	struct help help;
	struct detail_page detail;
	const char *title;
	bool open;
	bool is_detail; /* with open */
	int cols; /* of the last draw */
};

/* Where somebody was before a jump to a waker. */
struct shell_jump {
	struct view *view;
	int focus;
	uint64_t place; /* in the overview: of the calls pane */
};

#define SHELL_MAX_JUMPS 16

/* A file that is asked for, or written. */
struct shell_export {
	struct exporting exporting;
	struct path_choice paths;
	struct str path;
	enum export_format format;
	const char *name; /* of what is written */
	struct canvas screen; /* as it was when a file was asked for */
	bool has_screen;
};

/* A recording that is asked for, or made. */
struct shell_record {
	struct engine *engine;
	struct job job; /* opens the file */
	/* The errand's while it is away. */
	struct str path;
	struct err err;
	int rc;
	struct recorder_status status; /* as of the last look */
};

/* The flight recorder as it is set, and armed. */
struct shell_flight {
	struct engine *engine;
	struct flight_request request; /* filter owned; pattern: that of the options, or below */
	struct str pattern;
	bool armed, again; /* again: what was changed while it was being armed is for once more */
	size_t armed_bytes;
	struct job job; /* arms */
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

struct shell {
	struct session session;
	struct bindings *bindings; /* borrowed */
	struct header header;
	struct function_bar bar;
	struct pending_keys pending_keys;
	bool describes; /* the next key is told of, not followed */
	int search_step; /* 1, or -1: the last search went upwards */
	struct view views[SHELL_VIEW_COUNT];
	struct view *shown; /* one of them */
	struct shell_jump jumps[SHELL_MAX_JUMPS];
	size_t jump_count;
	uint64_t jump_filter_version; /* another filter: "back" is the filter's again */
	struct shell_lock_owner owner;
	/* The filter leaves out a waker's call; Enter, as the next key, drops it and goes there. */
	bool waker_offered;
	uint64_t waker_seq;
	struct entry_line entry;
	struct event_choice events;
	struct filter_draft draft; /* of the line, where it is a filter's */
	struct filter_saving saving;
	struct catch_set catch_set;
	unsigned catch_index; /* that is being typed anew; CATCHES_MAX: another one */
	bool rings; /* taken and cleared by the caller */
	uint64_t rang_ns;
	struct menus menus;
	struct shell_page page;
	struct user_stack_focus deep;
	struct shell_export export;
	struct first_hints hints;
	struct shell_record record;
	struct shell_flight flight;
	struct time_line time;
	struct changes changes;
	struct shell_recording_info about;
	struct shell_memory_usage use;
	bool moved; /* about in a recording, since it was played last */
	const struct theme *theme; /* in force; borrowed, set by the caller; NULL: the default */
	int rows, cols; /* of the last draw */
	bool ascii;
	struct shell_settings settings;
	struct rect entry_rect; /* where they were drawn last */
	int bar_row; /* -1: not drawn */
	int bar_cols; /* without the tabs behind it */
	struct view_tabs tabs;
	enum shell_request request; /* taken and cleared by the caller */
	struct str copy; /* with REQUEST_COPY */
};

void shell_init(struct shell *shell, struct engine *engine, const struct options *options,
		struct command *command, struct bindings *bindings,
		const struct command_output *output);
void shell_release(struct shell *shell);

/* Takes what changed in the engine; a tick comes some times a second. */
void shell_refresh(struct shell *shell, bool tick);
/* Between ticks, while it has work: goes on with what takes long. */
void shell_work(struct shell *shell);
/* *hurry: a person waits for it. */
bool shell_has_work(const struct shell *shell, bool *hurry);
/* Draws on the whole canvas; *cursor_row -1: no cursor. */
void shell_draw(struct shell *shell, struct canvas *canvas, int *cursor_row, int *cursor_col);

/* Nothing may be watched: what could be is shown instead. */
void shell_refuse(struct shell *shell, const char *why);

void shell_event(struct shell *shell, const struct input_event *event);
void shell_act(struct shell *shell, enum action action);

#endif
