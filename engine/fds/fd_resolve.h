/*
 * fd_resolve - applies replies from /proc or a recording to the descriptor table.
 *
 * Under the lock of fds.h.
 */
#ifndef FDS_FD_RESOLVE_H
#define FDS_FD_RESOLVE_H

#include "engine/fds/fd_table.h"

/* A descriptor as /proc shows it. */
struct fd_reply {
	int fd;
	const char *text; /* as strace -yy shows it; unused for a socket */
	size_t len;
	bool cloexec, cloexec_known;
	const struct fd_socket *socket; /* NULL: not a socket */
	uint32_t tid; /* the thread that was read; 0: any thread of the process */
	/*
	 * If other is not 0: thread `tid` does not share its descriptors with it or, for fd
	 * AT_FDCWD, its current directory. like: a thread with which it does; 0: none.
	 */
	uint32_t other, like;
};

/*
 * Apply a reply that was read from asked_ns to reported_ns. Both are at most the time of the last
 * fed record. Return the version that it describes; NULL: ambiguous. *news: the reply adds facts.
 */
const struct fd_version *fd_reply_take(struct fd_table *table, uint64_t task,
				       const struct fd_reply *reply, uint64_t asked_ns,
				       uint64_t reported_ns, bool *news);
/* Set text or socket of a file with incomplete facts. */
void fd_reply_name(struct fd_table *table, struct fd_file *file, const struct fd_reply *reply);

#endif
