/*
 * fd_filter - whether the kernel's half of a filter lets through what descriptors change by.
 *
 * What a number is follows from calls that are nobody's wish to see: with them left out in the
 * kernel, names would be those of another file sooner or later. Who asked for names lets
 * those calls through too; otherwise the table of descriptors is told that it is blind.
 */
#ifndef FDS_FD_FILTER_H
#define FDS_FD_FILTER_H

#include "engine/record/kernel_filter.h"

/* Lets them through, of the same processes; the whole filter is tested on the calls anyway. */
void fd_filter_widen(struct kernel_filter *half);
/* Some of them do not come. */
bool fd_filter_is_blind(const struct kernel_filter *half);

#endif
