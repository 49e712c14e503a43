/*
 * latency_plot - draws a latency_grid: durations on the left, times below, cells and the selection.
 * UI thread only.
 */
#ifndef PANES_LATENCY_PLOT_H
#define PANES_LATENCY_PLOT_H

#include "tui/panes/latency_grid.h"
#include "widgets/canvas/canvas.h"

#define LATENCY_LABEL_COLS 7 /* width of the duration labels on the left */
#define LATENCY_TIME_ROWS 1 /* number of rows of the time labels below */
#define LATENCY_SPAN_TEXT_BYTES 128

/* Number of cells that fit. */
struct latency_room {
	int rows, cols;
};

/* Draw labels, times and grid; fills the whole canvas. */
void latency_picture_draw(const struct latency_grid *grid, struct canvas *canvas);
/* Find the place drawn at a position of that canvas; false: not a cell. */
bool latency_picture_at(const struct latency_grid *grid, const struct latency_room *room, int row,
			int col, struct latency_place *place);

/* Format as "12.50s to 13.00s, 8.19us to 16.4us". */
void latency_span_format(char out[LATENCY_SPAN_TEXT_BYTES], const struct latency_span *span);

#endif
