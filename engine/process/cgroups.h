/*
 * cgroups - cgroups of the unified hierarchy, by path and by id.
 *
 * A cgroup id is the inode number of its directory, and BPF programs report the same id. The kernel
 * never reuses an id. Only /proc shows version 1 hierarchies (proc_owner.h). One thread.
 */
#ifndef PROCESS_CGROUPS_H
#define PROCESS_CGROUPS_H

#include "engine/base/cgroup_path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cgroups {
	char mount[CGROUP_PATH_BYTES]; /* mount point of the unified hierarchy; "": none */
	int fd; /* descriptor of the mount point, or -1 */
	bool mixed; /* version 1 hierarchies are mounted too */
};

void cgroups_open(struct cgroups *cgroups); /* also without a unified hierarchy */
void cgroups_close(struct cgroups *cgroups);

/*
 * Store the ids of the cgroups that `word` names (cgroup_path.h) in `ids`, at most `max`. Omit
 * descendants of a cgroup that is included. Return the count. Negative: there are more than `max`,
 * the search stopped at its limits, or no unified hierarchy is mounted.
 */
int cgroups_find(const struct cgroups *cgroups, const char *word, uint64_t *ids, int max);

/* Copy the path of a cgroup id. False: the cgroup is gone, or permission is missing. */
bool cgroups_path(const struct cgroups *cgroups, uint64_t id, char path[CGROUP_PATH_BYTES]);

#endif
