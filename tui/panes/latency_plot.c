#include "tui/panes/latency_plot.h"

#include "engine/base/units.h"
#include "widgets/spectrogram.h"

#include <stdio.h>
#include <string.h>

#define TICK_COLS 12 /* number of columns between two time labels */

/* Durations that are labelled on the scale. */
static const struct {
	uint64_t ns;
	const char *text;
} marks[] = {
	{ 1000, "1us" },      { 10000, "10us" },      { 100000, "100us" },  { 1000000, "1ms" },
	{ 10000000, "10ms" }, { 100000000, "100ms" }, { 1000000000, "1s" }, { 10000000000, "10s" },
};

static void format_time(char out[UNITS_TEXT_BYTES], uint64_t ns)
{
	snprintf(out, UNITS_TEXT_BYTES, "%.2fs", (double)ns / 1e9);
}

void latency_span_format(char out[LATENCY_SPAN_TEXT_BYTES], const struct latency_span *span)
{
	char low[UNITS_TEXT_BYTES], high[UNITS_TEXT_BYTES];
	char from[UNITS_TEXT_BYTES], until[UNITS_TEXT_BYTES];

	format_time(from, span->from_ns);
	format_time(until, span->until_ns);
	units_format_ns(low, span->low_ns);
	units_format_ns(high, span->high_ns);
	snprintf(out, LATENCY_SPAN_TEXT_BYTES, "%s to %s, %s%s%s", from, until, low,
		 span->high_ns == UINT64_MAX ? " or more" : " to ",
		 span->high_ns == UINT64_MAX ? "" : high);
}

/* A row that contains several labels shows the lowest. */
static void draw_scale(const struct latency_grid *grid, struct canvas *body, int rows)
{
	for (int row = 0; row < grid->rows && row < rows; row++) {
		unsigned step = grid->low + (unsigned)row * grid->per_row;
		uint64_t low = latency_step_low(step);
		uint64_t high = latency_step_low(step + grid->per_row);

		for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
			if (marks[i].ns < low || marks[i].ns >= high)
				continue;
			canvas_field(body, rows - 1 - row, 0, LATENCY_LABEL_COLS - 1, ALIGN_RIGHT,
				     ROLE_DIM, marks[i].text, strlen(marks[i].text));
			break;
		}
	}
}

static void draw_times(const struct latency_grid *grid, struct canvas *body, int row)
{
	int left = body->cols - grid->cols;

	for (int col = 0; col < grid->cols; col++) {
		uint64_t number = grid->first + (uint64_t)col;
		char text[UNITS_TEXT_BYTES];

		if (number % TICK_COLS)
			continue;
		format_time(text, number * latency_grid_col_ns(grid));
		if (left + col + (int)strlen(text) <= body->cols)
			canvas_text(body, row, left + col, ROLE_DIM, text);
	}
}

static struct spectrogram picture_of(const struct latency_grid *grid)
{
	return (struct spectrogram){
		.counts = grid->counts, .cols = grid->cols, .rows = grid->rows, .max = grid->max
	};
}

static void put_area(const struct latency_grid *grid, struct spectrogram *picture)
{
	int col = latency_grid_cell_col(grid, &grid->cursor), mark_col;
	int row = latency_grid_cell_row(grid, &grid->cursor), mark_row;

	picture->has_cursor = grid->has_cursor;
	picture->cursor_col = col;
	picture->cursor_row = row < 0 ? 0 : row;
	picture->has_area = grid->has_cursor && grid->has_mark;
	if (!picture->has_area)
		return;
	mark_col = latency_grid_cell_col(grid, &grid->mark);
	mark_row = latency_grid_cell_row(grid, &grid->mark);
	picture->area = (struct spectrogram_area){
		.first_col = col < mark_col ? col : mark_col,
		.last_col = col < mark_col ? mark_col : col,
		.low_row = row < mark_row ? row : mark_row,
		.high_row = row < mark_row ? mark_row : row,
	};
	if (picture->area.first_col < 0)
		picture->area.first_col = 0;
}

void latency_picture_draw(const struct latency_grid *grid, struct canvas *canvas)
{
	int rows = canvas->rows - LATENCY_TIME_ROWS;
	struct canvas body = canvas_sub(canvas, (struct rect){ 0, LATENCY_LABEL_COLS, rows,
							       canvas->cols - LATENCY_LABEL_COLS });
	struct spectrogram picture = picture_of(grid);

	if (!grid->cols || rows < 1 || grid->high <= grid->low)
		return;
	put_area(grid, &picture);
	if (grid->calls || grid->has_cursor)
		spectrogram_draw(&picture, &body);
	draw_scale(grid, canvas, rows);
	draw_times(grid, canvas, rows);
}

bool latency_picture_at(const struct latency_grid *grid, const struct latency_room *room, int row,
			int col, struct latency_place *place)
{
	const struct spectrogram picture = picture_of(grid);
	int cell_col, cell_row;

	if (!spectrogram_at(&picture, room->rows, room->cols, row, col - LATENCY_LABEL_COLS,
			    &cell_col, &cell_row))
		return false;
	*place = latency_grid_place(grid, cell_col, cell_row);
	return true;
}
