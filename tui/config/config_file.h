/*
 * config_file - a file of the user's below $XDG_CONFIG_HOME/stxtop, read whole and replaced whole.
 *
 * $XDG_CONFIG_HOME is ~/.config where it is not set, or not an absolute path
 * (XDG Base Directory Specification 0.8). Errors are sentences with the file's name. Any
 * thread.
 */
#ifndef CONFIG_CONFIG_FILE_H
#define CONFIG_CONFIG_FILE_H

#include "engine/base/err.h"
#include "engine/base/str.h"

/* Appends the path of the file of that name; -ENOENT: there is no such place. */
int config_file_path(const char *name, struct str *path, struct err *err);

/*
 * Appends what is in it, which ends with a newline if there is anything. A file that is not
 * there is empty; -EFBIG beyond max bytes; -EINVAL: it is no file, or has NUL bytes.
 */
int config_file_read(const char *path, size_t max, struct str *text, struct err *err);

/*
 * Another file takes its place when all of it is on the disk, or nothing has changed. Makes
 * the directories that are missing, for the user alone, as is a new file. A link stays one, what
 * it leads to is replaced. -EPERM: the directory, or the file, is not the effective user's: so
 * root leaves nothing in a home that sudo kept. Waits for the disk.
 */
int config_file_write(const char *path, const struct str *text, struct err *err);

#endif
