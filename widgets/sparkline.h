/* sparkline - values over time as one row of block characters, newest at the right. Any thread. */
#ifndef WIDGETS_SPARKLINE_H
#define WIDGETS_SPARKLINE_H

#include "engine/base/str.h"

#include <stdint.h>

/*
 * Appends cols characters of UTF-8 for the last cols values; blanks on the left where there are
 * fewer. max is the value of a full block, 0: the greatest shown. 0 is drawn as a blank, anything
 * above as at least the lowest block.
 */
void sparkline_format(struct str *out, const uint64_t *values, size_t count, int cols,
		      uint64_t max);

#endif
