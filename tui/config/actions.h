/*
 * actions - every action that the user can trigger, by name.
 *
 * Keymaps (keymaps/) bind keys to actions; panes and the shell handle them. The enum, the names,
 * the help screen, the palette and the keymap parser are generated from this list. Constant tables;
 * any thread.
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
	ACTION_GROUP_TIME, /* of recordings */
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
	ACTION(LEFT, "left", MOVE, "scroll left; in a tree fold") \
	ACTION(RIGHT, "right", MOVE, "scroll right; in a tree unfold") \
	ACTION(LINE_START, "line-start", MOVE, "scroll to the left end") \
	ACTION(LINE_END, "line-end", MOVE, "scroll to the right end") \
	ACTION(NEXT_PANE, "next-pane", MOVE, "next pane") \
	ACTION(PREVIOUS_PANE, "previous-pane", MOVE, "previous pane") \
	ACTION(ZOOM_PANE, "zoom-pane", MOVE, "this pane alone on the screen, and back") \
	ACTION(GROW_PANE, "grow-pane", MOVE, "give this pane more room") \
	ACTION(SHRINK_PANE, "shrink-pane", MOVE, "give this pane less room") \
	ACTION(DRILL_IN, "drill-in", MOVE, \
	       "into the row: narrow to it, tell all about it, unfold") \
	ACTION(BACK, "back", MOVE, "undo the last narrowing or jump, leave zoom or a search") \
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
	ACTION(ONLY_COMM, "only-comm", FIND, "only programs of this name") \
	ACTION(ONLY_PATH, "only-path", FIND, "only calls on this call's path") \
	ACTION(EXCLUDE_PID, "exclude-pid", FIND, "not this process") \
	ACTION(EXCLUDE_SYSCALL, "exclude-syscall", FIND, "not this system call") \
	ACTION(EXCLUDE_THREAD, "exclude-thread", FIND, "not this thread") \
	ACTION(EXCLUDE_COMM, "exclude-comm", FIND, "no programs of this name") \
	ACTION(EXCLUDE_PATH, "exclude-path", FIND, "no calls on this call's path") \
	ACTION(MARK, "mark", FIND, "begin a rectangle in a picture, or drop it") \
	ACTION(ONLY_CELL, "only-cell", FIND, \
	       "only what is as this row in something: choose in what") \
	ACTION(EXCLUDE_CELL, "exclude-cell", FIND, "nothing that is as this row in something") \
	ACTION(CLEAR_LAST_TERM, "clear-last-term", FIND, "drop the last term of the filter") \
	ACTION(CLEAR_FILTER, "clear-filter", FIND, "drop the whole filter") \
	ACTION(FILTER_TERMS, "filter-terms", FIND, \
	       "list the terms of the filter: switch, edit, remove them") \
	ACTION(SAVE_FILTER, "save-filter", FIND, "save the filter under a name") \
	ACTION(SAVED_FILTERS, "saved-filters", FIND, "take a filter that was saved") \
	ACTION(TARGETS, "targets", WATCH, "list who is watched: add more, or stop") \
	ACTION(WATCH_THIS, "watch-this", WATCH, \
	       "watch the row's process too, or stop watching it") \
	ACTION(PAUSE, "pause", WATCH, \
	       "freeze the display, collection goes on; play a recording, or stop it") \
	ACTION(TOGGLE_COLLECTION, "toggle-collection", WATCH, "stop or start collection") \
	ACTION(CATCH, "catch", WATCH, \
	       "wait for a call: then freeze, record, ring or stop its process") \
	ACTION(RECORD, "record", WATCH, \
	       "record all that is collected to a file from here on, or end that") \
	ACTION(FLIGHT, "flight", WATCH, \
	       "flight recorder: save the last seconds when a call matches") \
	ACTION(RESUME, "resume", WATCH, "let processes go on that were stopped by a catch") \
	ACTION(FOLLOW, "follow", WATCH, "follow the newest calls") \
	ACTION(EVENTS, "events", WATCH, "watch other tracepoints too, or others") \
	ACTION(ZERO_TOTALS, "zero-totals", WATCH, "set the totals to zero") \
	ACTION(SORT_MENU, "sort-menu", WATCH, "choose the column to sort by") \
	ACTION(SORT_NEXT, "sort-next", WATCH, "sort by the next column") \
	ACTION(SORT_PREVIOUS, "sort-previous", WATCH, "sort by the previous column") \
	ACTION(SORT_INVERT, "sort-invert", WATCH, "turn the order round") \
	ACTION(COLUMNS, "columns", WATCH, \
	       "choose the columns of this table, their order and width") \
	ACTION(GROUP_MENU, "group-menu", WATCH, \
	       "group by process, thread, system call, name, control group or user") \
	ACTION(TREE, "tree", WATCH, "processes as a tree, or not") \
	ACTION(THREADS, "threads", WATCH, "show threads, or do not") \
	ACTION(TIME_BACK, "time-back", TIME, "back by a hundredth of the time bar") \
	ACTION(TIME_FORWARD, "time-forward", TIME, "forward by a hundredth of the time bar") \
	ACTION(TIME_BACK_FINE, "time-back-fine", TIME, "back by a thousandth of it") \
	ACTION(TIME_FORWARD_FINE, "time-forward-fine", TIME, "forward by a thousandth of it") \
	ACTION(TIME_START, "time-start", TIME, \
	       "to the beginning of the recording, or of its span") \
	ACTION(TIME_END, "time-end", TIME, "to its end") \
	ACTION(TIME_GO, "time-go", TIME, "type a time to go to") \
	ACTION(TIME_OF_CALL, "time-of-call", TIME, \
	       "to the moment before the selected call returned") \
	ACTION(CALL_ON, "call-on", TIME, "one call on") \
	ACTION(SECOND_ON, "second-on", TIME, "one second on") \
	ACTION(PLAY_FASTER, "play-faster", TIME, "play faster") \
	ACTION(PLAY_SLOWER, "play-slower", TIME, "play slower") \
	ACTION(SPAN_BEGIN, "span-begin", TIME, "mark here where a span is to begin") \
	ACTION(SPAN_END, "span-end", TIME, "choose the span from the mark to here") \
	ACTION(TIME_ZOOM_IN, "time-zoom-in", TIME, \
	       "the span alone on the time bar, or a quarter of it") \
	ACTION(TIME_ZOOM_OUT, "time-zoom-out", TIME, \
	       "all on the time bar; again: no span any more") \
	ACTION(TIME_BAR, "time-bar", TIME, "show the time bar, or do not") \
	ACTION(DETAIL, "detail", VIEW, "everything about the selected row") \
	ACTION(WAKER, "waker", VIEW, "the call in which another thread woke this one") \
	ACTION(OWNER, "owner", VIEW, "the calls of the thread that holds this lock") \
	ACTION(IDLE, "idle", VIEW, "hide waits of threads that wait for work, or show them") \
	ACTION(SAME_PREVIOUS, "same-previous", VIEW, "previous call on the same futex or file") \
	ACTION(SAME_NEXT, "same-next", VIEW, "next call on the same futex or file") \
	ACTION(STACK_HALVES, "stack-halves", VIEW, "kernel frames, user frames or both") \
	ACTION(STACK_ADDRESSES, "stack-addresses", VIEW, "show addresses and paths of frames") \
	ACTION(STACK_WEIGHT, "stack-weight", VIEW, "weigh stacks by time, calls or errors") \
	ACTION(STACK_INVERT, "stack-invert", VIEW, "stacks from what waits, or from main") \
	ACTION(VIEWS_MENU, "views-menu", VIEW, "choose a view") \
	ACTION(NEXT_VIEW, "next-view", VIEW, "the view after this one") \
	ACTION(PREVIOUS_VIEW, "previous-view", VIEW, "the view before this one") \
	ACTION(VIEW_OVERVIEW, "view-overview", VIEW, "processes, calls and stacks") \
	ACTION(VIEW_PROCESSES, "view-processes", VIEW, \
	       "processes, as a tree or a table, and their threads") \
	ACTION(VIEW_SYSCALLS, "view-syscalls", VIEW, "system calls with their percentiles") \
	ACTION(VIEW_CALLS, "view-calls", VIEW, "the calls alone, with their stack") \
	ACTION(VIEW_BLOCKED, "view-blocked", VIEW, "calls in flight by age, with stacks") \
	ACTION(VIEW_FUTEXES, "view-futexes", VIEW, "futexes, their waits and both stacks") \
	ACTION(VIEW_FILES, "view-files", VIEW, "what was done with each file and socket") \
	ACTION(VIEW_STACKS, "view-stacks", VIEW, "where all calls wait, as one tree") \
	ACTION(VIEW_LATENCY, "view-latency", VIEW, "when calls ended and how long they took") \
	ACTION(VIEW_COMPARE, "view-compare", VIEW, \
	       "what changed between this recording, or now, and another one") \
	ACTION(VIEW_ACCESS, "view-access", VIEW, \
	       "what you may watch here, and what would grant more") \
	ACTION(COMPARE, "compare", VIEW, "compare with another recording") \
	ACTION(OTHER_SIDE, "other-side", VIEW, "how the other side of a comparison is explored") \
	ACTION(ABOUT_RECORDING, "about-recording", VIEW, \
	       "where the recording is from: machine, command, events") \
	ACTION(CHECK_ACCESS, "check-access", VIEW, "try again what you may watch") \
	ACTION(VIEW_OUTPUT, "view-output", VIEW, "what the traced command wrote") \
	ACTION(HELP, "help", PROGRAM, "this help") \
	ACTION(MESSAGES, "messages", PROGRAM, "the messages so far, newest first") \
	ACTION(MEMORY_USAGE, "memory-use", PROGRAM, \
	       "memory and CPU that this program takes, by owner") \
	ACTION(HEADER_USE, "header-use", PROGRAM, \
	       "memory and CPU of this program in the top line, or not") \
	ACTION(DESCRIBE_KEY, "describe-key", PROGRAM, "press a key to be told what it does") \
	ACTION(PALETTE, "palette", PROGRAM, "run any action by its name") \
	ACTION(SETUP, "setup", PROGRAM, "colours, keys, columns and the rest of the settings") \
	ACTION(SIGNAL, "signal", PROGRAM, "send a signal to the process (asks first)") \
	ACTION(COPY_ROW, "copy-row", PROGRAM, \
	       "copy the row, or the page, to the terminal's clipboard") \
	ACTION(EXPORT, "export", PROGRAM, "write this pane, or the screen, to a file") \
	ACTION(REDRAW, "redraw", PROGRAM, "draw the screen anew") \
	ACTION(SUSPEND, "suspend", PROGRAM, "stop, to be continued with fg") \
	ACTION(QUIT, "quit", PROGRAM, "leave") \
	ACTION(ACCEPT, "accept", PROMPT, "take what is typed or chosen") \
	ACTION(CANCEL, "cancel", PROMPT, "leave without a change") \
	ACTION(COMPLETE, "complete", PROMPT, "complete; again: the next candidate") \
	ACTION(COMPLETE_BACK, "complete-back", PROMPT, "the previous candidate") \
	ACTION(HISTORY_OLDER, "history-older", PROMPT, "what was typed before") \
	ACTION(HISTORY_NEWER, "history-newer", PROMPT, "what was typed after") \
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
	ACTION(SWITCH_TERM, "switch-term", TERMS, \
	       "switch the term, or the catch, off or on again") \
	ACTION(EDIT_TERM, "edit-term", TERMS, "change it") \
	ACTION(ADD_TERM, "add-term", TERMS, "add one") \
	ACTION(REMOVE_TERM, "remove-term", TERMS, "remove it, or the saved filter") \
	ACTION(SWITCH_COLUMN, "switch-column", COLUMNS, "show the column, or do not") \
	ACTION(COLUMN_LEFT, "column-left", COLUMNS, "move it to the left") \
	ACTION(COLUMN_RIGHT, "column-right", COLUMNS, "move it to the right") \
	ACTION(COLUMN_WIDER, "column-wider", COLUMNS, "make it wider") \
	ACTION(COLUMN_NARROWER, "column-narrower", COLUMNS, "make it narrower") \
	ACTION(RESET_COLUMNS, "reset-columns", COLUMNS, "all columns as they were at first")

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

/* Built-in keymaps. The first is the default, over which every other keymap is read. */
#define ACTION_KEYMAP_COUNT 3
extern const struct keymap_text action_keymaps[ACTION_KEYMAP_COUNT];

/* Names and tables for keymap_new() (keymap.h). */
extern const struct keymap_names action_keymap_names;

#endif
