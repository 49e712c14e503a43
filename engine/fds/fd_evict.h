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
 * If the table exceeds its bound, evict a small batch. Call with each change. Can move versions and
 * free fd_files that ended.
 */
void fd_forget_some(struct fd_table *table);

#endif
