/*
 * config_file - reads and replaces whole files of the user below $XDG_CONFIG_HOME/stxtop.
 *
 * $XDG_CONFIG_HOME is ~/.config if it is unset or not an absolute path (XDG Base Directory
 * Specification 0.8). Error messages name the file. Any thread.
 */
#ifndef CONFIG_CONFIG_FILE_H
#define CONFIG_CONFIG_FILE_H

#include "engine/base/err.h"
#include "engine/base/str.h"

/* Append the path of the named file. -ENOENT: no configuration directory can be determined. */
int config_file_path(const char *name, struct str *path, struct err *err);

/*
 * Append the content of a file, terminated by a newline unless empty. A missing file is empty.
 * -EFBIG: larger than `max` bytes. -EINVAL: not a regular file, or it has NUL bytes.
 */
int config_file_read(const char *path, size_t max, struct str *text, struct err *err);

/*
 * Replace a file atomically: the new content is synced to disk first, and on failure the old file
 * stays. Missing directories and a new file are created with access for the user only. A symlink is
 * kept and its target replaced. -EPERM: the directory or the file belongs to another user than the
 * effective one. This keeps root from leaving files in a home directory that sudo preserved. Blocks
 * on the disk.
 */
int config_file_write(const char *path, const struct str *text, struct err *err);

#endif
