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
/*
 * Create fd_files that belong to one thread; for fd AT_FDCWD, for its current directory. shared:
 * the thread uses the origin itself, as other threads do; otherwise a copy.
 */
struct fd_files *fd_files_add_own(struct fd_table *table, uint64_t task, int fd,
				  struct fd_files *origin, bool shared, uint64_t born_ns);
/* Return the newest fd_files that belong to the thread; they can have ended. NULL: none. */
struct fd_files *fd_files_own(const struct fd_table *table, uint64_t task, int fd);
/* Return the task of a key of table->processes. */
uint64_t fd_files_key_task(uint64_t key);
/* Return the current fd_files of the task, its own or shared ones; creates them if needed. */
struct fd_files *fd_files_now(struct fd_table *table, uint64_t task, int fd);
/* Return the fd_files that the task had at at_ns, or else the oldest ones; NULL: none. */
struct fd_files *fd_files_at(const struct fd_table *table, uint64_t task, int fd, uint64_t at_ns);
/* Follow CLONE_FILES to the fd_files that are shared; NULL returns NULL. */
struct fd_files *fd_files_resolve(struct fd_files *files);
/* Detach files from the process. They are freed once no other fd_files inherit or share them. */
void fd_files_loosen(struct fd_table *table, struct fd_files *files);

#endif
