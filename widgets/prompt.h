/*
 * prompt - a line that is being typed: cursor, history, completion, an error under its column.
 *
 * The caller turns keys into prompt_insert (key_is_text) and prompt_edit (the [prompt]
 * context of the keymap), and decides itself what accepting and cancelling do. An error
 * set by the caller stays until the text changes; a hint, which stands in its place while there
 * is none, and a note, at the end of the line where there is room, until they are set anew.
 * Text is valid UTF-8 without control characters, at most PROMPT_MAX_BYTES: what would make it
 * longer is refused as a whole, as a part of it would be another text. UI thread only.
 */
#ifndef WIDGETS_PROMPT_H
#define WIDGETS_PROMPT_H

#include "engine/base/str.h"
#include "widgets/canvas/canvas.h"
#include "widgets/line_history.h"

#include <stdint.h>

#define PROMPT_MAX_BYTES 65536 /* the longest filter */
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
	PROMPT_COMPLETE, /* as far as it is certain; again: the next candidate */
	PROMPT_COMPLETE_BACK,
};

struct prompt_candidate {
	char *text; /* replaces the word */
	char *note; /* shown beside it, or NULL */
};

/* Filled by the completion callback. */
struct prompt_candidates {
	size_t word_start; /* bytes: where the word to be replaced begins; preset to the cursor */
	struct prompt_candidate *items;
	size_t count, capacity;
};

/* Lists what may stand at cursor (a byte offset) in text. */
typedef void (*prompt_complete_fn)(void *data, const char *text, size_t cursor,
				   struct prompt_candidates *candidates);
/* Copies text and note; more than PROMPT_MAX_CANDIDATES are ignored. */
void prompt_candidates_add(struct prompt_candidates *candidates, const char *text,
			   const char *note);

struct prompt {
	struct str label;
	struct str text;
	size_t cursor; /* bytes, between characters */
	int left_cols; /* scrolled sideways by */
	struct str error;
	size_t error_offset; /* bytes into text */
	bool has_error;
	struct str note;
	struct str hint; /* empty: none */
	size_t hint_offset; /* PROMPT_NO_PLACE: of the whole text */
	bool keeps_row; /* below the line is always a row, for hint or error */
	struct line_history *history; /* borrowed, may be NULL */
	size_t history_at; /* 0: what is being typed, n: the n-th newest */
	struct str draft; /* what was being typed when history was entered */
	prompt_complete_fn complete;
	void *complete_data;
	struct prompt_candidates candidates;
	int candidate_at; /* shown in the text, -1: none */
	size_t candidate_end; /* bytes: end of the word that it replaced */
};

void prompt_init(struct prompt *prompt);
void prompt_release(struct prompt *prompt);

/* Starts a new line, without hint and note. history and complete may be NULL. */
void prompt_open(struct prompt *prompt, const char *label, const char *text,
		 struct line_history *history, prompt_complete_fn complete, void *complete_data);

const char *prompt_text(const struct prompt *prompt);
void prompt_set_text(struct prompt *prompt, const char *text); /* cursor at the end */

/*
 * Types text at the cursor; control characters in it become blanks, bad bytes '?'. What there is
 * no room for is an error that is said, and changes nothing.
 */
void prompt_insert(struct prompt *prompt, const char *text, size_t len);
void prompt_insert_char(struct prompt *prompt, uint32_t code);
bool prompt_edit(struct prompt *prompt, enum prompt_edit edit); /* false: nothing to do */

/* Shown under the byte offset until the text changes; an offset past the end means the end. */
void prompt_set_error(struct prompt *prompt, size_t offset, const char *text);
void prompt_clear_error(struct prompt *prompt);
/* Under the byte offset, or PROMPT_NO_PLACE; "" for none. */
void prompt_set_hint(struct prompt *prompt, size_t offset, const char *text);
void prompt_set_note(struct prompt *prompt, const char *text);
/* Candidates are listed below the line. */
bool prompt_is_choosing(const struct prompt *prompt);
void prompt_stop_choosing(struct prompt *prompt);

/* Puts the text into the history, as accepting does. */
void prompt_remember(struct prompt *prompt);

/* Puts the candidate with that index in place of the word. */
void prompt_pick(struct prompt *prompt, int index);

/*
 * Rows wanted, at most max_rows: the line, below it the error, the candidates or the hint.
 * prompt_draw draws the line on the first row of canvas and returns the cursor's column.
 */
int prompt_rows(const struct prompt *prompt, int max_rows);
int prompt_draw(struct prompt *prompt, struct canvas *canvas);
/* Moves the cursor, or picks the candidate at that position. */
void prompt_click(struct prompt *prompt, int row, int col);

#endif
