/*
 * change_rank - significance and size of a change as one number to sort rows. Any thread.
 */
#ifndef COMPARE_CHANGE_RANK_H
#define COMPARE_CHANGE_RANK_H

#include "tui/compare/comparison_types.h"

/*
 * Return the rank of a row.
 *
 * The base is the largest of three log ratios: call rate, mean duration, share of errors. Each is
 * reduced by its standard error, so that a large ratio by mere chance ranks low. The base is
 * weighted with the change of the time in calls (row->impact). 0: the change is within its error.
 */
double change_rank(const struct comparison *comparison, const struct comparison_row *row);

/*
 * Return the ratio of B's call rate to A's for a typical system call: the median over system calls
 * made at least `least` times on both sides. A single new or vanished system call does not shift
 * it. 0: no such system call.
 */
double change_usual_ratio(const struct comparison *comparison, uint64_t least);

#endif
