/* sparkline - values over time as one row of block characters, newest at the right. Any thread. */
#ifndef WIDGETS_SPARKLINE_H
#define WIDGETS_SPARKLINE_H

#include "engine/base/str.h"

#include <stdint.h>

/*
 * Append cols UTF-8 characters for the last cols values; missing values are blanks on the left. max
 * is the value of a full block, 0: the greatest value shown. A value of 0 is a blank; any other
 * value gets at least the lowest block.
 */
void sparkline_format(struct str *out, const uint64_t *values, size_t count, int cols,
		      uint64_t max);

#endif
