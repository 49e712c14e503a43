/*
 * histogram_bar - counts per bucket as one row of block characters, eight steps high.
 * Buckets are spread over the columns: several to one column are added, one to several columns
 * is repeated. With HISTOGRAM_BAR_LOG a step is a factor, so that rare outliers stay
 * visible beside common values. Empty is a blank, any count at least the lowest step. An ascii
 * canvas shows the steps as " .:-=+*#@". Any thread.
 */
#ifndef WIDGETS_HISTOGRAM_BAR_H
#define WIDGETS_HISTOGRAM_BAR_H

#include "engine/base/str.h"

#include <stdint.h>

enum histogram_scale { HISTOGRAM_BAR_LINEAR, HISTOGRAM_BAR_LOG };

/* Appends cols characters of UTF-8. */
void histogram_bar_format(struct str *out, const uint64_t *counts, size_t count, int cols,
			  enum histogram_scale scale);

/* The step 0..8 of count where max is the greatest. */
int histogram_bar_step(uint64_t count, uint64_t max, enum histogram_scale scale);
/* Appends the character of a step. */
void histogram_bar_add_step(struct str *out, int step);

#endif
