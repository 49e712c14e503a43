/*
 * proc_owner - the owner of a thread, from /proc.
 *
 * That is its effective uid, the pid of its process in the innermost pid namespace, and its cgroup
 * path. The path is that of the unified hierarchy. If the thread has none there or is at its root,
 * the path in the systemd hierarchy is used. Otherwise the first version 1 hierarchy with a path is
 * used. Paths are relative to the namespaces of stxtop. Any thread.
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

/* Read only the cgroup; the locks for that do not depend on what the process does. */
bool proc_owner_read_cgroup(struct proc_owner *owner, int dir_fd, const char *thread);

/* Parse the text of a status file. False: it lacks the fields. */
bool proc_owner_parse_status(struct proc_owner *owner, const char *text);

#endif
