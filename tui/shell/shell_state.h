/*
 * shell_state - state of the screen, shared by the modules of the shell.
 *
 * Only the module of the same name changes a structure. UI thread only. While a job is pending, the
 * job thread owns the members that are marked so.
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
	REQUEST_APPLY_SETTINGS, /* theme, characters and mouse of the screen */
};

/* A page that covers the view: help, or the details of a row. */
struct shell_page {
	struct help help;
	struct detail_page detail;
	const char *title;
	bool open;
	bool is_detail; /* valid if `open` */
	int cols; /* width at the last draw */
};

/* Position before a jump to a waker. */
struct shell_jump {
	struct view *view;
	int focus;
	uint64_t place; /* cursor of the calls pane in the overview */
};

#define SHELL_MAX_JUMPS 16

/* An export: choice of the file, and the writing. */
struct shell_export {
	struct exporting exporting;
	struct path_choice paths;
	struct str path;
	enum export_format format;
	const char *name; /* name of the exported content, for the default file name */
	struct canvas screen; /* as it was before the dialogs of the export opened */
	bool has_screen;
};

/* Recording to a file (-o at run time). */
struct shell_record {
	struct engine *engine;
	struct job job; /* opens the file */
	/* Owned by the job while it is pending. */
	struct str path;
	struct err err;
	int rc;
	struct recorder_status status; /* as of the last tick */
};

/* The flight recorder: its settings and its state. */
struct shell_flight {
	struct engine *engine;
	struct flight_request request; /* owns the filter; borrows the pattern */
	struct str pattern;
	bool armed, again; /* again: settings changed while arming; arm once more */
	size_t armed_bytes;
	struct job job; /* arms the recorder */
	/* Owned by the job while it is pending. */
	struct flight_request sent; /* owns filter and pattern */
	struct err err;
	int rc;
	struct flight_status status; /* as of the last tick */
	struct flight_save *save; /* buffer for one save */
	struct str last; /* path of the last saved file; empty: none */
	int edited; /* row of the panel that is being edited */
	struct flight_mark mark; /* mark of the recording that is read; .reason FLIGHT_NONE: none */
	bool reported, seeks; /* reported: the mark was shown; seeks: a search for its call runs */
	uint64_t seek_seq;
};

struct shell_lock_owner {
	struct view *from; /* view to return to; NULL: none */
	uint64_t filter_version; /* filter of the jump; "back" returns only while it is in force */
};

struct shell_memory_usage {
	struct job job;
	bool in_header; /* SETTING_SELF_USAGE */
	uint64_t sent_ns;
	/* Owned by the job while it is pending. */
	struct engine *engine; /* NULL: not started */
	uint32_t command;
	struct self_usage own;
	struct memory_usage owners[MEMORY_OWNER_COUNT];
};

struct shell_recording_info {
	struct job job;
	/* Owned by the job while it is pending. */
	struct str path;
	struct recording_info about;
	struct err err;
	int rc;
};

struct shell_settings {
	struct settings *all; /* borrowed; NULL: none */
	/* Values of the shell by default, and after the settings file was applied. */
	struct settings_list defaults, taken;
	/*
	 * Private to shell_settings_menu.c: entries of its list of themes or keymaps, and the theme
	 * under the cursor.
	 */
	struct settings_list names;
	char preview[THEME_NAME_BYTES];
	struct bindings *bindings; /* owned: a keymap chosen at run time; NULL: none */
};

/*
 * Lower modules of the shell call functions of shell.h, shell_actions.h and shell_keys.h through
 * this table; the contracts are in those headers.
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
	bool describes; /* describe the next key instead of following it */
	int search_step; /* 1: the last search went down; -1: up */
	struct view views[SHELL_VIEW_COUNT];
	struct view *shown; /* one of `views` */
	struct shell_jump jumps[SHELL_MAX_JUMPS];
	size_t jump_count;
	uint64_t jump_filter_version; /* filter of the jumps; in another one, "back" undoes none */
	struct shell_lock_owner owner;
	/*
	 * The filter hides the call of a waker. Enter, as the next key, clears the filter and shows
	 * that call.
	 */
	bool waker_offered;
	uint64_t waker_seq;
	struct entry_line entry;
	struct event_choice events;
	struct filter_draft draft; /* state of a prompt for a filter */
	struct filter_saving saving;
	struct catch_set catch_set;
	unsigned catch_index; /* the edited catch; CATCHES_MAX: a new one */
	bool rings; /* ring the bell; taken and cleared by the caller */
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
	bool moved; /* the user changed the position since playback started or its speed was set */
	const struct theme *theme; /* in force; borrowed, set by the caller; NULL: default */
	int rows, cols; /* size at the last draw */
	bool ascii;
	struct shell_settings settings;
	struct rect entry_rect; /* where the prompt was last drawn */
	int bar_row; /* -1: not drawn */
	int bar_cols; /* width without the tabs to its right */
	struct view_tabs tabs;
	enum shell_request request; /* taken and cleared by the caller */
	struct str copy; /* text to copy, with REQUEST_COPY */
};

/* Return the call that keys act on: the one on the detail page, or the selected one. NULL: none. */
const struct call *shell_subject_call(const struct shell *shell);
/* Show the first error in the keymap until a key is pressed. */
void shell_say_keymap(struct shell *shell);

#endif
