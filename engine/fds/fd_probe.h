/*
 * fd_probe - descriptors of a process as /proc shows them, read in a reader process.
 *
 * Handles READER_FDS of reader_wire.h: reads the descriptor request.length of the thread
 * request.tid; if that has ended, of another thread of request.pid. With FD_PROBE_ALL, reads all
 * descriptors and the current directory, and compares the threads (kcmp(2)); with FD_PROBE_ON,
 * continues after the last reply. A reply is a sequence of entries.
 *
 * Reading can block. Reading a link does not depend on a file system. But fdinfo takes locks that
 * the process can hold while it waits, such as the lock of an epoll instance. stat(2) of a device
 * depends on its file system.
 */
#ifndef FDS_FD_PROBE_H
#define FDS_FD_PROBE_H

#include "engine/fds/fd_file.h"
#include "engine/helper/reader_wire.h"

#define FD_PROBE_MAX 512 /* limit per process; the first ones that readdir lists are read */

enum {
	FD_PROBE_ALL = 1 << 0,
	FD_PROBE_ON = 1 << 1,
};

/* Followed by the text or by a struct fd_socket, padded to 8 bytes. */
struct fd_probe_entry {
	int32_t fd; /* AT_FDCWD: the current directory */
	uint32_t bytes;
	uint32_t tid; /* the thread that was read */
	uint32_t other, like; /* as in struct fd_reply */
	bool is_socket;
	bool cloexec, cloexec_known;
};

reader_handle_fn fd_probe_handle;

/* Return the next entry of a reply, and in *rest the bytes after it; NULL: no more. */
const struct fd_probe_entry *fd_probe_next(const struct reader_result *reply, size_t *at,
					   const void **rest);

#endif
