/*
 * spectrogram - a picture of counts: columns by rows, brighter where there is more.
 *
 * Knows nothing of what is counted: the caller has the counts and says where a cursor is and
 * which rectangle is chosen. The brightness is of the logarithm, so that one among millions
 * is still to be seen; it is told by characters too, for screens without colours. UI thread.
 */
#ifndef WIDGETS_SPECTROGRAM_H
#define WIDGETS_SPECTROGRAM_H

#include "widgets/canvas/canvas.h"

#include <stdbool.h>
#include <stdint.h>

#define SPECTROGRAM_LEVELS 6

/* Cells from corner to corner, both inside; rows count from the bottom. */
struct spectrogram_area {
	int first_col, last_col;
	int low_row, high_row;
};

struct spectrogram {
	const uint64_t *counts; /* column by column, in each the lowest row first; borrowed */
	int cols, rows;
	uint64_t max; /* what is brightest; 0: the greatest of them */
	bool has_cursor;
	int cursor_col, cursor_row;
	bool has_area;
	struct spectrogram_area area;
};

/* On the whole canvas: the last column at the right, the first row at the bottom. */
void spectrogram_draw(const struct spectrogram *spectrogram, struct canvas *canvas);
/* The cell at a place of a canvas of that size; false: there is none. */
bool spectrogram_at(const struct spectrogram *spectrogram, int canvas_rows, int canvas_cols,
		    int row, int col, int *cell_col, int *cell_row);
/* 0 for nothing, 1 … SPECTROGRAM_LEVELS. */
int spectrogram_level(uint64_t count, uint64_t max);

#endif
