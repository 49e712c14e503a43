/*
 * proc_owner - the owner of a thread, from /proc.
 *
 * The owner is the effective uid, the pid of the process in the innermost pid namespace, and the
 * cgroup path. The path is the one in the unified hierarchy, or else in the systemd hierarchy, or
 * else in the first version 1 hierarchy. A hierarchy in which the thread is at the root counts only
 * if there is no other. Paths are relative to the namespaces of stxtop. Any thread.
 */
#ifndef PROCESS_PROC_OWNER_H
#define PROCESS_PROC_OWNER_H

#include "engine/base/cgroup_path.h"

#include <stdbool.h>
#include <stdint.h>

struct proc_owner {
	uint32_t uid;
	uint32_t ns_pid; /* 0: same pid namespace as /proc */
	char cgroup[CGROUP_PATH_BYTES]; /* raw; "": unknown */
	bool unified; /* the path is in the unified hierarchy and is not the root */
};

/* thread: "123" below a task directory, or "/proc/123". False: there is no such thread. */
bool proc_owner_read(struct proc_owner *owner, int dir_fd, const char *thread);

/* Read only the cgroup. The process cannot delay the kernel locks that this takes. */
bool proc_owner_read_cgroup(struct proc_owner *owner, int dir_fd, const char *thread);

/* Parse the text of a status file. False: it lacks the fields. */
bool proc_owner_parse_status(struct proc_owner *owner, const char *text);

#endif
