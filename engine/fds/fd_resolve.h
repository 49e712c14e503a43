/*
 * fd_resolve - what somebody outside says that a number is, put into the table.
 *
 * Under the lock of fds.h.
 */
#ifndef FDS_FD_RESOLVE_H
#define FDS_FD_RESOLVE_H

#include "engine/fds/fd_table.h"

/* What /proc says of a number. */
struct fd_reply {
	int fd;
	const char *text; /* as strace -yy has it; of a socket, see below */
	size_t len;
	bool cloexec, cloexec_known;
	const struct fd_socket *socket; /* NULL: it is none */
};

/*
 * It was got between the two times, neither of which is in the future of what was fed. The
 * version that it is of, NULL: nobody can tell; *news: it says more than was known.
 */
const struct fd_version *fd_reply_take(struct fd_table *table, uint32_t pid,
				       const struct fd_reply *reply, uint64_t asked_ns,
				       uint64_t reported_ns, bool *news);
/* The same of a file of which little is known. */
void fd_reply_name(struct fd_table *table, struct fd_file *file, const struct fd_reply *reply);

#endif
