/*
 * mapped_file - opens the file behind a mapping of another process.
 *
 * The kernel reports the path, but the process controls the files under it. So the path is walked
 * from /proc/PID/root one component at a time, without following links. The file must be regular,
 * at most MAPPED_FILE_BYTES_MAX long, and the mapped one (device and inode).
 *
 * A deleted or unnamed file (memfd) is opened through /proc/PID/map_files if permitted, or through
 * /proc/PID/exe if it is the program itself. Pid 0 selects the root of stxtop itself, for the files
 * of a recording. Any thread.
 */
#ifndef STACK_MAPPED_FILE_H
#define STACK_MAPPED_FILE_H

#include <stddef.h>
#include <stdint.h>

struct mapping;

#define MAPPED_FILE_BYTES_MAX ((uint64_t)8 << 30)

/* Return a descriptor that the caller closes, or -errno with the reason in *note, a constant. */
int mapped_file_open(uint32_t pid, const struct mapping *mapping, const char **note);

/* Return the constant note equal to this text; `bytes` includes the NUL. */
const char *mapped_file_note(const char *text, size_t bytes);

/* Open a regular file by absolute path in the root of pid (0: stxtop's root); or return -errno. */
int mapped_file_open_path(uint32_t pid, const char *path);

/* Open a path below the directory `root`. Links resolve as if it were the root directory. */
int mapped_file_open_below(const char *root, const char *path);

/* Open a regular file under a trusted root, such as "/usr/lib/debug/…". -errno if there is none. */
int mapped_file_open_debug(const char *path);

/* Return a descriptor of our own [vdso], which is the same in every process; or -errno. */
int mapped_file_open_vdso(void);

#endif
