/*
 * latency_grid - the cells of the picture of latency over time, and the rectangle chosen in it.
 *
 * Columns are numbered from the start of collecting, all as wide as the zoom says, so that they
 * hold the same calls wherever they are on the screen; rows are some steps of the logarithm of
 * the duration (engine/model/latency_heatmap.h). The picture grows to what durations there are
 * and does not shrink again. UI thread only.
 */
#ifndef PANES_LATENCY_GRID_H
#define PANES_LATENCY_GRID_H

#include "engine/engine.h"

/* A place: it stays where it is while the picture scrolls. */
struct latency_place {
	uint64_t col;
	unsigned step;
};

struct latency_grid {
	int zoom;
	/* Of the last latency_grid_read(). */
	int cols, rows; /* cells */
	unsigned per_row; /* steps */
	uint64_t first; /* column */
	uint64_t *counts; /* column by column, the shortest durations first */
	uint64_t calls, max; /* in all of them, in one */
	/* What durations have been seen: steps [low, high). */
	unsigned low, high;
	uint64_t (*read)[LATENCY_STEPS];
	size_t read_cols, cells;
	/* What somebody chose; a rectangle has the cursor and the mark in opposite corners. */
	bool has_cursor, has_mark;
	struct latency_place cursor, mark;
};

/* What a rectangle, or the one cell of the cursor, stands for. */
struct latency_span {
	uint64_t from_ns, until_ns; /* since the start; exclusive */
	uint64_t low_ns, high_ns; /* exclusive; UINT64_MAX: no upper end */
	uint64_t calls;
};

void latency_grid_init(struct latency_grid *grid);
void latency_grid_release(struct latency_grid *grid);

/*
 * As fine as shows so much time in so many columns; with `usual` no coarser than it is at first,
 * so that the picture moves on from there.
 */
void latency_grid_fit(struct latency_grid *grid, uint64_t ns, int cols, bool usual);
uint64_t latency_grid_col_ns(const struct latency_grid *grid);
/* Reads the columns that end with `last`, as many as there is room for. */
void latency_grid_read(struct latency_grid *grid, struct engine *engine, uint64_t last, int cols,
		       int rows);
/* Another filter: what was seen before does not count. */
void latency_grid_forget(struct latency_grid *grid);
/* Finer or coarser columns, the cursor stays at its time; false: there are none. */
bool latency_grid_zoom(struct latency_grid *grid, int finer);

/* The cell of a place; it may lie outside. */
int latency_grid_cell_col(const struct latency_grid *grid, const struct latency_place *place);
int latency_grid_cell_row(const struct latency_grid *grid, const struct latency_place *place);
struct latency_place latency_grid_place(const struct latency_grid *grid, int col, int row);
/* Moves the cursor, within the durations that are shown and not before the start. */
void latency_grid_step(struct latency_grid *grid, int cols, int rows);
/* What one cell of the last reading stands for. */
void latency_grid_cell_span(const struct latency_grid *grid, int col, int row,
			    struct latency_span *span);
/* False: nothing is chosen. */
bool latency_grid_span(const struct latency_grid *grid, struct latency_span *span);

#endif
