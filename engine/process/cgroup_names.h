/*
 * cgroup_names - the paths of control groups by their numbers, remembered.
 *
 * What the kernel's programs tell are numbers. Who is at the root of the unified hierarchy
 * may be elsewhere in another, which only its own /proc tells. One thread.
 */
#ifndef PROCESS_CGROUP_NAMES_H
#define PROCESS_CGROUP_NAMES_H

#include "engine/process/cgroups.h"
#include "engine/process/proc_owner.h"

#define CGROUP_NAMES 1024 /* a power of two */

struct cgroup_name {
	uint64_t id;
	char *path; /* NULL: this place is free */
};

struct cgroup_names {
	const struct cgroups *cgroups; /* borrowed */
	struct cgroup_name names[CGROUP_NAMES];
	char path[CGROUP_PATH_BYTES]; /* what was found last, if not among the names */
	struct proc_owner owner;
};

void cgroup_names_init(struct cgroup_names *names, const struct cgroups *cgroups);
void cgroup_names_release(struct cgroup_names *names);

/* The path of a thread that is in that group; NULL: not known. Valid until the next one. */
const char *cgroup_names_find(struct cgroup_names *names, uint64_t id, uint32_t tid);

#endif
