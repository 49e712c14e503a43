/*
 * fd_table_types - data of the descriptor table.
 *
 * The table (fd_table.h) has a struct fd_files (fd_files.h) for each process, and each of these has
 * a chain of versions (fd_chain.h) for each number. The table owns all of them. Under the lock of
 * fds.h. Times are those of calls, see fd_table.h.
 */
#ifndef FDS_FD_TABLE_TYPES_H
#define FDS_FD_TABLE_TYPES_H

#include "engine/base/idmap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FD_STILL UINT64_MAX /* until_ns of an open descriptor */
#define FD_LOSSES 16

struct fd_file;

/* The file of a number during a time span. */
struct fd_version {
	struct fd_file *file;
	uint64_t from_ns, until_ns;
	uint64_t sure_ns; /* time of the last confirmation: earlier losses do not matter */
	bool cloexec;
	bool found; /* /proc showed it at from_ns; its real start is unknown */
};

/* All versions of one number in one fd_files. */
struct fd_chain {
	struct fd_chain *next; /* next chain of the same fd_files */
	struct fd_version *versions; /* ordered by from_ns */
	size_t count, room;
	int fd;
	bool cut; /* older versions were evicted */
};

/*
 * Return the key of a thread's descriptors: pid << 32 | tid. A plain pid is the key of those that
 * the threads of the process share. A thread with its own descriptors, or its own current
 * directory, has fd_files of its own.
 */
static inline uint64_t fd_task(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | tid;
}

static inline uint32_t fd_task_process(uint64_t task)
{
	return task >> 32 ? (uint32_t)(task >> 32) : (uint32_t)task;
}

/* Descriptors of a process from its fork or an exec until the next exec; or those of a thread. */
struct fd_files {
	struct fd_files *origin; /* files inherited at born_ns; NULL: none, or only /proc knows */
	struct fd_files *earlier; /* files of this pid before the exec, or of an earlier process */
	struct fd_files *same; /* CLONE_FILES: use these instead */
	struct fd_chain *chains;
	uint64_t born_ns; /* 0: before the start of collection */
	uint64_t ended_ns; /* FD_STILL: the process is alive */
	uint32_t id;
	uint32_t refs; /* count of files with this as origin or `same` */
	uint32_t depth; /* length of the origin chain */
	bool by_exec; /* created by an exec: CLOEXEC descriptors of the origin are closed */
	bool loose; /* detached from its process */
	bool changed; /* a call changed them: not all versions are from /proc */
	bool split; /* a thread other than the first got its own descriptors or directory */
};

/* Calls may have been lost between the two times. */
struct fd_loss {
	uint64_t from_ns, until_ns;
};

/* Progress of eviction (fd_evict.h), which advances a little with each change. */
struct fd_sweep {
	unsigned passes; /* 0: idle */
	unsigned steps; /* steps left in this batch */
	uint64_t before_ns; /* versions that ended earlier are evicted */
	size_t cursor; /* position in `processes`; a pass can skip some processes */
	uint32_t files_id; /* id of the unfinished files; continue at their chain of fd; 0: none */
	int fd;
};

struct fd_table {
	struct idmap processes; /* newest struct fd_files by pid, and by task (fd_files.h) */
	bool has_own; /* threads with their own descriptors exist, or existed */
	struct idmap chains; /* by id of the fd_files << 32 | fd */
	size_t bytes, max_bytes;
	size_t sweep_bytes; /* below this size, nothing is evicted */
	uint64_t swept_ns; /* versions that ended earlier were evicted */
	struct fd_sweep sweep;
	uint64_t now_ns; /* time of the newest fed record */
	uint32_t next_id;
	struct fd_loss losses[FD_LOSSES]; /* the last losses, unordered */
	unsigned loss_count;
	uint64_t switches_lost_ns; /* blind since then; FD_STILL: not blind */
};

#endif
