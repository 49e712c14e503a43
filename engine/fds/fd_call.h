/*
 * fd_call - a finished call with its captured memory, as input of the descriptor table.
 *
 * Plain data, borrowed by the functions that take it. Under the lock of fds.h.
 */
#ifndef FDS_FD_CALL_H
#define FDS_FD_CALL_H

#include "engine/fds/fd_table.h"
#include "engine/record/call.h"

#include <stddef.h>
#include <stdint.h>

/* Captured memory of a call (capture.h); can arrive in two parts. */
struct fd_chunks {
	const void *bytes;
	size_t len;
};

/* A finished call. */
struct fd_call {
	struct fd_table *table;
	const struct call *call;
	struct fd_chunks pointed[2]; /* captured while the call was in flight, and at its exit */
	/* Called for a descriptor with incomplete facts, to query /proc. */
	void (*vague)(void *ctx, uint64_t task, int fd);
	void *ctx;
};

/* Return the key of the call's thread, see fd_task(). */
static inline uint64_t fd_call_task(const struct fd_call *change)
{
	return fd_task(change->call->pid, change->call->tid);
}

#endif
