/*
 * fd_probe - what the descriptors of a process are, as /proc shows them, in a reader's process.
 *
 * READER_FDS of reader_wire.h. It is asked for the descriptor request.tid of request.pid, or for
 * all of them and the current directory with FD_PROBE_ALL; for those behind the last answer with
 * FD_PROBE_ON. Links alone depend on no file system, but what stands beside them does: fdinfo takes
 * locks which a process may hold while it waits for one (that of an epoll instance, for example),
 * and which device a file is, its file system knows. An answer is entry after entry.
 */
#ifndef FDS_FD_PROBE_H
#define FDS_FD_PROBE_H

#include "engine/fds/fd_file.h"
#include "engine/helper/reader_wire.h"

#define FD_PROBE_MAX 512 /* descriptors of one process; of larger ones, the first that are listed */

enum {
	FD_PROBE_ALL = 1 << 0,
	FD_PROBE_ON = 1 << 1,
};

/* Followed by its text, or by its struct fd_socket, padded to 8. */
struct fd_probe_entry {
	int32_t fd; /* AT_FDCWD: the current directory */
	uint32_t bytes;
	bool is_socket;
	bool cloexec, cloexec_known;
};

reader_handle_fn fd_probe_handle;

/* The next of an answer, and what follows it; NULL: there is none. */
const struct fd_probe_entry *fd_probe_next(const struct reader_result *reply, size_t *at,
					   const void **rest);

#endif
