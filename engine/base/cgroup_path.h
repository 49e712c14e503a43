/*
 * cgroup_path - matches cgroup paths against a word of the user.
 *
 * Paths are as in /proc/PID/cgroup: "/system.slice/nginx.service". A word that begins with a slash
 * matches the cgroup of that path and all cgroups below it. Any other word matches each cgroup with
 * a matching path component, and all cgroups below it. A component matches if the word is its whole
 * name ("nginx.service") or the beginning of the container id in it ("3f4a1b" for
 * "docker-3f4a1b….scope"). Compares text only, without system calls. Any thread.
 */
#ifndef BASE_CGROUP_PATH_H
#define BASE_CGROUP_PATH_H

#include <stdbool.h>
#include <stddef.h>

#define CGROUP_PATH_BYTES 1024 /* including the NUL; a longer path is treated as unknown */

/* True if the word matches the cgroup of this path. */
bool cgroup_path_in(const char *path, const char *word);

/* True if the word, which has no leading slash, matches one path component. */
bool cgroup_path_part_is(const char *part, size_t part_len, const char *word);

#endif
