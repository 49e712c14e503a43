/* bar - a row divided into labelled parts in proportion to their values. UI thread only. */
#ifndef WIDGETS_BAR_H
#define WIDGETS_BAR_H

#include "widgets/canvas/canvas.h"

#include <stdint.h>

struct bar_part {
	const char *label; /* drawn inside the part if it fits; NULL: none */
	uint64_t value;
	enum role role;
};

/*
 * Fill cols columns of a row. Each part with a value above 0 gets at least one column while there
 * are enough columns. total 0: the sum of the parts; a larger total leaves the remaining columns
 * blank.
 */
void bar_draw(struct canvas *canvas, int row, int col, int cols, const struct bar_part *parts,
	      size_t count, uint64_t total);

/* For a bar drawn with the same arguments, return the index of the part at col, -1 if none. */
int bar_at(int cols, const struct bar_part *parts, size_t count, uint64_t total, int col);

#endif
