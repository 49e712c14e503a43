/*
 * change_rank - how sure and how large a change is, as a number that rows are ordered by. Any
 * thread.
 */
#ifndef COMPARE_CHANGE_RANK_H
#define COMPARE_CHANGE_RANK_H

#include "tui/compare/comparison_types.h"

/*
 * The logarithm of how many times as many calls, as long, or as often failed, whichever is most,
 * less its standard error, so that what is large by chance ranks low; the more, the more time in
 * calls came or went (row->impact). 0: the change is less than its error.
 */
double change_rank(const struct comparison *comparison, const struct comparison_row *row);

/*
 * What became of the rate of the usual system call, of those that both sides have some of: the
 * median, which one that came or went does not move. `least` calls are some. 0: there is none.
 */
double change_usual_ratio(const struct comparison *comparison, uint64_t least);

#endif
