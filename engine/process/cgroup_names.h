/*
 * cgroup_names - a cache of cgroup paths by cgroup id.
 *
 * BPF programs report only cgroup ids. A task at the root of the unified hierarchy can have a path
 * in a version 1 hierarchy, which only /proc/PID/cgroup shows. One thread.
 */
#ifndef PROCESS_CGROUP_NAMES_H
#define PROCESS_CGROUP_NAMES_H

#include "engine/process/cgroups.h"
#include "engine/process/proc_owner.h"

#define CGROUP_NAMES 1024 /* a power of two */

struct cgroup_name {
	uint64_t id;
	char *path; /* NULL: this slot is free */
};

struct cgroup_names {
	const struct cgroups *cgroups; /* borrowed */
	struct cgroup_name names[CGROUP_NAMES];
	char path[CGROUP_PATH_BYTES]; /* the latest result, if it is not cached */
	struct proc_owner owner;
};

void cgroup_names_init(struct cgroup_names *names, const struct cgroups *cgroups);
void cgroup_names_release(struct cgroup_names *names);

/*
 * Return the cgroup path of a thread in cgroup `id`; NULL: unknown. Borrowed until the next call.
 */
const char *cgroup_names_find(struct cgroup_names *names, uint64_t id, uint32_t tid);

#endif
