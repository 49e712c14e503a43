/*
 * proc_owner - whose a thread is, from /proc.
 *
 * Its effective user, its process's number in the pid namespace that it is in, and the path of its
 * control group: that in the unified hierarchy;
 * where it has none there, or is at its root, that in the hierarchy of systemd, otherwise in
 * the first one of version 1 in which it has one. As seen from this program's own namespaces.
 * Any thread.
 */
#ifndef PROCESS_PROC_OWNER_H
#define PROCESS_PROC_OWNER_H

#include "engine/base/cgroup_path.h"

#include <stdbool.h>
#include <stdint.h>

struct proc_owner {
	uint32_t uid;
	uint32_t ns_pid; /* 0: its namespace is that of /proc */
	char cgroup[CGROUP_PATH_BYTES]; /* raw; "": not known */
	bool unified; /* that is its path in the unified hierarchy, and not the root */
};

/* "123" below a task folder, or "/proc/123"; false: there is no such thread. */
bool proc_owner_read(struct proc_owner *owner, int dir_fd, const char *thread);

/* Its control group alone, which takes no lock that depends on what the process does. */
bool proc_owner_read_cgroup(struct proc_owner *owner, int dir_fd, const char *thread);

/* The contents of a status file: false, they do not say. */
bool proc_owner_parse_status(struct proc_owner *owner, const char *text);

#endif
