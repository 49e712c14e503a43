/*
 * fd_table_types - what a table of descriptors is made of.
 *
 * For each process the table (fd_table.h) has a struct fd_files (fd_files.h), and that has for each
 * number a chain of versions (fd_chain.h). All of it belongs to the table and is under the lock of
 * fds.h. Times are those of calls, see fd_table.h.
 */
#ifndef FDS_FD_TABLE_TYPES_H
#define FDS_FD_TABLE_TYPES_H

#include "engine/base/idmap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FD_STILL UINT64_MAX /* as `until_ns` */
#define FD_LOSSES 16

struct fd_file;

/* What a number was for a time. */
struct fd_version {
	struct fd_file *file;
	uint64_t from_ns, until_ns;
	uint64_t sure_ns; /* confirmed then: what was lost before does not matter */
	bool cloexec;
	bool found; /* it was there at from_ns: since when is not known */
};

/* All versions of one number of one table. */
struct fd_chain {
	struct fd_chain *next; /* of the same table */
	struct fd_version *versions; /* by from_ns */
	size_t count, room;
	int fd;
	bool cut; /* older ones were forgotten */
};

/* The descriptors of a process between its birth, or an exec, and the next one. */
struct fd_files {
	struct fd_files *origin; /* where it inherited from, as of born_ns; NULL: /proc knows */
	struct fd_files *earlier; /* who had this pid before, or the same before its exec */
	struct fd_files *same; /* CLONE_FILES: look there instead */
	struct fd_chain *chains;
	uint64_t born_ns; /* 0: before us */
	uint64_t ended_ns; /* FD_STILL: it lives */
	uint32_t id;
	uint32_t refs; /* of those whose origin or `same` it is */
	uint32_t depth; /* origins behind it */
	bool by_exec; /* what was CLOEXEC there is not here */
	bool loose; /* no process has it any more */
};

/* Between the two times, calls may have been missed. */
struct fd_loss {
	uint64_t from_ns, until_ns;
};

/* Where forgetting is (fd_evict.h), which goes on a little with each change. */
struct fd_sweep {
	unsigned passes; /* 0: there is none */
	unsigned steps; /* left in this go */
	uint64_t before_ns; /* what ended before is forgotten */
	size_t cursor; /* in processes: some may be missed, until the next time */
	uint32_t files_id; /* not 0: that process's, which is not done, from the chain of fd on */
	int fd;
};

struct fd_table {
	struct idmap processes; /* pid: the newest struct fd_files */
	struct idmap chains; /* id << 32 | fd */
	size_t bytes, max_bytes;
	size_t sweep_bytes; /* before it holds so much, nothing is forgotten */
	uint64_t swept_ns; /* what ended before was forgotten */
	struct fd_sweep sweep;
	uint64_t now_ns; /* of the newest thing that was fed */
	uint32_t next_id;
	struct fd_loss losses[FD_LOSSES]; /* the last ones, in no order */
	unsigned loss_count;
	uint64_t switches_lost_ns; /* since then nothing is seen; FD_STILL: all is */
};

#endif
