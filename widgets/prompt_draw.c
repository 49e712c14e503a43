/* prompt_draw - the drawing part of prompt.h. */
#include "widgets/prompt.h"

#include "engine/base/utf8.h"

#include <string.h>

#define CANDIDATE_ROWS 8
/* Minimum number of columns for the typed text; a note that leaves fewer is not shown. */
#define NOTE_TEXT_COLS 20
#define NOTE_GAP 2

int prompt_rows(const struct prompt *prompt, int max_rows)
{
	int rows = 1;

	if (prompt->has_error)
		rows = 2;
	else if (prompt_is_choosing(prompt))
		rows += prompt->candidates.count < CANDIDATE_ROWS ? (int)prompt->candidates.count
								  : CANDIDATE_ROWS;
	else if (prompt->hint.len || prompt->keeps_row)
		rows = 2;
	return rows < max_rows ? rows : max_rows;
}

static int label_cols(const struct prompt *prompt)
{
	return utf8_text_width(prompt->label.data, prompt->label.len);
}

static int text_cols(const struct prompt *prompt, size_t offset)
{
	return utf8_text_width(prompt->text.data, offset);
}

/*
 * Draw a caret below the offset, and the text to its right, or to its left if it fits only there.
 */
static void draw_under(const struct prompt *prompt, struct canvas *canvas, size_t offset,
		       const struct str *text, enum role role)
{
	int at = label_cols(prompt) + text_cols(prompt, offset) - prompt->left_cols;
	int width = utf8_text_width(text->data, text->len);
	int start;

	if (at < 0)
		at = 0;
	if (at >= canvas->cols)
		at = canvas->cols - 1;
	start = at + 2;
	if (start + width > canvas->cols && at - 1 - width >= 0)
		start = at - 1 - width;
	else if (start + width > canvas->cols && at > 2 && width + 2 > canvas->cols - at) {
		/* If it fits on neither side, the text is more important than the caret. */
		canvas_field(canvas, 1, 0, canvas->cols, ALIGN_LEFT, role, text->data, text->len);
		return;
	}
	canvas_char(canvas, 1, at, '^', role);
	canvas_field(canvas, 1, start, canvas->cols - start < width ? canvas->cols - start : width,
		     ALIGN_LEFT, role, text->data, text->len);
}

static void draw_hint(const struct prompt *prompt, struct canvas *canvas)
{
	if (prompt->hint_offset == PROMPT_NO_PLACE)
		canvas_field(canvas, 1, 0, canvas->cols, ALIGN_LEFT, ROLE_DIM, prompt->hint.data,
			     prompt->hint.len);
	else
		draw_under(prompt, canvas, prompt->hint_offset, &prompt->hint, ROLE_DIM);
}

/* Return the index of the first visible candidate if `rows` candidates are visible. */
static int first_candidate(const struct prompt *prompt, int rows)
{
	int at = prompt->candidate_at;

	return at < rows ? 0 : at - rows + 1;
}

static void draw_candidates(const struct prompt *prompt, struct canvas *canvas)
{
	int rows = canvas->rows - 1, first = first_candidate(prompt, rows), wide = 0;
	int col = label_cols(prompt) + text_cols(prompt, prompt->candidates.word_start) -
		  prompt->left_cols;

	for (size_t i = 0; i < prompt->candidates.count; i++) {
		const char *text = prompt->candidates.items[i].text;
		int cols = utf8_text_width(text, strlen(text));

		wide = cols > wide ? cols : wide;
	}
	if (col < 0 || col + wide > canvas->cols)
		col = 0;
	for (int i = 0; i < rows && first + i < (int)prompt->candidates.count; i++) {
		const struct prompt_candidate *item = &prompt->candidates.items[first + i];

		canvas_text(canvas, 1 + i, col, ROLE_TEXT, item->text);
		if (item->note)
			canvas_text(canvas, 1 + i, col + wide + 2, ROLE_DIM, item->note);
		if (first + i == prompt->candidate_at)
			canvas_paint(canvas, (struct rect){ 1 + i, col, 1, wide }, ROLE_SELECTED);
	}
}

int prompt_draw(struct prompt *prompt, struct canvas *canvas)
{
	int label = label_cols(prompt), cursor = text_cols(prompt, prompt->cursor);
	int all = text_cols(prompt, prompt->text.len);
	int note = utf8_text_width(prompt->note.data, prompt->note.len);
	int room = canvas->cols - label;
	struct canvas field;

	if (room < 4) { /* the typed text is more important than the label */
		label = 0;
		room = canvas->cols;
	}
	canvas_clear(canvas);
	if (note && room - note - NOTE_GAP >= NOTE_TEXT_COLS) {
		room -= note + NOTE_GAP;
		canvas_text(canvas, 0, label + room + NOTE_GAP, ROLE_DIM, prompt->note.data);
	}
	if (cursor < prompt->left_cols)
		prompt->left_cols = cursor;
	if (cursor >= prompt->left_cols + room)
		prompt->left_cols = cursor - room + 1;
	/* Scroll back when the text got shorter or the field wider. */
	if (prompt->left_cols > all + 1 - room)
		prompt->left_cols = all + 1 > room ? all + 1 - room : 0;
	if (label)
		canvas_textn(canvas, 0, 0, ROLE_PROMPT, prompt->label.data, prompt->label.len);
	field = canvas_sub(canvas, (struct rect){ 0, label, 1, room });
	canvas_textn(&field, 0, -prompt->left_cols, ROLE_INPUT, prompt->text.data,
		     prompt->text.len);
	if (canvas->rows > 1 && prompt->has_error)
		draw_under(prompt, canvas, prompt->error_offset, &prompt->error, ROLE_ERROR);
	else if (canvas->rows > 1 && prompt_is_choosing(prompt))
		draw_candidates(prompt, canvas);
	else if (canvas->rows > 1 && prompt->hint.len)
		draw_hint(prompt, canvas);
	return label + cursor - prompt->left_cols;
}

void prompt_click(struct prompt *prompt, int row, int col)
{
	if (row == 0) {
		int cols = col - label_cols(prompt) + prompt->left_cols;

		prompt->cursor = cols <= 0 ? 0
					   : utf8_fit(prompt->text.data, prompt->text.len, cols);
	} else if (!prompt->has_error && prompt_is_choosing(prompt)) {
		int rows = prompt_rows(prompt, CANDIDATE_ROWS + 1) - 1;
		int index = first_candidate(prompt, rows) + row - 1;

		if (row > 0 && row <= rows && index < (int)prompt->candidates.count)
			prompt_pick(prompt, index);
	}
}
