/*
 * fd_chain - what one number of one table of descriptors was, one thing after the other.
 *
 * Part of fd_table.h, under whose lock it is; the table accounts for its memory.
 */
#ifndef FDS_FD_CHAIN_H
#define FDS_FD_CHAIN_H

#include "engine/fds/fd_table_types.h"

/* NULL: there is none; get makes one. */
struct fd_chain *fd_chain_find(const struct fd_table *table, const struct fd_files *files, int fd);
struct fd_chain *fd_chain_get(struct fd_table *table, struct fd_files *files, int fd);
/* All of a table that ends. */
void fd_chain_free_all(struct fd_table *table, struct fd_files *files);

/* Of NULL there are none. */
struct fd_version *fd_chain_newest(const struct fd_chain *chain);
/* How many begin before a time, or at it too (`after`). */
size_t fd_chain_count(const struct fd_chain *chain, uint64_t at_ns, bool after);
/* So that it is the one at `place`; takes a reference of its own. */
struct fd_version *fd_chain_add(struct fd_table *table, struct fd_chain *chain, size_t place,
				struct fd_file *file, uint64_t from_ns, uint64_t until_ns);
/* The first ones, as many. */
void fd_chain_drop(struct fd_table *table, struct fd_chain *chain, size_t count);

#endif
