/*
 * fd_table - descriptors of each process, current and past.
 *
 * A descriptor number refers to one file after another. Each of these references is a version with
 * a time span, so that an earlier call finds the file that was open then. Processes inherit
 * versions: a fork or an exec costs one small object, however many descriptors are open. A lookup
 * that finds no version continues in the origin, as of the time of the fork or exec. The current
 * directory is stored as the descriptor AT_FDCWD. Threads share the descriptors of their process,
 * except threads with a copy of their own (clone, unshare, close_range), see fd_task().
 *
 * Times are those of calls. A version begins at the enter of the call that opened it, or when the
 * number became free, if later. It ends at the enter of the call that closed it. Texts are
 * untrusted raw bytes. Memory is bounded; the versions that ended first are evicted first. Not
 * thread-safe: fds.h has the lock.
 */
#ifndef FDS_FD_TABLE_H
#define FDS_FD_TABLE_H

#include "engine/fds/fd_file.h"
#include "engine/fds/fd_table_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void fd_table_init(struct fd_table *table, size_t max_bytes);
void fd_table_release(struct fd_table *table);

/* The version at the enter of a call or, with `after`, at its exit. Borrowed until a change. */
struct fd_found {
	const struct fd_version *version; /* NULL: unknown */
	bool closed; /* not open, according to all records so far */
};
struct fd_found fd_table_find(const struct fd_table *table, uint64_t task, int fd, uint64_t at_ns,
			      bool after);

/*
 * Find a version that /proc reported during a call, if the number was unknown at the enter and no
 * record changed the number since. NULL: unknown. Borrowed until a change.
 */
const struct fd_version *fd_table_find_during(const struct fd_table *table, uint64_t task, int fd,
					      uint64_t enter_ns, uint64_t end_ns);

/* Make the number refer to the file since enter_ns. Takes its own reference. */
void fd_table_open(struct fd_table *table, uint64_t task, int fd, struct fd_file *file,
		   bool cloexec, uint64_t enter_ns);
void fd_table_close(struct fd_table *table, uint64_t task, int fd, uint64_t enter_ns);
/* Close all known numbers from first to last; only_cloexec: mark them close-on-exec instead. */
void fd_table_close_range(struct fd_table *table, uint64_t task, uint32_t first, uint32_t last,
			  bool only_cloexec, uint64_t enter_ns);
void fd_table_set_cloexec(struct fd_table *table, uint64_t task, int fd, bool cloexec,
			  uint64_t at_ns);

void fd_table_fork(struct fd_table *table, uint64_t parent, uint32_t pid, uint64_t time_ns);
/* Add a thread that shares descriptors and directory with its creator. */
void fd_table_thread(struct fd_table *table, uint64_t parent, uint64_t task, uint64_t time_ns);
/*
 * Make parent and child share their descriptors (CLONE_FILES). Changes by the child alone since the
 * fork are discarded.
 */
void fd_table_share(struct fd_table *table, uint64_t parent, uint32_t pid);
/* After fd_table_fork(): the child shares the current directory (CLONE_FS), or has a copy. */
void fd_table_share_directory(struct fd_table *table, uint64_t parent, uint32_t pid, bool shared);
/*
 * Give the task its own copy of the descriptors of `from`; for fd AT_FDCWD, of its current
 * directory. A plain pid that shares with no process is left unchanged.
 */
void fd_table_unshare(struct fd_table *table, uint64_t from, uint64_t task, int fd,
		      uint64_t time_ns);
/*
 * Note, as /proc showed at time_ns, that task and other have not shared since before the start.
 * like: a thread with which `task` shares; 0: none. False: no change, as calls have shown it.
 */
bool fd_table_part(struct fd_table *table, uint64_t task, uint64_t other, uint64_t like, int fd,
		   uint64_t time_ns);
void fd_table_exec(struct fd_table *table, uint32_t pid, uint64_t time_ns);
/* End a thread; for a plain pid, the process. */
void fd_table_exit(struct fd_table *table, uint64_t task, uint64_t time_ns);
/* Calls may have been lost between these times: versions not confirmed since are unknown. */
void fd_table_lose(struct fd_table *table, uint64_t from_ns, uint64_t until_ns);
/* Begin (blind) or end, at now_ns, a time in which calls that change descriptors are missing. */
void fd_table_set_blind(struct fd_table *table, bool blind, uint64_t now_ns);

/*
 * Apply a reply from /proc that was read from asked_ns to reported_ns. Both are at most the time of
 * the last fed record. Return the existing or new version at that time; NULL: ambiguous. `same`
 * reports whether a file matches the reply: an uncertain version that matches is confirmed.
 */
typedef bool fd_same_fn(const void *ctx, const struct fd_file *file);
struct fd_version *fd_table_witness(struct fd_table *table, uint64_t task, int fd,
				    uint64_t asked_ns, uint64_t reported_ns, fd_same_fn *same,
				    const void *ctx);

#endif
