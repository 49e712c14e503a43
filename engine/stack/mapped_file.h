/*
 * mapped_file - opens the file behind a mapping of another process.
 *
 * The path is the kernel's, but the files under it are the process': it is
 * walked from /proc/PID/root one component at a time, following no link, and
 * what is found must be a regular file, of a bearable size and the one that
 * was mapped (device and inode). A file that is no longer there, or never had a
 * name (memfd), is opened through /proc/PID/map_files where this user may, or
 * through /proc/PID/exe if it is the program itself. Process 0 stands for this program's own
 * view: that of a recording's files. Symbols thread.
 */
#ifndef STACK_MAPPED_FILE_H
#define STACK_MAPPED_FILE_H

#include <stddef.h>
#include <stdint.h>

struct mapping;

#define MAPPED_FILE_BYTES_MAX ((uint64_t)8 << 30)

/* A descriptor to be closed by the caller, or -errno with *note, a constant, saying why not. */
int mapped_file_open(uint32_t pid, const struct mapping *mapping, const char **note);

/* The constant that has this text, with the zero that ends it. */
const char *mapped_file_note(const char *text, size_t bytes);

/* The regular file at an absolute path as the process sees it, or this one (0): or -errno. */
int mapped_file_open_path(uint32_t pid, const char *path);

/*
 * The same below the directory `root`, in which links lead where they would if it were the root.
 */
int mapped_file_open_below(const char *root, const char *path);

/* A regular file under a root of our own trust, "/usr/lib/debug/…": -errno if there is none. */
int mapped_file_open_debug(const char *path);

/* This program's own [vdso], which is everyone's: a descriptor or -errno. */
int mapped_file_open_vdso(void);

#endif
