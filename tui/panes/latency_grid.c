#include "tui/panes/latency_grid.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Number of heatmap slots per column, by zoom level: columns of 50 ms to 10 s. */
static const unsigned widths[] = { 1, 2, 5, 10, 20, 40, 100, 200 };

#define ZOOMS ((int)(sizeof(widths) / sizeof(widths[0])))
#define ZOOM_FIRST 3

void latency_grid_init(struct latency_grid *grid)
{
	memset(grid, 0, sizeof(*grid));
	grid->zoom = ZOOM_FIRST;
	grid->per_row = 1;
	latency_grid_forget(grid);
}

void latency_grid_release(struct latency_grid *grid)
{
	free(grid->counts);
	free(grid->read);
}

void latency_grid_forget(struct latency_grid *grid)
{
	grid->low = LATENCY_STEPS;
	grid->high = 0;
}

uint64_t latency_grid_col_ns(const struct latency_grid *grid)
{
	return widths[grid->zoom] * LATENCY_SLOT_NS;
}

void latency_grid_fit(struct latency_grid *grid, uint64_t ns, int cols, bool usual)
{
	int coarsest = usual ? ZOOM_FIRST : ZOOMS - 1;

	for (grid->zoom = 0; grid->zoom < coarsest; grid->zoom++)
		if (ns / latency_grid_col_ns(grid) < (uint64_t)cols)
			break;
}

static void make_room(struct latency_grid *grid, size_t cols, size_t rows)
{
	if (grid->read_cols < cols) {
		free(grid->read);
		grid->read = mem_zalloc(cols, sizeof(*grid->read));
		grid->read_cols = cols;
	}
	if (grid->cells < cols * rows) {
		free(grid->counts);
		grid->counts = mem_zalloc(cols * rows, sizeof(*grid->counts));
		grid->cells = cols * rows;
	}
}

/* Widen the shown range to the durations read. */
static void widen(struct latency_grid *grid)
{
	for (int col = 0; col < grid->cols; col++) {
		for (unsigned step = 0; step < LATENCY_STEPS; step++) {
			if (!grid->read[col][step])
				continue;
			if (step < grid->low)
				grid->low = step;
			if (step >= grid->high)
				grid->high = step + 1;
		}
	}
}

/* Group steps into rows. Each row gets the same number of steps, as few as fit. */
static void gather(struct latency_grid *grid, int rows)
{
	unsigned steps = grid->high > grid->low ? grid->high - grid->low : 1;

	grid->per_row = (steps + (unsigned)rows - 1) / (unsigned)rows;
	grid->rows = (int)((steps + grid->per_row - 1) / grid->per_row);
	grid->calls = grid->max = 0;
	memset(grid->counts, 0, (size_t)grid->cols * (size_t)grid->rows * sizeof(*grid->counts));
	for (int col = 0; col < grid->cols; col++) {
		uint64_t *cells = grid->counts + (size_t)col * (size_t)grid->rows;

		for (unsigned step = grid->low; step < grid->high; step++) {
			uint64_t *cell = &cells[(step - grid->low) / grid->per_row];

			*cell += grid->read[col][step];
			grid->calls += grid->read[col][step];
			if (*cell > grid->max)
				grid->max = *cell;
		}
	}
}

void latency_grid_read(struct latency_grid *grid, struct engine *engine, uint64_t last, int cols,
		       int rows)
{
	grid->cols = cols > 0 ? cols : 1;
	if ((uint64_t)grid->cols > last + 1)
		grid->cols = (int)(last + 1);
	rows = rows > 0 ? rows : 1;
	make_room(grid, (size_t)grid->cols, (size_t)rows);
	grid->first = last + 1 - (uint64_t)grid->cols;
	engine_latencies(engine, grid->first * widths[grid->zoom], widths[grid->zoom],
			 (size_t)grid->cols, grid->read);
	widen(grid);
	gather(grid, rows);
}

/* ---- places ---- */

int latency_grid_cell_col(const struct latency_grid *grid, const struct latency_place *place)
{
	return (int)((int64_t)place->col - (int64_t)grid->first);
}

int latency_grid_cell_row(const struct latency_grid *grid, const struct latency_place *place)
{
	return place->step < grid->low ? -1 : (int)((place->step - grid->low) / grid->per_row);
}

struct latency_place latency_grid_place(const struct latency_grid *grid, int col, int row)
{
	return (struct latency_place){
		.col = grid->first + (uint64_t)col,
		.step = grid->low + (unsigned)row * grid->per_row,
	};
}

static int within(int value, int max)
{
	return value < 0 ? 0 : value > max ? max : value;
}

void latency_grid_step(struct latency_grid *grid, int cols, int rows)
{
	int row = within(latency_grid_cell_row(grid, &grid->cursor) + rows, grid->rows - 1);
	uint64_t col = grid->cursor.col;

	if (cols < 0 && col < (uint64_t)-cols)
		col = 0;
	else
		col += (uint64_t)(int64_t)cols;
	grid->cursor = latency_grid_place(grid, 0, row);
	grid->cursor.col = col;
}

bool latency_grid_zoom(struct latency_grid *grid, int finer)
{
	int zoom = grid->zoom - finer;
	unsigned before = widths[grid->zoom];

	if (zoom < 0 || zoom >= ZOOMS)
		return false;
	grid->zoom = zoom;
	grid->cursor.col = grid->cursor.col * before / widths[zoom];
	grid->mark.col = grid->mark.col * before / widths[zoom];
	return true;
}

/* Get the durations of a range of rows: each row covers per_row steps. */
static void span_of_rows(const struct latency_grid *grid, int low, int high,
			 struct latency_span *span)
{
	unsigned above = grid->low + (unsigned)(high + 1) * grid->per_row;

	span->low_ns = latency_step_low(grid->low + (unsigned)low * grid->per_row);
	span->high_ns = above < LATENCY_STEPS ? latency_step_low(above) : UINT64_MAX;
}

void latency_grid_cell_span(const struct latency_grid *grid, int col, int row,
			    struct latency_span *span)
{
	uint64_t at = grid->first + (uint64_t)col;

	span->from_ns = at * latency_grid_col_ns(grid);
	span->until_ns = (at + 1) * latency_grid_col_ns(grid);
	span_of_rows(grid, row, row, span);
	span->calls = grid->counts[(size_t)col * (size_t)grid->rows + (size_t)row];
}

bool latency_grid_span(const struct latency_grid *grid, struct latency_span *span)
{
	const struct latency_place *other = grid->has_mark ? &grid->mark : &grid->cursor;
	uint64_t first = other->col < grid->cursor.col ? other->col : grid->cursor.col;
	uint64_t last = other->col < grid->cursor.col ? grid->cursor.col : other->col;
	int a = within(latency_grid_cell_row(grid, &grid->cursor), grid->rows - 1);
	int b = within(latency_grid_cell_row(grid, other), grid->rows - 1);
	int low = a < b ? a : b, high = a < b ? b : a;

	memset(span, 0, sizeof(*span));
	if (!grid->has_cursor || !grid->cols)
		return false;
	span->from_ns = first * latency_grid_col_ns(grid);
	span->until_ns = (last + 1) * latency_grid_col_ns(grid);
	span_of_rows(grid, low, high, span);
	for (uint64_t col = first; col <= last; col++) {
		if (col < grid->first || col >= grid->first + (uint64_t)grid->cols)
			continue;
		for (int row = low; row <= high; row++)
			span->calls += grid->counts[(col - grid->first) * (uint64_t)grid->rows +
						    (uint64_t)row];
	}
	return true;
}
