/*
 * export_file - writes a file that appears under its name only when it is complete.
 *
 * Until then it has a temporary name in the same directory. A full disk, a cancelled export or the
 * end of the program therefore leaves the previous file unchanged. Only the effective user can read
 * and write the file, because it shows what processes of other users did. Errors have a message for
 * the user. Every function blocks on the disk: one thread, but not the UI thread.
 */
#ifndef REPORT_EXPORT_FILE_H
#define REPORT_EXPORT_FILE_H

#include "engine/base/err.h"
#include "engine/base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct export_file {
	int fd; /* -1: none */
	char *path, *temporary;
	bool replace; /* overwrite an existing file */
	uint64_t written;
};

/*
 * Create the temporary file. -EEXIST: the file exists and `replace` is false. A symlink is
 * resolved, and its target is checked and replaced. -EISDIR, -EINVAL: not a regular file.
 */
int export_file_open(struct export_file *file, const char *path, bool replace, struct err *err);
int export_file_write(struct export_file *file, const char *bytes, size_t count, struct err *err);
/* Rename the file to its final name. On failure it is removed. */
int export_file_close(struct export_file *file, struct err *err);
/* Remove the temporary file. */
void export_file_drop(struct export_file *file);

#endif
