/*
 * fd_call - a call that ended, and what it pointed to, as descriptors are concerned.
 *
 * Plain data, borrowed by the functions that are given it. Under the lock of fds.h.
 */
#ifndef FDS_FD_CALL_H
#define FDS_FD_CALL_H

#include "engine/fds/fd_table.h"
#include "engine/record/call.h"

#include <stddef.h>
#include <stdint.h>

/* What a call pointed to, of capture.h; it may have come in two parts. */
struct fd_chunks {
	const void *bytes;
	size_t len;
};

/* A call that ended. */
struct fd_call {
	struct fd_table *table;
	const struct call *call;
	struct fd_chunks pointed[2]; /* told while it was in flight, and at its exit */
	/* A number whose file is known in part: /proc may be asked. */
	void (*vague)(void *ctx, uint32_t pid, int fd);
	void *ctx;
};

#endif
