/*
 * fd_reader - asks /proc what descriptors are that calls alone do not tell.
 *
 * A thread of its own, which asks a reader (fd_probe.h) and waits for it no longer than its
 * deadline; it answers the questions of fds.h and is held to a share of one CPU. What a process had
 * before it was watched is read at once, a few hundred descriptors of it.
 */
#ifndef FDS_FD_READER_H
#define FDS_FD_READER_H

#include "engine/base/err.h"
#include "engine/fds/fds.h"

struct fd_reader;
struct reader;

/* fds and the reader that is asked are borrowed. */
int fd_reader_new(struct fd_reader **reader, struct fds *fds, struct reader *asked,
		  struct err *err);
/* After fds_shutdown(). NULL is fine. */
void fd_reader_free(struct fd_reader *reader);

#endif
