/*
 * fd_paths - the whole path of a file that a call names. Under the lock of fds.h.
 *
 * From the text that the call pointed to and what its directory was; "." and ".." and double
 * slashes are taken out as text. Links on the way are not known of here.
 */
#ifndef FDS_FD_PATHS_H
#define FDS_FD_PATHS_H

#include "engine/base/str.h"
#include "engine/fds/fd_calls.h"

/* false: the path, or its directory, is not known. */
bool fd_paths_of(struct str *out, const struct fd_call *change, int dir_fd, uint64_t address);
/* The same of a text: appended to an absolute or empty `out`. */
void fd_paths_join(struct str *out, const char *path, size_t len);

#endif
