/*
 * export_file - a file that appears under its name when all of it is written, or not at all.
 *
 * Until then it has another name in the same directory, so that a full disk, a change of mind or
 * an end of the program leave what was there before as it was. It can be read and written by its
 * owner alone, who is the user that the program runs as: it tells what others' processes did.
 * Errors are sentences. All of this waits for the disk: one thread, not that of the interface.
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
	bool replace; /* what is there under that name */
	uint64_t written;
};

/*
 * -EEXIST: there is such a file, and it is not to be replaced; of a link it is what that leads
 * to. -EISDIR, -EINVAL for what is no plain file.
 */
int export_file_open(struct export_file *file, const char *path, bool replace, struct err *err);
int export_file_write(struct export_file *file, const char *bytes, size_t count, struct err *err);
/* Gives it its name; after a failure it is gone. */
int export_file_close(struct export_file *file, struct err *err);
/* Nothing of it is left. */
void export_file_drop(struct export_file *file);

#endif
