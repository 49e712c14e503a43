/* bar - a row divided into named parts in proportion to their values. UI thread only. */
#ifndef WIDGETS_BAR_H
#define WIDGETS_BAR_H

#include "widgets/canvas/canvas.h"

#include <stdint.h>

struct bar_part {
	const char *label; /* drawn inside where it fits; may be NULL */
	uint64_t value;
	enum role role;
};

/*
 * Fills cols columns of a row. Every part that is not 0 gets at least one column while there are
 * enough; total above the sum of the parts leaves the rest blank, 0 means the sum.
 */
void bar_draw(struct canvas *canvas, int row, int col, int cols, const struct bar_part *parts,
	      size_t count, uint64_t total);

/* The part at column col of such a bar, -1: none. */
int bar_at(int cols, const struct bar_part *parts, size_t count, uint64_t total, int col);

#endif
