/*
 * change_shapes - the durations of one row of changes as two histograms, side by side, with its
 * errors below.
 *
 * A bar shows the share of its side's calls with durations in one step; both sides have the same
 * scale. On a canvas with too few lines, steps are merged. UI thread only.
 */
#ifndef COMPARE_CHANGE_SHAPES_H
#define COMPARE_CHANGE_SHAPES_H

#include "tui/compare/comparison.h"
#include "widgets/canvas/canvas.h"

void change_shapes_draw(const struct comparison_row *row, struct canvas *canvas);
/* Append histograms and errors as text, for copying. */
void change_shapes_text(const struct comparison_row *row, struct str *out);

#endif
