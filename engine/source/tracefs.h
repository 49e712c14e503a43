/*
 * tracefs - finds the tracing files of the kernel, and says how to get access to them.
 *
 * Never mounts tracefs: the user decides that, and the error message has the command. Any thread.
 */
#ifndef SOURCE_TRACEFS_H
#define SOURCE_TRACEFS_H

#include "engine/base/err.h"

#include <stddef.h>

/*
 * Store the name of the folder that holds events/ in path. -ENOENT if tracefs is not mounted,
 * -EACCES if it is not readable, each with the command that helps.
 */
int tracefs_find(char *path, size_t path_bytes, struct err *err);

/*
 * Read events/SYSTEM/NAME/FILE into a NUL-terminated buffer, which the caller frees. *bytes (NULL:
 * not wanted) is its length. -errno with a message.
 */
int tracefs_read(const char *tracefs, const char *system, const char *name, const char *file,
		 char **text, size_t *bytes, struct err *err);

#endif
