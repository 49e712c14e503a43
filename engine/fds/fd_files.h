/*
 * fd_files - the descriptors of a process between its birth, or an exec, and the next one.
 *
 * A process has one after the other; each may go back to where it inherited from. Part of
 * fd_table.h, under whose lock it is.
 */
#ifndef FDS_FD_FILES_H
#define FDS_FD_FILES_H

#include "engine/fds/fd_table_types.h"

/* A new one of the process, in front of those that it had. */
struct fd_files *fd_files_add(struct fd_table *table, uint32_t pid, struct fd_files *origin,
			      uint64_t born_ns);
/* That which the process has now, whoever shares it. */
struct fd_files *fd_files_now(struct fd_table *table, uint32_t pid);
/* The one that is shared, itself, or NULL. */
struct fd_files *fd_files_resolve(struct fd_files *files);
/* Its process has it no more: it goes when nobody inherits from it. */
void fd_files_loosen(struct fd_table *table, struct fd_files *files);

#endif
