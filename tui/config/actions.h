/*
 * actions - every action that the user can trigger, by name.
 *
 * Keymaps (keymaps/) bind keys to actions; panes and the shell handle the actions. The enum, the
 * names, the help screen, the palette and the keymap parser are generated from this list. Constant
 * tables; any thread.
 */
#ifndef CONFIG_ACTIONS_H
#define CONFIG_ACTIONS_H

#include "widgets/terminal/keymap.h"

/* Sections of the help screen. */
enum action_group {
	ACTION_GROUP_MOVE,
	ACTION_GROUP_FOLD,
	ACTION_GROUP_FIND,
	ACTION_GROUP_WATCH,
	ACTION_GROUP_TIME, /* time of recordings */
	ACTION_GROUP_VIEW,
	ACTION_GROUP_PROGRAM,
	ACTION_GROUP_PROMPT, /* prompts and menus only; not in the palette */
	ACTION_GROUP_TERMS, /* the list of filter terms only; not in the palette */
	ACTION_GROUP_COLUMNS, /* the list of columns only; not in the palette */
	ACTION_GROUP_COUNT
};

/* ACTION(ID, "name-in-keymaps", GROUP, "help") */
#define ACTION_LIST(ACTION) \
	ACTION(MOVE_UP, "move-up", MOVE, "one row up") \
	ACTION(MOVE_DOWN, "move-down", MOVE, "one row down") \
	ACTION(PAGE_UP, "page-up", MOVE, "one page up") \
	ACTION(PAGE_DOWN, "page-down", MOVE, "one page down") \
	ACTION(HALF_PAGE_UP, "half-page-up", MOVE, "half a page up") \
	ACTION(HALF_PAGE_DOWN, "half-page-down", MOVE, "half a page down") \
	ACTION(HOME, "home", MOVE, "first row") \
	ACTION(END, "end", MOVE, "last row") \
	ACTION(LEFT, "left", MOVE, "scroll left; fold in a tree") \
	ACTION(RIGHT, "right", MOVE, "scroll right; unfold in a tree") \
	ACTION(LINE_START, "line-start", MOVE, "scroll to the left end") \
	ACTION(LINE_END, "line-end", MOVE, "scroll to the right end") \
	ACTION(NEXT_PANE, "next-pane", MOVE, "next pane") \
	ACTION(PREVIOUS_PANE, "previous-pane", MOVE, "previous pane") \
	ACTION(ZOOM_PANE, "zoom-pane", MOVE, "zoom this pane, or restore it") \
	ACTION(GROW_PANE, "grow-pane", MOVE, "enlarge this pane") \
	ACTION(SHRINK_PANE, "shrink-pane", MOVE, "shrink this pane") \
	ACTION(DRILL_IN, "drill-in", MOVE, "open the row: narrow to it, show details or unfold") \
	ACTION(BACK, "back", MOVE, "undo the last filter change or jump, end zoom or search") \
	ACTION(UNFOLD, "unfold", FOLD, "unfold one level") \
	ACTION(FOLD, "fold", FOLD, "fold, or go to the parent") \
	ACTION(UNFOLD_ENTRY, "unfold-entry", FOLD, "unfold the whole entry") \
	ACTION(UNFOLD_ALL, "unfold-all", FOLD, "unfold everything") \
	ACTION(FOLD_ALL, "fold-all", FOLD, "fold everything") \
	ACTION(SEARCH, "search", FIND, "search in this pane") \
	ACTION(SEARCH_BACK, "search-back", FIND, "search upwards in this pane") \
	ACTION(SEARCH_NEXT, "search-next", FIND, "next match") \
	ACTION(SEARCH_PREVIOUS, "search-previous", FIND, "previous match") \
	ACTION(FILTER, "filter", FIND, "type a filter expression") \
	ACTION(ONLY_PID, "only-pid", FIND, "only this process") \
	ACTION(ONLY_SYSCALL, "only-syscall", FIND, "only this system call") \
	ACTION(ONLY_THREAD, "only-thread", FIND, "only this thread") \
	ACTION(ONLY_COMM, "only-comm", FIND, "only this comm") \
	ACTION(ONLY_PATH, "only-path", FIND, "only calls on the same path") \
	ACTION(EXCLUDE_PID, "exclude-pid", FIND, "exclude this process") \
	ACTION(EXCLUDE_SYSCALL, "exclude-syscall", FIND, "exclude this system call") \
	ACTION(EXCLUDE_THREAD, "exclude-thread", FIND, "exclude this thread") \
	ACTION(EXCLUDE_COMM, "exclude-comm", FIND, "exclude this comm") \
	ACTION(EXCLUDE_PATH, "exclude-path", FIND, "exclude calls on the same path") \
	ACTION(MARK, "mark", FIND, "start a rectangle in the heatmap, or cancel it") \
	ACTION(ONLY_CELL, "only-cell", FIND, "keep only rows like this one: choose the field") \
	ACTION(EXCLUDE_CELL, "exclude-cell", FIND, "exclude rows like this one: choose the field") \
	ACTION(CLEAR_LAST_TERM, "clear-last-term", FIND, "remove the last filter term") \
	ACTION(CLEAR_FILTER, "clear-filter", FIND, "clear the filter") \
	ACTION(FILTER_TERMS, "filter-terms", FIND, \
	       "list the filter terms: switch, edit or remove them") \
	ACTION(SAVE_FILTER, "save-filter", FIND, "save the filter under a name") \
	ACTION(SAVED_FILTERS, "saved-filters", FIND, "apply a saved filter") \
	ACTION(TARGETS, "targets", WATCH, "list the watched targets; add or remove") \
	ACTION(WATCH_THIS, "watch-this", WATCH, "watch the selected process, or stop watching it") \
	ACTION(PAUSE, "pause", WATCH, \
	       "pause the display; collection continues; play or stop a recording") \
	ACTION(TOGGLE_COLLECTION, "toggle-collection", WATCH, "stop or resume collection") \
	ACTION(CATCH, "catch", WATCH, \
	       "set catches: freeze, record, bell or stop when a call matches") \
	ACTION(RECORD, "record", WATCH, "start or stop recording all collected data to a file") \
	ACTION(FLIGHT, "flight", WATCH, \
	       "flight recorder: save the last seconds when a call matches") \
	ACTION(RESUME, "resume", WATCH, "continue processes that a catch stopped") \
	ACTION(FOLLOW, "follow", WATCH, "follow the newest calls") \
	ACTION(EVENTS, "events", WATCH, "choose other tracepoints to watch") \
	ACTION(ZERO_TOTALS, "zero-totals", WATCH, "set the totals to zero") \
	ACTION(SORT_MENU, "sort-menu", WATCH, "choose the column to sort by") \
	ACTION(SORT_NEXT, "sort-next", WATCH, "sort by the next column") \
	ACTION(SORT_PREVIOUS, "sort-previous", WATCH, "sort by the previous column") \
	ACTION(SORT_INVERT, "sort-invert", WATCH, "invert the sort order") \
	ACTION(COLUMNS, "columns", WATCH, \
	       "choose the columns of this table, their order and width") \
	ACTION(GROUP_MENU, "group-menu", WATCH, \
	       "group by process, thread, system call, comm, cgroup or user") \
	ACTION(TREE, "tree", WATCH, "processes as a tree or a table") \
	ACTION(THREADS, "threads", WATCH, "show or hide threads") \
	ACTION(TIME_BACK, "time-back", TIME, "back by 1/100 of the time bar") \
	ACTION(TIME_FORWARD, "time-forward", TIME, "forward by 1/100 of the time bar") \
	ACTION(TIME_BACK_FINE, "time-back-fine", TIME, "back by 1/1000 of the time bar") \
	ACTION(TIME_FORWARD_FINE, "time-forward-fine", TIME, "forward by 1/1000 of the time bar") \
	ACTION(TIME_START, "time-start", TIME, "to the start of the recording or of its span") \
	ACTION(TIME_END, "time-end", TIME, "to the end of the recording or of its span") \
	ACTION(TIME_GO, "time-go", TIME, "type a time to go to") \
	ACTION(TIME_OF_CALL, "time-of-call", TIME, "to just before the selected call returned") \
	ACTION(CALL_ON, "call-on", TIME, "forward by one call") \
	ACTION(SECOND_ON, "second-on", TIME, "forward by one second") \
	ACTION(PLAY_FASTER, "play-faster", TIME, "play faster") \
	ACTION(PLAY_SLOWER, "play-slower", TIME, "play slower") \
	ACTION(SPAN_BEGIN, "span-begin", TIME, "mark the start of a span here") \
	ACTION(SPAN_END, "span-end", TIME, "select the span from the mark to here") \
	ACTION(TIME_ZOOM_IN, "time-zoom-in", TIME, \
	       "zoom the time bar to the span, or to a quarter of it") \
	ACTION(TIME_ZOOM_OUT, "time-zoom-out", TIME, \
	       "zoom the time bar out; again: clear the span") \
	ACTION(TIME_BAR, "time-bar", TIME, "show or hide the time bar") \
	ACTION(DETAIL, "detail", VIEW, "details of the selected row") \
	ACTION(WAKER, "waker", VIEW, "go to the call that woke this thread") \
	ACTION(OWNER, "owner", VIEW, "go to the calls of the lock owner") \
	ACTION(IDLE, "idle", VIEW, "hide or show idle waits (threads that wait for work)") \
	ACTION(SAME_PREVIOUS, "same-previous", VIEW, "previous call on the same futex or file") \
	ACTION(SAME_NEXT, "same-next", VIEW, "next call on the same futex or file") \
	ACTION(STACK_HALVES, "stack-halves", VIEW, "kernel frames, user frames or both") \
	ACTION(STACK_ADDRESSES, "stack-addresses", VIEW, \
	       "show or hide addresses and paths of frames") \
	ACTION(STACK_WEIGHT, "stack-weight", VIEW, "weight stacks by time, calls or errors") \
	ACTION(STACK_INVERT, "stack-invert", VIEW, \
	       "stacks from the innermost frame, or from main") \
	ACTION(VIEWS_MENU, "views-menu", VIEW, "choose a view") \
	ACTION(NEXT_VIEW, "next-view", VIEW, "next view") \
	ACTION(PREVIOUS_VIEW, "previous-view", VIEW, "previous view") \
	ACTION(VIEW_OVERVIEW, "view-overview", VIEW, "processes, calls and stacks") \
	ACTION(VIEW_PROCESSES, "view-processes", VIEW, \
	       "processes, as a tree or a table, and their threads") \
	ACTION(VIEW_SYSCALLS, "view-syscalls", VIEW, "system calls with latency percentiles") \
	ACTION(VIEW_CALLS, "view-calls", VIEW, "calls, and the stack of the selected one") \
	ACTION(VIEW_BLOCKED, "view-blocked", VIEW, "calls in flight by age, with stacks") \
	ACTION(VIEW_FUTEXES, "view-futexes", VIEW, "futexes, waits, waiter and waker stacks") \
	ACTION(VIEW_FILES, "view-files", VIEW, "calls, time and bytes per file and socket") \
	ACTION(VIEW_STACKS, "view-stacks", VIEW, "wait stacks of all calls, as one tree") \
	ACTION(VIEW_LATENCY, "view-latency", VIEW, "when calls returned and how long they took") \
	ACTION(VIEW_COMPARE, "view-compare", VIEW, \
	       "compare this recording, or live calls, with a recording") \
	ACTION(VIEW_ACCESS, "view-access", VIEW, \
	       "what you may watch, and the commands that grant more") \
	ACTION(COMPARE, "compare", VIEW, "compare with another recording") \
	ACTION(OTHER_SIDE, "other-side", VIEW, \
	       "show the command that opens the other side of a comparison") \
	ACTION(ABOUT_RECORDING, "about-recording", VIEW, \
	       "about the recording: machine, command, events") \
	ACTION(CHECK_ACCESS, "check-access", VIEW, "check permissions again") \
	ACTION(VIEW_OUTPUT, "view-output", VIEW, "output of the traced command") \
	ACTION(HELP, "help", PROGRAM, "this help") \
	ACTION(MESSAGES, "messages", PROGRAM, "the messages so far, newest first") \
	ACTION(MEMORY_USAGE, "memory-use", PROGRAM, "memory and CPU usage of stxtop") \
	ACTION(HEADER_USE, "header-use", PROGRAM, \
	       "show or hide memory and CPU of stxtop in the top line") \
	ACTION(DESCRIBE_KEY, "describe-key", PROGRAM, "describe what a key does") \
	ACTION(PALETTE, "palette", PROGRAM, "run any action by its name") \
	ACTION(SETUP, "setup", PROGRAM, "settings: colours, keys, columns and more") \
	ACTION(SIGNAL, "signal", PROGRAM, "send a signal to the process (asks first)") \
	ACTION(COPY_ROW, "copy-row", PROGRAM, \
	       "copy the row, or the page, to the terminal's clipboard") \
	ACTION(EXPORT, "export", PROGRAM, "write this pane, or the screen, to a file") \
	ACTION(REDRAW, "redraw", PROGRAM, "redraw the screen") \
	ACTION(SUSPEND, "suspend", PROGRAM, "suspend; fg continues") \
	ACTION(QUIT, "quit", PROGRAM, "quit stxtop") \
	ACTION(ACCEPT, "accept", PROMPT, "accept the input or the selected entry") \
	ACTION(CANCEL, "cancel", PROMPT, "cancel without a change") \
	ACTION(COMPLETE, "complete", PROMPT, "complete; again: the next candidate") \
	ACTION(COMPLETE_BACK, "complete-back", PROMPT, "the previous candidate") \
	ACTION(HISTORY_OLDER, "history-older", PROMPT, "older input") \
	ACTION(HISTORY_NEWER, "history-newer", PROMPT, "newer input") \
	ACTION(EDIT_LEFT, "edit-left", PROMPT, "one character to the left") \
	ACTION(EDIT_RIGHT, "edit-right", PROMPT, "one character to the right") \
	ACTION(EDIT_WORD_LEFT, "edit-word-left", PROMPT, "one word to the left") \
	ACTION(EDIT_WORD_RIGHT, "edit-word-right", PROMPT, "one word to the right") \
	ACTION(EDIT_HOME, "edit-home", PROMPT, "to the start") \
	ACTION(EDIT_END, "edit-end", PROMPT, "to the end") \
	ACTION(EDIT_BACKSPACE, "edit-backspace", PROMPT, "delete to the left") \
	ACTION(EDIT_DELETE, "edit-delete", PROMPT, "delete to the right") \
	ACTION(EDIT_KILL_WORD, "edit-kill-word", PROMPT, "delete the word to the left") \
	ACTION(EDIT_KILL_TO_START, "edit-kill-to-start", PROMPT, "delete to the start") \
	ACTION(EDIT_KILL_TO_END, "edit-kill-to-end", PROMPT, "delete to the end") \
	ACTION(SWITCH_TERM, "switch-term", TERMS, "switch the term or catch on or off") \
	ACTION(EDIT_TERM, "edit-term", TERMS, "edit the term or catch") \
	ACTION(ADD_TERM, "add-term", TERMS, "add a term or catch") \
	ACTION(REMOVE_TERM, "remove-term", TERMS, "remove the term, catch or saved filter") \
	ACTION(SWITCH_COLUMN, "switch-column", COLUMNS, "show or hide the column") \
	ACTION(COLUMN_LEFT, "column-left", COLUMNS, "move the column to the left") \
	ACTION(COLUMN_RIGHT, "column-right", COLUMNS, "move the column to the right") \
	ACTION(COLUMN_WIDER, "column-wider", COLUMNS, "make the column wider") \
	ACTION(COLUMN_NARROWER, "column-narrower", COLUMNS, "make the column narrower") \
	ACTION(RESET_COLUMNS, "reset-columns", COLUMNS, "reset all columns to the default")

enum action {
#define ACTION_ENUM(id, name, group, help) ACTION_##id,
	ACTION_LIST(ACTION_ENUM)
#undef ACTION_ENUM
		ACTION_COUNT
};

/* Sections of a keymap file; named by action_keymap_names.contexts. */
enum action_context {
	CONTEXT_GLOBAL,
	CONTEXT_PROMPT,
	CONTEXT_MENU,
	CONTEXT_TERMS, /* menu of filter terms */
	CONTEXT_COLUMNS, /* menu of table columns */
	CONTEXT_COUNT
};

const char *action_name(enum action action); /* never NULL */
const char *action_help(enum action action);
enum action_group action_group(enum action action);
const char *action_group_title(enum action_group group);
/* Return the context in which keys are bound to the actions of a group. */
enum action_context action_group_context(enum action_group group);

/* Built-in keymaps. The first is the default; every other keymap overrides parts of it. */
#define ACTION_KEYMAP_COUNT 3
extern const struct keymap_text action_keymaps[ACTION_KEYMAP_COUNT];

/* Names and tables for keymap_new() (keymap.h). */
extern const struct keymap_names action_keymap_names;

#endif
