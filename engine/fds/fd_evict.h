/*
 * fd_evict - bounds the memory of the descriptor table: the versions that ended first are evicted
 * first.
 *
 * Part of fd_table.h and under its lock.
 */
#ifndef FDS_FD_EVICT_H
#define FDS_FD_EVICT_H

struct fd_table;

/*
 * While the table exceeds its bound, evict a small batch; called with each change. Moves versions
 * and may free chains that ended.
 */
void fd_forget_some(struct fd_table *table);

#endif
