/*
 * spectrogram - a grid of counts: columns by rows, brighter for higher counts.
 *
 * The caller provides the counts, the cursor and the selected rectangle. Brightness is logarithmic,
 * so that a single call among millions stays visible. Characters show the level too, for terminals
 * without colours. UI thread only.
 */
#ifndef WIDGETS_SPECTROGRAM_H
#define WIDGETS_SPECTROGRAM_H

#include "widgets/canvas/canvas.h"

#include <stdbool.h>
#include <stdint.h>

#define SPECTROGRAM_LEVELS 6

/* Cells from corner to corner, inclusive; rows count from the bottom. */
struct spectrogram_area {
	int first_col, last_col;
	int low_row, high_row;
};

struct spectrogram {
	const uint64_t *counts; /* column by column, each from its lowest row up; borrowed */
	int cols, rows;
	uint64_t max; /* count of the brightest cell; 0: the greatest of counts */
	bool has_cursor;
	int cursor_col, cursor_row;
	bool has_area;
	struct spectrogram_area area;
};

/* Fill the whole canvas: the last column is at the right, the first row at the bottom. */
void spectrogram_draw(const struct spectrogram *spectrogram, struct canvas *canvas);
/* Find the cell at a position of a canvas of the given size. False: none. */
bool spectrogram_at(const struct spectrogram *spectrogram, int canvas_rows, int canvas_cols,
		    int row, int col, int *cell_col, int *cell_row);
/* Return 0 for no count, else 1 … SPECTROGRAM_LEVELS. */
int spectrogram_level(uint64_t count, uint64_t max);

#endif
