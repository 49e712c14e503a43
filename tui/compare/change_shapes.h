/*
 * change_shapes - the durations of one row of changes as two histograms, bar next to bar, with its
 * errors below.
 *
 * A bar is the share of the calls of its side; both sides have one scale. Fits any canvas: with too
 * few lines, steps are merged. UI thread only.
 */
#ifndef COMPARE_CHANGE_SHAPES_H
#define COMPARE_CHANGE_SHAPES_H

#include "tui/compare/comparison.h"
#include "widgets/canvas/canvas.h"

void change_shapes_draw(const struct comparison_row *row, struct canvas *canvas);
/* Append histograms and errors as text, for copying. */
void change_shapes_text(const struct comparison_row *row, struct str *out);

#endif
