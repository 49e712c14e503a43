/*
 * fd_table - what each process's descriptors are, and what they were.
 *
 * A descriptor's number means one thing after the other: each is a version with the time
 * from which and until which it holds, so that a call made earlier finds what was open then.
 * Processes inherit: a fork and an exec cost one small object, whatever is open, and what
 * is not found in it is looked for where it came from, as it was at that moment. The current
 * directory is kept as the descriptor AT_FDCWD.
 *
 * Times are those of calls: of what a call opened from its enter (or later: until then the
 * number was another's), of what it closed until its enter. Texts are raw bytes of others.
 * Memory is bounded: what ended goes first. Not thread-safe: fds.h has the lock.
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

/* What the number was when a call entered, or had returned (`after`). Borrowed until a change. */
struct fd_found {
	const struct fd_version *version; /* NULL: unknown */
	bool closed; /* it was not open, as far as all that was seen goes */
};
struct fd_found fd_table_find(const struct fd_table *table, uint32_t pid, int fd, uint64_t at_ns,
			      bool after);

/*
 * What /proc said while a call was in flight that entered when the number was unknown: nothing was
 * seen to change it since the enter. NULL: unknown. Borrowed until a change.
 */
const struct fd_version *fd_table_find_during(const struct fd_table *table, uint32_t pid, int fd,
					      uint64_t enter_ns, uint64_t end_ns);

/* The number is that file from a call on that entered at enter_ns. Takes no reference. */
void fd_table_open(struct fd_table *table, uint32_t pid, int fd, struct fd_file *file, bool cloexec,
		   uint64_t enter_ns);
void fd_table_close(struct fd_table *table, uint32_t pid, int fd, uint64_t enter_ns);
/* All numbers from first to last; at most so many as are known. */
void fd_table_close_range(struct fd_table *table, uint32_t pid, uint32_t first, uint32_t last,
			  bool only_cloexec, uint64_t enter_ns);
void fd_table_set_cloexec(struct fd_table *table, uint32_t pid, int fd, bool cloexec,
			  uint64_t at_ns);

void fd_table_fork(struct fd_table *table, uint32_t parent, uint32_t pid, uint64_t time_ns);
/* The two have one table (CLONE_FILES); what the child did alone meanwhile is forgotten. */
void fd_table_share(struct fd_table *table, uint32_t parent, uint32_t pid);
/* The process has a copy of its own from then on; nothing changes where it shared with nobody. */
void fd_table_unshare(struct fd_table *table, uint32_t pid, uint64_t time_ns);
void fd_table_exec(struct fd_table *table, uint32_t pid, uint64_t time_ns);
void fd_table_exit(struct fd_table *table, uint32_t pid, uint64_t time_ns);
/* Calls may have been missed: what was not confirmed since is unknown. */
void fd_table_lose(struct fd_table *table, uint64_t from_ns, uint64_t until_ns);
/* From now on, or no longer, calls are missed all the time. */
void fd_table_set_blind(struct fd_table *table, bool blind, uint64_t now_ns);

/*
 * What /proc said of a number between two times, neither of which is in the future of what was
 * fed: it is put where it belongs. The version of that time, which may have been there
 * before, or NULL where nobody can tell whose the answer is. `same`: whether a file is
 * what was said; a version that nobody is sure of any more goes on if it is.
 */
typedef bool fd_same_fn(const void *ctx, const struct fd_file *file);
struct fd_version *fd_table_witness(struct fd_table *table, uint32_t pid, int fd, uint64_t asked_ns,
				    uint64_t reported_ns, fd_same_fn *same, const void *ctx);

#endif
