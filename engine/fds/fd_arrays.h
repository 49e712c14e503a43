/*
 * fd_arrays - descriptors in memory that a call points to: poll(2), select(2), messages, pairs.
 *
 * Limited to the bytes that were captured. Pure.
 */
#ifndef FDS_FD_ARRAYS_H
#define FDS_FD_ARRAYS_H

#include "engine/fds/fd_calls.h"

enum fd_array {
	FD_ARRAY_NONE,
	FD_ARRAY_POLL, /* struct pollfd array at the first argument; the second is its length */
	FD_ARRAY_SETS, /* fd_sets at the second to fourth argument; the first is nfds */
	FD_ARRAY_SENT, /* SCM_RIGHTS of the struct msghdr at the second argument, at the enter */
	FD_ARRAY_RECEIVED, /* same, as filled in at the exit */
	FD_ARRAY_PAIR, /* two opened descriptors, at the first argument */
	FD_ARRAY_LAST_PAIR, /* two opened descriptors, at the fourth argument */
};

/* Store at most max descriptors; return their count. */
size_t fd_arrays_find(enum fd_array kind, const struct call *call,
		      const struct fd_chunks pointed[2], int32_t *fds, size_t max);
/* True if the call opened these descriptors, false if they are arguments. */
bool fd_arrays_opened(enum fd_array kind);
/* Store all SCM_RIGHTS descriptors of the struct msghdr at message_at; at most max. */
size_t fd_arrays_rights(const struct fd_chunks pointed[2], uint64_t message_at, bool at_exit,
			int32_t *fds, size_t max);

#endif
