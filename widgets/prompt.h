/*
 * prompt - a line editor: cursor, history, completion, an error below its column.
 *
 * The caller maps keys to prompt_insert() (key_is_text) and prompt_edit() (the [prompt] context of
 * the keymap), and handles accept and cancel itself. An error is shown until the text changes.
 * Without an error, the hint is shown in its place. A note is shown at the end of the line if there
 * is room. Hint and note stay until they are set again. Text is valid UTF-8 without control
 * characters, at most PROMPT_MAX_BYTES. An insertion beyond that limit is rejected as a whole,
 * since a truncated text would have another meaning. UI thread only.
 */
#ifndef WIDGETS_PROMPT_H
#define WIDGETS_PROMPT_H

#include "engine/base/str.h"
#include "widgets/canvas/canvas.h"
#include "widgets/line_history.h"

#include <stdint.h>

#define PROMPT_MAX_BYTES 65536 /* maximum length of the text; a filter can be that long */
#define PROMPT_MAX_CANDIDATES 500
#define PROMPT_NO_PLACE SIZE_MAX

enum prompt_edit {
	PROMPT_LEFT,
	PROMPT_RIGHT,
	PROMPT_WORD_LEFT,
	PROMPT_WORD_RIGHT,
	PROMPT_HOME,
	PROMPT_END,
	PROMPT_BACKSPACE,
	PROMPT_DELETE,
	PROMPT_KILL_WORD, /* the word before the cursor */
	PROMPT_KILL_TO_START,
	PROMPT_KILL_TO_END,
	PROMPT_HISTORY_OLDER,
	PROMPT_HISTORY_NEWER,
	PROMPT_COMPLETE, /* complete the common prefix; again: the next candidate */
	PROMPT_COMPLETE_BACK,
};

struct prompt_candidate {
	char *text; /* replaces the word */
	char *note; /* shown beside it, or NULL */
};

/* The result of the completion callback. */
struct prompt_candidates {
	size_t word_start; /* byte offset of the word to be replaced; preset to the cursor */
	struct prompt_candidate *items;
	size_t count, capacity;
};

/* List the completions at cursor (a byte offset) in text. */
typedef void (*prompt_complete_fn)(void *data, const char *text, size_t cursor,
				   struct prompt_candidates *candidates);
/* Copy text and note into a new candidate; ignored beyond PROMPT_MAX_CANDIDATES. */
void prompt_candidates_add(struct prompt_candidates *candidates, const char *text,
			   const char *note);

struct prompt {
	struct str label;
	struct str text;
	size_t cursor; /* byte offset of a character boundary */
	int left_cols; /* horizontal scroll offset */
	struct str error;
	size_t error_offset; /* byte offset into text */
	bool has_error;
	struct str note;
	struct str hint; /* empty: none */
	size_t hint_offset; /* PROMPT_NO_PLACE: applies to the whole text */
	bool keeps_row; /* always reserve a row below the line, for hint or error */
	struct line_history *history; /* borrowed; NULL: none */
	size_t history_at; /* 0: the line being typed, n: the n-th newest line of the history */
	struct str draft; /* the typed line, saved while the history is browsed */
	prompt_complete_fn complete;
	void *complete_data;
	struct prompt_candidates candidates;
	int candidate_at; /* index of the candidate in the text, -1: none */
	size_t candidate_end; /* byte offset of the end of the inserted candidate */
};

void prompt_init(struct prompt *prompt);
void prompt_release(struct prompt *prompt);

/* Start a new line, without hint and note. history or complete NULL: none. */
void prompt_open(struct prompt *prompt, const char *label, const char *text,
		 struct line_history *history, prompt_complete_fn complete, void *complete_data);

const char *prompt_text(const struct prompt *prompt);
void prompt_set_text(struct prompt *prompt, const char *text); /* moves the cursor to the end */

/*
 * Insert text at the cursor. Control characters become blanks, invalid bytes '?'. If the text does
 * not fit, set an error and change nothing.
 */
void prompt_insert(struct prompt *prompt, const char *text, size_t len);
void prompt_insert_char(struct prompt *prompt, uint32_t code);
bool prompt_edit(struct prompt *prompt, enum prompt_edit edit); /* false: no effect */

/*
 * Show an error below a byte offset until the text changes. An offset past the end means the end.
 */
void prompt_set_error(struct prompt *prompt, size_t offset, const char *text);
void prompt_clear_error(struct prompt *prompt);
/* Show a hint below a byte offset, or for the whole text with PROMPT_NO_PLACE; "" for none. */
void prompt_set_hint(struct prompt *prompt, size_t offset, const char *text);
void prompt_set_note(struct prompt *prompt, const char *text);
/* True while candidates are listed below the line. */
bool prompt_is_choosing(const struct prompt *prompt);
void prompt_stop_choosing(struct prompt *prompt);

/* Append the text to the history, as accepting does. */
void prompt_remember(struct prompt *prompt);

/* Replace the word by the candidate with that index. */
void prompt_pick(struct prompt *prompt, int index);

/*
 * Return the number of rows to draw on, at most max_rows: the line and, below it, the error, the
 * candidates or the hint.
 */
int prompt_rows(const struct prompt *prompt, int max_rows);
/* Draw the line on the first row of canvas; return the column of the cursor. */
int prompt_draw(struct prompt *prompt, struct canvas *canvas);
/* Move the cursor, or pick the candidate at that position. */
void prompt_click(struct prompt *prompt, int row, int col);

#endif
