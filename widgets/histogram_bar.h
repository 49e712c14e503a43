/*
 * histogram_bar - counts per bucket as one row of block characters, eight steps high.
 *
 * Buckets are spread over the columns: several buckets in one column are added, one bucket over
 * several columns is repeated. With HISTOGRAM_BAR_LOG, each step multiplies the count by one
 * factor, so that rare outliers stay visible beside common values. A count of 0 is a blank; any
 * other count gets at least the lowest step. An ascii canvas shows the steps as " .:-=+*#@". Any
 * thread.
 */
#ifndef WIDGETS_HISTOGRAM_BAR_H
#define WIDGETS_HISTOGRAM_BAR_H

#include "engine/base/str.h"

#include <stdint.h>

enum histogram_scale { HISTOGRAM_BAR_LINEAR, HISTOGRAM_BAR_LOG };

/* Append cols UTF-8 characters to out. */
void histogram_bar_format(struct str *out, const uint64_t *counts, size_t count, int cols,
			  enum histogram_scale scale);

/* Return the step 0..8 of count; max is the greatest count. */
int histogram_bar_step(uint64_t count, uint64_t max, enum histogram_scale scale);
/* Append the character of a step to out. */
void histogram_bar_add_step(struct str *out, int step);

#endif
