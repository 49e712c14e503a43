/*
 * fd_files - descriptors of a process from its fork or an exec until the next exec.
 *
 * A process has a sequence of these; each can refer to the one that it inherited from. Part of
 * fd_table.h and under its lock.
 */
#ifndef FDS_FD_FILES_H
#define FDS_FD_FILES_H

#include "engine/fds/fd_table_types.h"

/* Create fd_files of the process that replace its current ones. */
struct fd_files *fd_files_add(struct fd_table *table, uint32_t pid, struct fd_files *origin,
			      uint64_t born_ns);
/* Return the current descriptors of the process, shared ones included; creates them if needed. */
struct fd_files *fd_files_now(struct fd_table *table, uint32_t pid);
/* Follow CLONE_FILES to the fd_files that are shared; NULL returns NULL. */
struct fd_files *fd_files_resolve(struct fd_files *files);
/* Detach files from the process. They are freed once no other fd_files inherit or share them. */
void fd_files_loosen(struct fd_table *table, struct fd_files *files);

#endif
