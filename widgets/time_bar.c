#include "widgets/time_bar.h"

#include "engine/base/utf8.h"
#include "widgets/canvas/glyph.h"
#include "widgets/histogram_bar.h"

#include <string.h>

#define LINE_MIN_COLS 8 /* minimum to show positions; texts are omitted to reach it */
#define LINE_GOOD_COLS 30 /* minimum if the ends are labelled too */
#define NOTE_FROM_COLS 140 /* width of a single row that has room for a note */
#define MOST_COLS 1024 /* maximum width of the line */

enum text_id { TEXT_STATE, TEXT_AT, TEXT_NOTE, TEXT_FIRST, TEXT_LAST, TEXT_COUNT };

/* Positions of the line and of the texts. */
struct places {
	int line_col, line_cols;
	int text_row; /* row of all texts except those at the ends, which are on row 0 */
	const char *texts[TEXT_COUNT]; /* texts that fit */
};

static int text_cols(const char *text)
{
	return text && *text ? utf8_text_width(text, strlen(text)) : 0;
}

/* Return the width including the gap to the next text. */
static int field_cols(const char *text, int gap)
{
	int cols = text_cols(text);

	return cols ? cols + gap : 0;
}

static int line_room(const struct places *places, int cols)
{
	int left = cols > LINE_MIN_COLS ? cols - 2 : cols; /* a blank on either side */

	left -= field_cols(places->texts[TEXT_FIRST], 1) + field_cols(places->texts[TEXT_LAST], 1);
	if (!places->text_row)
		left -= field_cols(places->texts[TEXT_STATE], 2) +
			field_cols(places->texts[TEXT_AT], 1) +
			field_cols(places->texts[TEXT_NOTE], 2);
	return left;
}

/* Omit texts, the least important first, until the line has enough columns. */
static void place(const struct time_bar *bar, int rows, int cols, struct places *places)
{
	*places = (struct places){ .text_row = rows >= TIME_BAR_ROWS,
				   .texts = { [TEXT_STATE] = bar->state,
					      [TEXT_AT] = bar->at,
					      [TEXT_NOTE] = bar->note,
					      [TEXT_FIRST] = bar->first,
					      [TEXT_LAST] = bar->last } };

	if (!places->text_row && cols < NOTE_FROM_COLS)
		places->texts[TEXT_NOTE] = NULL;
	if (line_room(places, cols) < LINE_GOOD_COLS)
		places->texts[TEXT_FIRST] = NULL;
	if (line_room(places, cols) < LINE_GOOD_COLS)
		places->texts[TEXT_LAST] = NULL;
	if (line_room(places, cols) < LINE_GOOD_COLS || text_cols(bar->state) > cols - 2)
		places->texts[TEXT_STATE] = bar->short_state;
	if (line_room(places, cols) < LINE_MIN_COLS)
		places->texts[TEXT_AT] = NULL;
	if (line_room(places, cols) < LINE_MIN_COLS)
		places->texts[TEXT_STATE] = NULL;
	places->line_cols = line_room(places, cols);
	places->line_cols = places->line_cols > MOST_COLS ? MOST_COLS : places->line_cols;
	places->line_col = cols > LINE_MIN_COLS;
	if (!places->text_row)
		places->line_col += field_cols(places->texts[TEXT_STATE], 2) +
				    field_cols(places->texts[TEXT_AT], 1) +
				    field_cols(places->texts[TEXT_NOTE], 2);
	places->line_col += field_cols(places->texts[TEXT_FIRST], 1);
}

/* ---- times and columns ---- */

static uint64_t share(uint64_t whole, uint64_t part, uint64_t of)
{
	return of ? (uint64_t)((unsigned __int128)whole * part / of) : 0;
}

static uint64_t column_time(const struct time_bar *bar, int cols, int col)
{
	uint64_t ns = bar->until_ns > bar->from_ns ? bar->until_ns - bar->from_ns : 0;

	if (col <= 0)
		return bar->from_ns;
	return col >= cols - 1 ? bar->from_ns + ns
			       : bar->from_ns + share(ns, (uint64_t)col, (uint64_t)cols - 1);
}

/* Return the nearest column, the inverse of column_time(). -1: before the line, cols: after it. */
static int time_column(const struct time_bar *bar, int cols, uint64_t time_ns)
{
	uint64_t ns = bar->until_ns - bar->from_ns;

	if (time_ns < bar->from_ns)
		return -1;
	if (time_ns > bar->until_ns)
		return cols;
	if (bar->until_ns <= bar->from_ns)
		return 0;
	return (int)(((unsigned __int128)(time_ns - bar->from_ns) * (uint64_t)(cols - 1) + ns / 2) /
		     ns);
}

/* ---- line ---- */

/*
 * Sum the counts of a column. A part counts where it begins; a part wider than a column is
 * repeated.
 */
static uint64_t add_up(const struct time_bar *bar, uint64_t from, uint64_t until)
{
	uint64_t ns = bar->counts_until_ns - bar->counts_from_ns, sum = 0, first, end;

	if (bar->counts_until_ns <= bar->counts_from_ns || until <= bar->counts_from_ns ||
	    from >= bar->counts_until_ns)
		return 0;
	from = from > bar->counts_from_ns ? from - bar->counts_from_ns : 0;
	first = share(bar->count, from, ns);
	end = share(bar->count, until - bar->counts_from_ns, ns);
	end = end > first ? end : first + 1;
	for (uint64_t i = first; i < end && i < bar->count; i++)
		sum += bar->counts[i];
	return sum;
}

static enum role column_role(const struct time_bar *bar, uint64_t time_ns)
{
	if (bar->has_span && (time_ns < bar->span_from_ns || time_ns > bar->span_until_ns))
		return ROLE_DIM;
	return time_ns <= bar->at_ns ? ROLE_BAR : ROLE_BAR_OTHER;
}

static void draw_counts(const struct time_bar *bar, struct canvas *line)
{
	uint64_t sums[MOST_COLS], max = 0, cols = (uint64_t)line->cols;
	uint64_t ns = bar->until_ns > bar->from_ns ? bar->until_ns - bar->from_ns : 0;

	for (uint64_t col = 0; col < cols; col++) {
		sums[col] = add_up(bar, bar->from_ns + share(ns, col, cols),
				   bar->from_ns + share(ns, col + 1, cols));
		max = sums[col] > max ? sums[col] : max;
	}
	for (int col = 0; col < line->cols; col++) {
		uint64_t time_ns = column_time(bar, line->cols, col);
		int step = histogram_bar_step(sums[col], max, HISTOGRAM_BAR_LINEAR);

		if (time_ns > bar->known_ns)
			canvas_char(line, 0, col, GLYPH_ELLIPSIS, ROLE_DIM);
		else
			canvas_char(line, 0, col, step ? GLYPH_BLOCK_1 + (uint32_t)step - 1 : ' ',
				    column_role(bar, time_ns));
	}
}

static void draw_line(const struct time_bar *bar, struct canvas *line)
{
	if (line->cols < 1)
		return;
	draw_counts(bar, line);
	if (bar->has_span) {
		canvas_char(line, 0, time_column(bar, line->cols, bar->span_from_ns), '[',
			    ROLE_STRONG);
		canvas_char(line, 0, time_column(bar, line->cols, bar->span_until_ns), ']',
			    ROLE_STRONG);
	}
	if (bar->has_mark)
		canvas_char(line, 0, time_column(bar, line->cols, bar->mark_ns), '(', ROLE_KEY);
	canvas_char(line, 0, time_column(bar, line->cols, bar->at_ns), GLYPH_VLINE, ROLE_SELECTED);
}

static int draw_text(struct canvas *canvas, int row, int col, int gap, enum role role,
		     const char *text)
{
	int cols = text_cols(text);

	if (!cols)
		return col;
	canvas_field(canvas, row, col, canvas->cols - col, ALIGN_LEFT, role, text, strlen(text));
	return col + cols + gap;
}

void time_bar_draw(const struct time_bar *bar, struct canvas *canvas)
{
	struct places places;
	struct canvas line;
	int col;

	canvas_fill(canvas, canvas_rect(canvas), ' ', ROLE_TEXT);
	place(bar, canvas->rows, canvas->cols, &places);
	col = canvas->cols > LINE_MIN_COLS;
	col = draw_text(canvas, places.text_row, col, 2, bar->state_role, places.texts[TEXT_STATE]);
	col = draw_text(canvas, places.text_row, col, places.text_row ? 2 : 1, ROLE_STRONG,
			places.texts[TEXT_AT]);
	draw_text(canvas, places.text_row, col, 0, ROLE_DIM, places.texts[TEXT_NOTE]);
	if (places.line_cols < 1)
		return;
	col = text_cols(places.texts[TEXT_FIRST]);
	draw_text(canvas, 0, places.line_col - col - 1, 0, ROLE_DIM, places.texts[TEXT_FIRST]);
	draw_text(canvas, 0, places.line_col + places.line_cols + 1, 0, ROLE_DIM,
		  places.texts[TEXT_LAST]);
	line = canvas_sub(canvas, (struct rect){ 0, places.line_col, 1, places.line_cols });
	draw_line(bar, &line);
}

/* ---- positions ---- */

uint64_t time_bar_nearest(const struct time_bar *bar, int rows, int cols, int col)
{
	struct places places;

	place(bar, rows, cols, &places);
	return column_time(bar, places.line_cols, col - places.line_col);
}

bool time_bar_at(const struct time_bar *bar, int rows, int cols, int row, int col,
		 uint64_t *time_ns)
{
	struct places places;

	place(bar, rows, cols, &places);
	if (row != 0 || col < places.line_col || col >= places.line_col + places.line_cols)
		return false;
	*time_ns = column_time(bar, places.line_cols, col - places.line_col);
	return true;
}
