/*
 * fd_reader - reads from /proc the descriptors that calls alone do not identify.
 *
 * Runs a thread that queries a reader (fd_probe.h), waits at most until the reader's deadline, and
 * replies to the requests of fds.h. The thread is limited to a share of one CPU. Descriptors that a
 * process had before it was watched are read immediately, at most FD_PROBE_MAX of them.
 */
#ifndef FDS_FD_READER_H
#define FDS_FD_READER_H

#include "engine/base/err.h"
#include "engine/fds/fds.h"

struct fd_reader;
struct reader;

/* Borrows fds and the reader process `asked`. */
int fd_reader_new(struct fd_reader **reader, struct fds *fds, struct reader *asked,
		  struct err *err);
/* Call fds_shutdown() first. NULL is allowed. */
void fd_reader_free(struct fd_reader *reader);

#endif
