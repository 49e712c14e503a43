/*
 * fd_filter - checks whether the pushdown passes the calls that change descriptors.
 *
 * Descriptor names follow from open, close, dup and similar calls. If the pushdown drops these
 * calls, a descriptor would soon show the name of an older file. With descriptor names enabled, the
 * pushdown is widened to pass these calls; otherwise the descriptor table is set blind.
 */
#ifndef FDS_FD_FILTER_H
#define FDS_FD_FILTER_H

#include "engine/record/kernel_filter.h"

/*
 * Make the pushdown also pass the calls that change descriptors, in the same processes. The model
 * tests the whole filter again.
 */
void fd_filter_widen(struct kernel_filter *half);
/* True if the pushdown drops some of these calls. */
bool fd_filter_is_blind(const struct kernel_filter *half);

#endif
