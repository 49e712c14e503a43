/*
 * fd_paths - absolute path of a file that a call names. Under the lock of fds.h.
 *
 * Joins the captured path with the name of its directory. Removes ".", ".." and double slashes
 * textually; symbolic links are not resolved.
 */
#ifndef FDS_FD_PATHS_H
#define FDS_FD_PATHS_H

#include "engine/base/str.h"
#include "engine/fds/fd_calls.h"

/* False: the path or its directory is unknown. */
bool fd_paths_of(struct str *out, const struct fd_call *change, int dir_fd, uint64_t address);
/* Append a path to `out`, which is absolute or empty; an absolute `path` replaces `out`. */
void fd_paths_join(struct str *out, const char *path, size_t len);

#endif
