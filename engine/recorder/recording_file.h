/*
 * recording_file - the file that a recording is written to, and those before it.
 *
 * Any thread; with the rights of the user, not those of this program (privilege.h).
 */
#ifndef RECORDER_RECORDING_FILE_H
#define RECORDER_RECORDING_FILE_H

#include "engine/base/err.h"

#include <stdbool.h>

/*
 * A new file of this name, as only its owner may read it. One that is there becomes PATH.old, as
 * perf does it, or, with `fresh`, is refused. A descriptor, or -errno with a sentence.
 */
int recording_file_open(const char *path, bool fresh, struct err *err);

/*
 * Another descriptor of standard output, which is waited for only in poll() where it is a pipe;
 * -errno with a sentence: it is a terminal.
 */
int recording_file_standard_output(struct err *err);

/* Whether both names are of one file. */
bool recording_file_is_same(const char *path, const char *other);

/* Puts a finished file aside as PATH.DATE; its new name, to be freed. NULL, errno: it stays. */
char *recording_file_put_aside(const char *path);

#endif
