/*
 * fd_reader - asks /proc what descriptors are that calls alone do not tell.
 *
 * A thread of its own, which may block in the files of others; it answers the questions of
 * fds.h and is held to a share of one CPU. What a process had before it was watched is read at
 * once, a few hundred descriptors of it.
 */
#ifndef ENGINE_FD_READER_H
#define ENGINE_FD_READER_H

#include "engine/base/err.h"
#include "engine/model/fds.h"

struct fd_reader;
struct reader;

/*
 * fds is borrowed, and so is who looks at files. What this thread looks at itself (links and infos
 * in /proc, and lists of sockets) is the kernel's own, and does not depend on a file system.
 */
int fd_reader_new(struct fd_reader **reader, struct fds *fds, struct reader *asked,
		  struct err *err);
/* After fds_hush(). NULL is fine. */
void fd_reader_free(struct fd_reader *reader);

#endif
