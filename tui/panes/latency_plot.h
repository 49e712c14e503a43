/*
 * latency_plot - a latency_grid on the screen: durations on the left, times below, the cells
 * and what is chosen among them. UI thread only.
 */
#ifndef PANES_LATENCY_PLOT_H
#define PANES_LATENCY_PLOT_H

#include "tui/panes/latency_grid.h"
#include "widgets/canvas/canvas.h"

#define LATENCY_LABEL_COLS 7 /* of durations, on the left */
#define LATENCY_TIME_ROWS 1 /* below */
#define LATENCY_SPAN_TEXT_BYTES 128

/* Cells that fit. */
struct latency_room {
	int rows, cols;
};

/* On the whole canvas, which has labels, times and the grid's room. */
void latency_picture_draw(const struct latency_grid *grid, struct canvas *canvas);
/* What is drawn at a place of that canvas; false: no cell. */
bool latency_picture_at(const struct latency_grid *grid, const struct latency_room *room, int row,
			int col, struct latency_place *place);

/* "12.50s to 13.00s, 8.19us to 16.4us" */
void latency_span_format(char out[LATENCY_SPAN_TEXT_BYTES], const struct latency_span *span);

#endif
