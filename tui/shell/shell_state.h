/*
 * shell_state - what is on the screen and above it, as the modules of the shell share it.
 *
 * Each structure is changed by the module that has its name alone. UI thread only; what is marked
 * as a job's belongs to the thread of jobs while that runs.
 */
#ifndef SHELL_SHELL_STATE_H
#define SHELL_SHELL_STATE_H

#include "engine/base/job_queue.h"
#include "engine/memory_usage.h"
#include "engine/process/self_usage.h"
#include "engine/recording_info.h"
#include "tui/compare/changes.h"
#include "tui/config/bindings.h"
#include "tui/config/settings.h"
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
#include "tui/view/view.h"
#include "widgets/canvas/theme.h"
#include "widgets/help.h"
#include "widgets/terminal/event.h"

struct shell;

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
	/* The job's while it is away. */
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
	/* The job's while it is away. */
	struct flight_request sent; /* filter and pattern owned */
	struct err err;
	int rc;
	struct flight_status status; /* as of the last look */
	struct flight_save *save; /* room for one */
	struct str last; /* the file that was saved last; empty: none was */
	int edited; /* the row of the panel that is being typed */
	struct flight_mark mark; /* of the recording; .reason FLIGHT_NONE: it has none */
	bool reported, seeks; /* it was told; its call is being looked for, below: */
	uint64_t seek_seq;
};

struct shell_lock_owner {
	struct view *from; /* where the key was pressed; NULL: nowhere to go back to */
	uint64_t filter_version; /* of the owner's filter: another one is not left by "back" */
};

struct shell_memory_usage {
	struct job job;
	bool in_header; /* as the settings say */
	uint64_t sent_ns;
	/* The job's while it is away. */
	struct engine *engine; /* NULL: it has not started */
	uint32_t command;
	struct self_usage own;
	struct memory_usage owners[MEMORY_OWNER_COUNT];
};

struct shell_recording_info {
	struct job job;
	/* The job's while it is away. */
	struct str path;
	struct recording_info about;
	struct err err;
	int rc;
};

struct shell_settings {
	struct settings *all; /* borrowed; NULL: there are none */
	/* What was in force by default, and after the file was taken. */
	struct settings_list defaults, taken;
	/*
	 * Of shell_settings_menu.c: what its list of themes or keymaps names, the theme under the
	 * cursor.
	 */
	struct settings_list names;
	char preview[THEME_NAME_BYTES];
	struct bindings *bindings; /* of a keymap that was chosen meanwhile */
};

/*
 * What modules of the shell ask of it that lies above them: shell.h and shell_keys.h say what each
 * does.
 */
struct shell_ops {
	void (*act)(struct shell *shell, enum action action);
	void (*refresh)(struct shell *shell, bool tick);
	void (*draw)(struct shell *shell, struct canvas *canvas, int *cursor_row, int *cursor_col);
	void (*drop_keys)(struct shell *shell);
};

struct shell {
	const struct shell_ops *ops;
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

/* What keys act on that are about a call: the one that is read, or the selected one. NULL: none. */
const struct call *shell_subject_call(const struct shell *shell);
/* What is wrong in the keymap, until a key is pressed. */
void shell_say_keymap(struct shell *shell);

#endif
