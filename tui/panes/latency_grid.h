/*
 * latency_grid - cells of the latency heatmap and the selected rectangle.
 *
 * Columns are numbered from the start of collection and have the width of the zoom level. A column
 * therefore holds the same calls wherever it is on the screen. Rows are groups of logarithmic
 * duration steps (engine/model/latency_heatmap.h). The duration range grows with the calls seen and
 * shrinks only in latency_grid_forget(). UI thread only.
 */
#ifndef PANES_LATENCY_GRID_H
#define PANES_LATENCY_GRID_H

#include "engine/engine.h"

/* A position in time and duration; unaffected by scrolling. */
struct latency_place {
	uint64_t col;
	unsigned step;
};

struct latency_grid {
	int zoom;
	/* Result of the last latency_grid_read(). */
	int cols, rows; /* size in cells */
	unsigned per_row; /* duration steps per row */
	uint64_t first; /* number of the first column */
	uint64_t *counts; /* by column, the shortest durations first */
	uint64_t calls, max; /* number of calls in all cells; maximum in one cell */
	/* Durations seen so far: steps [low, high). */
	unsigned low, high;
	uint64_t (*read)[LATENCY_STEPS];
	size_t read_cols, cells;
	/* Selection of the user; cursor and mark are opposite corners of a rectangle. */
	bool has_cursor, has_mark;
	struct latency_place cursor, mark;
};

/* Extent of the selected rectangle, or of one cell. */
struct latency_span {
	uint64_t from_ns, until_ns; /* since the start of collection; until is exclusive */
	uint64_t low_ns, high_ns; /* high is exclusive; UINT64_MAX: no upper bound */
	uint64_t calls;
};

void latency_grid_init(struct latency_grid *grid);
void latency_grid_release(struct latency_grid *grid);

/*
 * Set the finest zoom that fits `ns` into `cols` columns. `usual`: not coarser than the default
 * zoom; if `ns` does not fit at that zoom, the heatmap scrolls.
 */
void latency_grid_fit(struct latency_grid *grid, uint64_t ns, int cols, bool usual);
uint64_t latency_grid_col_ns(const struct latency_grid *grid);
/* Read up to `cols` columns, the rightmost of which is column number `last`. */
void latency_grid_read(struct latency_grid *grid, struct engine *engine, uint64_t last, int cols,
		       int rows);
/* Reset the duration range, for example after a filter change. */
void latency_grid_forget(struct latency_grid *grid);
/* Change the zoom; cursor and mark stay at their times. False: no such zoom level. */
bool latency_grid_zoom(struct latency_grid *grid, int finer);

/* Return the column or the row of the cell of a place; it can be outside the grid. */
int latency_grid_cell_col(const struct latency_grid *grid, const struct latency_place *place);
int latency_grid_cell_row(const struct latency_grid *grid, const struct latency_place *place);
struct latency_place latency_grid_place(const struct latency_grid *grid, int col, int row);
/* Move the cursor, within the shown durations and not before the start. */
void latency_grid_step(struct latency_grid *grid, int cols, int rows);
/* Get the extent of one cell of the last read. */
void latency_grid_cell_span(const struct latency_grid *grid, int col, int row,
			    struct latency_span *span);
/* Get the extent of the selection; false: nothing is selected. */
bool latency_grid_span(const struct latency_grid *grid, struct latency_span *span);

#endif
