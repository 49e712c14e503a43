/*
 * tracefs - where the kernel's tracing files are, and what to do when they are not.
 *
 * Never mounts anything: that is the user's decision, the sentence says how.
 * Any thread.
 */
#ifndef SOURCE_TRACEFS_H
#define SOURCE_TRACEFS_H

#include "engine/base/err.h"

#include <stddef.h>

/*
 * The folder that holds events/, into path. -ENOENT where tracefs is not mounted,
 * -EACCES where it may not be read, each with the line that would help.
 */
int tracefs_find(char *path, size_t path_bytes, struct err *err);

/*
 * events/SYSTEM/NAME/FILE in a buffer that the caller frees, NUL-terminated;
 * *bytes (NULL: not wanted) is its length. -errno with a sentence.
 */
int tracefs_read(const char *tracefs, const char *system, const char *name, const char *file,
		 char **text, size_t *bytes, struct err *err);

#endif
