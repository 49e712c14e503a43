/*
 * fd_chain - versions of one descriptor number in one fd_files, in order of time.
 *
 * Part of fd_table.h and under its lock. The table accounts for the memory.
 */
#ifndef FDS_FD_CHAIN_H
#define FDS_FD_CHAIN_H

#include "engine/fds/fd_table_types.h"

/* find returns NULL if there is no chain; get creates one. */
struct fd_chain *fd_chain_find(const struct fd_table *table, const struct fd_files *files, int fd);
struct fd_chain *fd_chain_get(struct fd_table *table, struct fd_files *files, int fd);
/* Free all chains of fd_files that are removed. */
void fd_chain_free_all(struct fd_table *table, struct fd_files *files);

/* NULL if the chain is NULL or empty. */
struct fd_version *fd_chain_newest(const struct fd_chain *chain);
/*
 * Count the versions that begin before at_ns; with `after`, also those that begin at it. Chain
 * NULL: 0.
 */
size_t fd_chain_count(const struct fd_chain *chain, uint64_t at_ns, bool after);
/* Insert a version at index `place`; takes its own reference to the file. */
struct fd_version *fd_chain_add(struct fd_table *table, struct fd_chain *chain, size_t place,
				struct fd_file *file, uint64_t from_ns, uint64_t until_ns);
/* Remove the first `count` versions. */
void fd_chain_drop(struct fd_table *table, struct fd_chain *chain, size_t count);

#endif
