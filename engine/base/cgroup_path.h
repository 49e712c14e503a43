/*
 * cgroup_path - which control groups a word means.
 *
 * A path is as in /proc/PID/cgroup, "/system.slice/nginx.service". A word that begins
 * with a slash means the group of that path and everything below it. Any other word means
 * every group that has such a part of its path, and what is below: the whole name of a part
 * ("nginx.service"), or the beginning of a container's id ("3f4a1b", of which the part may
 * be "docker-3f4a1b….scope"). Plain text: nothing is asked of the system. Any thread.
 */
#ifndef BASE_CGROUP_PATH_H
#define BASE_CGROUP_PATH_H

#include <stdbool.h>
#include <stddef.h>

#define CGROUP_PATH_BYTES 1024 /* with its NUL; a longer one counts as not known */

/* Whether the group of that path is in what the word means. */
bool cgroup_path_in(const char *path, const char *word);

/* Whether one part of a path, without slashes, is what such a word means. */
bool cgroup_path_part_is(const char *part, size_t part_len, const char *word);

#endif
