#include "widgets/prompt.h"

#include "engine/base/mem.h"
#include "engine/base/utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- candidates ---- */

void prompt_candidates_add(struct prompt_candidates *candidates, const char *text, const char *note)
{
	if (candidates->count >= PROMPT_MAX_CANDIDATES)
		return;
	candidates->items = mem_grow(candidates->items, &candidates->capacity,
				     candidates->count + 1, sizeof(*candidates->items));
	candidates->items[candidates->count++] = (struct prompt_candidate){
		.text = mem_strdup(text),
		.note = note ? mem_strdup(note) : NULL,
	};
}

static void drop_candidates(struct prompt *prompt)
{
	struct prompt_candidates *candidates = &prompt->candidates;

	for (size_t i = 0; i < candidates->count; i++) {
		free(candidates->items[i].text);
		free(candidates->items[i].note);
	}
	free(candidates->items);
	*candidates = (struct prompt_candidates){ .items = NULL };
	prompt->candidate_at = -1;
}

/* ---- text ---- */

static void copy(struct str *to, const char *text, size_t len)
{
	str_clear(to);
	str_addn(to, text, len);
}

/* Drop the error and the candidates, which depend on the text. */
static void changed(struct prompt *prompt)
{
	prompt_clear_error(prompt);
	drop_candidates(prompt);
}

static void replace(struct prompt *prompt, size_t from, size_t to, const char *with, size_t len)
{
	struct str text = STR_INIT;

	str_addn(&text, prompt->text.data, from);
	str_addn(&text, with, len);
	str_addn(&text, prompt->text.data + to, prompt->text.len - to);
	str_release(&prompt->text);
	prompt->text = text;
	prompt->cursor = from + len;
}

void prompt_init(struct prompt *prompt)
{
	*prompt = (struct prompt){
		.label = STR_INIT,
		.text = STR_INIT,
		.error = STR_INIT,
		.draft = STR_INIT,
		.note = STR_INIT,
		.hint = STR_INIT,
		.candidate_at = -1,
	};
}

void prompt_release(struct prompt *prompt)
{
	drop_candidates(prompt);
	str_release(&prompt->label);
	str_release(&prompt->text);
	str_release(&prompt->error);
	str_release(&prompt->draft);
	str_release(&prompt->note);
	str_release(&prompt->hint);
}

void prompt_open(struct prompt *prompt, const char *label, const char *text,
		 struct line_history *history, prompt_complete_fn complete, void *complete_data)
{
	copy(&prompt->label, label, strlen(label));
	str_clear(&prompt->draft);
	str_clear(&prompt->note);
	str_clear(&prompt->hint);
	prompt->keeps_row = false;
	prompt->history = history;
	prompt->history_at = 0;
	prompt->complete = complete;
	prompt->complete_data = complete_data;
	prompt->left_cols = 0;
	prompt_set_text(prompt, text);
}

const char *prompt_text(const struct prompt *prompt)
{
	return prompt->text.data;
}

void prompt_set_text(struct prompt *prompt, const char *text)
{
	str_clear(&prompt->text);
	prompt->cursor = 0;
	changed(prompt);
	prompt_insert(prompt, text, strlen(text));
}

static void say_too_long(struct prompt *prompt)
{
	char text[80];

	snprintf(text, sizeof(text), "too long: a line has at most %d bytes", PROMPT_MAX_BYTES);
	prompt_set_error(prompt, prompt->cursor, text);
}

void prompt_insert(struct prompt *prompt, const char *text, size_t len)
{
	struct str clean = STR_INIT;

	for (size_t i = 0; i < len;) {
		uint32_t code;
		size_t n = utf8_decode(text + i, len - i, &code);
		bool control = n && (code < ' ' || (code >= 0x7f && code < 0xa0));

		if (!n)
			str_addc(&clean, '?');
		else if (control)
			str_addc(&clean, ' ');
		else
			str_addn(&clean, text + i, n);
		i += n ? n : 1;
	}
	if (clean.len > PROMPT_MAX_BYTES - prompt->text.len) {
		say_too_long(prompt);
	} else if (clean.len) {
		replace(prompt, prompt->cursor, prompt->cursor, clean.data, clean.len);
		changed(prompt);
	}
	str_release(&clean);
}

void prompt_insert_char(struct prompt *prompt, uint32_t code)
{
	char bytes[4];
	size_t len = utf8_encode(code, bytes);

	prompt_insert(prompt, bytes, len);
}

/* ---- editing ---- */

/* Return the start of the character before `at`, including its combining characters. */
static size_t before(const struct prompt *prompt, size_t at)
{
	uint32_t code;

	do {
		do
			at -= at > 0;
		while (at > 0 && ((unsigned char)prompt->text.data[at] & 0xc0) == 0x80);
	} while (at > 0 && utf8_decode(prompt->text.data + at, prompt->text.len - at, &code) &&
		 utf8_width(code) == 0);
	return at;
}

static size_t after(const struct prompt *prompt, size_t at)
{
	uint32_t code;
	size_t n;

	for (bool first = true;; first = false) {
		n = utf8_decode(prompt->text.data + at, prompt->text.len - at, &code);
		if (!n || (!first && utf8_width(code) != 0))
			return at;
		at += n;
	}
}

static bool is_word(const struct prompt *prompt, size_t at)
{
	unsigned char c = (unsigned char)prompt->text.data[at];

	return c >= 0x80 || isalnum(c) || c == '_';
}

static size_t word_left(const struct prompt *prompt)
{
	size_t at = prompt->cursor;

	while (at > 0 && !is_word(prompt, at - 1))
		at--;
	while (at > 0 && is_word(prompt, at - 1))
		at--;
	return at;
}

static size_t word_right(const struct prompt *prompt)
{
	size_t at = prompt->cursor;

	while (at < prompt->text.len && !is_word(prompt, at))
		at++;
	while (at < prompt->text.len && is_word(prompt, at))
		at++;
	return at;
}

static bool move_cursor(struct prompt *prompt, size_t at)
{
	bool moved = at != prompt->cursor;

	prompt->cursor = at;
	drop_candidates(prompt);
	return moved;
}

static bool erase(struct prompt *prompt, size_t from, size_t to)
{
	if (from >= to)
		return false;
	replace(prompt, from, to, "", 0);
	changed(prompt);
	return true;
}

static bool show_history(struct prompt *prompt, size_t at)
{
	const char *line = at ? NULL : prompt->draft.data;
	size_t was = prompt->history_at;

	if (at && prompt->history)
		line = line_history_get(prompt->history, at - 1);
	if (!line)
		return false;
	if (!was)
		copy(&prompt->draft, prompt->text.data, prompt->text.len);
	prompt->history_at = at;
	prompt_set_text(prompt, line);
	return true;
}

/* ---- completion ---- */

static size_t common_prefix(const struct prompt_candidates *candidates)
{
	const char *first = candidates->items[0].text;
	size_t len = strlen(first);

	for (size_t i = 1; i < candidates->count; i++) {
		size_t same = 0;

		while (same < len && candidates->items[i].text[same] == first[same])
			same++;
		len = same;
	}
	while (len > 0 && ((unsigned char)first[len] & 0xc0) == 0x80)
		len--; /* do not end in the middle of a character */
	return len;
}

void prompt_pick(struct prompt *prompt, int index)
{
	const char *text = prompt->candidates.items[index].text;

	if (prompt->text.len + strlen(text) > PROMPT_MAX_BYTES)
		return;
	replace(prompt, prompt->candidates.word_start, prompt->candidate_end, text, strlen(text));
	prompt->candidate_end = prompt->cursor;
	prompt->candidate_at = index;
	prompt_clear_error(prompt);
}

static bool complete(struct prompt *prompt, int step)
{
	struct prompt_candidates *candidates = &prompt->candidates;
	size_t common;

	if (!prompt->complete)
		return false;
	if (candidates->count > 1) { /* already listed: step through the candidates */
		int count = (int)candidates->count, at = prompt->candidate_at;

		at = at < 0 ? (step > 0 ? 0 : count - 1) : (at + step + count) % count;
		prompt_pick(prompt, at);
		return true;
	}
	drop_candidates(prompt);
	candidates->word_start = prompt->cursor;
	prompt->complete(prompt->complete_data, prompt->text.data, prompt->cursor, candidates);
	if (candidates->word_start > prompt->cursor)
		candidates->word_start = prompt->cursor;
	if (!candidates->count)
		return false;
	common = common_prefix(candidates);
	if (candidates->count == 1 || common > prompt->cursor - candidates->word_start) {
		if (prompt->text.len + common <= PROMPT_MAX_BYTES)
			replace(prompt, candidates->word_start, prompt->cursor,
				candidates->items[0].text, common);
		prompt_clear_error(prompt);
	}
	prompt->candidate_end = prompt->cursor;
	if (candidates->count == 1)
		drop_candidates(prompt);
	return true;
}

bool prompt_edit(struct prompt *prompt, enum prompt_edit edit)
{
	size_t cursor = prompt->cursor;

	switch (edit) {
	case PROMPT_LEFT:
		return move_cursor(prompt, before(prompt, cursor));
	case PROMPT_RIGHT:
		return move_cursor(prompt, after(prompt, cursor));
	case PROMPT_WORD_LEFT:
		return move_cursor(prompt, word_left(prompt));
	case PROMPT_WORD_RIGHT:
		return move_cursor(prompt, word_right(prompt));
	case PROMPT_HOME:
		return move_cursor(prompt, 0);
	case PROMPT_END:
		return move_cursor(prompt, prompt->text.len);
	case PROMPT_BACKSPACE:
		return erase(prompt, before(prompt, cursor), cursor);
	case PROMPT_DELETE:
		return erase(prompt, cursor, after(prompt, cursor));
	case PROMPT_KILL_WORD:
		return erase(prompt, word_left(prompt), cursor);
	case PROMPT_KILL_TO_START:
		return erase(prompt, 0, cursor);
	case PROMPT_KILL_TO_END:
		return erase(prompt, cursor, prompt->text.len);
	case PROMPT_HISTORY_OLDER:
		return show_history(prompt, prompt->history_at + 1);
	case PROMPT_HISTORY_NEWER:
		return prompt->history_at && show_history(prompt, prompt->history_at - 1);
	case PROMPT_COMPLETE:
		return complete(prompt, 1);
	case PROMPT_COMPLETE_BACK:
		return complete(prompt, -1);
	}
	return false;
}

void prompt_set_error(struct prompt *prompt, size_t offset, const char *text)
{
	copy(&prompt->error, text, strlen(text));
	prompt->error_offset = offset < prompt->text.len ? offset : prompt->text.len;
	prompt->has_error = true;
}

void prompt_clear_error(struct prompt *prompt)
{
	prompt->has_error = false;
}

void prompt_set_hint(struct prompt *prompt, size_t offset, const char *text)
{
	copy(&prompt->hint, text, strlen(text));
	prompt->hint_offset = offset == PROMPT_NO_PLACE || offset < prompt->text.len
				      ? offset
				      : prompt->text.len;
}

void prompt_set_note(struct prompt *prompt, const char *text)
{
	copy(&prompt->note, text, strlen(text));
}

bool prompt_is_choosing(const struct prompt *prompt)
{
	return prompt->candidates.count > 1;
}

void prompt_stop_choosing(struct prompt *prompt)
{
	drop_candidates(prompt);
}

void prompt_remember(struct prompt *prompt)
{
	if (prompt->history)
		line_history_add(prompt->history, prompt->text.data);
}
