/*
 * change_shapes - the durations of one row of changes as two histograms, bar beside bar, and its
 * errors below. Bars are shares of the calls of their side, on one scale for both. Draws on any
 * canvas: steps are joined where there are too few lines. UI thread only.
 */
#ifndef COMPARE_CHANGE_SHAPES_H
#define COMPARE_CHANGE_SHAPES_H

#include "tui/compare/comparison.h"
#include "widgets/canvas/canvas.h"

void change_shapes_draw(const struct comparison_row *row, struct canvas *canvas);
/* All of it as text, for copying; appended. */
void change_shapes_text(const struct comparison_row *row, struct str *out);

#endif
