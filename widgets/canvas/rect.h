/* rect - a rectangle of character cells. Rows count downwards, columns to the right, from 0. */
#ifndef CANVAS_RECT_H
#define CANVAS_RECT_H

#include <stdbool.h>

struct rect {
	int row, col;
	int rows, cols; /* empty if either is <= 0 */
};

static inline bool rect_is_empty(struct rect r)
{
	return r.rows <= 0 || r.cols <= 0;
}

static inline bool rect_contains(struct rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

static inline struct rect rect_intersect(struct rect a, struct rect b)
{
	int top = a.row > b.row ? a.row : b.row;
	int left = a.col > b.col ? a.col : b.col;
	int bottom = a.row + a.rows < b.row + b.rows ? a.row + a.rows : b.row + b.rows;
	int right = a.col + a.cols < b.col + b.cols ? a.col + a.cols : b.col + b.cols;
	struct rect r = { top, left, bottom - top, right - left };

	if (rect_is_empty(r))
		r.rows = r.cols = 0;
	return r;
}

#endif
