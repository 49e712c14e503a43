/*
 * fd_evict - makes room in a table of descriptors: what ended long ago goes first.
 *
 * Part of fd_table.h, under whose lock it is.
 */
#ifndef FDS_FD_EVICT_H
#define FDS_FD_EVICT_H

struct fd_table;

/*
 * Where it has more than it may: a little of that, so each change asks for it. Versions move, and
 * chains that ended may go.
 */
void fd_forget_some(struct fd_table *table);

#endif
