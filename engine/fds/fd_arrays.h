/*
 * fd_arrays - descriptors in what a call points to: of poll(2), select(2), in messages, in pairs.
 *
 * As far as that was copied. Pure.
 */
#ifndef FDS_FD_ARRAYS_H
#define FDS_FD_ARRAYS_H

#include "engine/fds/fd_calls.h"

enum fd_array {
	FD_ARRAY_NONE,
	FD_ARRAY_POLL, /* struct pollfd at the first argument, as many as the second says */
	FD_ARRAY_SETS, /* bits at the second to fourth, as many as the first says */
	FD_ARRAY_SENT, /* SCM_RIGHTS of the struct msghdr at the second ... */
	FD_ARRAY_RECEIVED, /* ... as it was when the call returned */
	FD_ARRAY_PAIR, /* two that were opened, at the first ... */
	FD_ARRAY_LAST_PAIR, /* ... or at the fourth */
};

/* At most max of them. */
size_t fd_arrays_find(enum fd_array kind, const struct call *call,
		      const struct fd_chunks pointed[2], int32_t *fds, size_t max);
/* Whether they are what the call made, and not what it was given. */
bool fd_arrays_opened(enum fd_array kind);
/* All of SCM_RIGHTS of the struct msghdr at an address. */
size_t fd_arrays_rights(const struct fd_chunks pointed[2], uint64_t message_at, bool at_exit,
			int32_t *fds, size_t max);

#endif
