/*
 * recording_file - the file that a recording is written to, and its predecessors.
 *
 * Any thread. Call with the privileges of the user, not those of stxtop (privilege_lower()).
 */
#ifndef RECORDER_RECORDING_FILE_H
#define RECORDER_RECORDING_FILE_H

#include "engine/base/err.h"

#include <stdbool.h>

/*
 * Create a file with mode 0600. Rename an existing one to PATH.old, as perf does, or refuse it if
 * `fresh`. Return a descriptor, or -errno with a message.
 */
int recording_file_open(const char *path, bool fresh, struct err *err);

/*
 * Return a new descriptor of standard output. The descriptor of a pipe does not block: wait with
 * poll(). -errno with a message if standard output is a terminal or cannot be opened.
 */
int recording_file_standard_output(struct err *err);

/* True if both names refer to the same file. */
bool recording_file_is_same(const char *path, const char *other);

/* Rename a finished file to PATH.DATE. Return the new name, to be freed, or NULL with errno. */
char *recording_file_put_aside(const char *path);

#endif
