/*
 * cgroups - the control groups of the unified hierarchy, by path and by number.
 *
 * Their numbers are those of the folders, and those by which the kernel's programs know them;
 * a number is never used again. What is in hierarchies of version 1, only
 * /proc tells (proc_owner.h). One thread.
 */
#ifndef PROCESS_CGROUPS_H
#define PROCESS_CGROUPS_H

#include "engine/base/cgroup_path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cgroups {
	char mount[CGROUP_PATH_BYTES]; /* of the unified hierarchy; "": there is none */
	int fd; /* of that folder, or -1 */
	bool mixed; /* there are hierarchies of version 1 beside it */
};

void cgroups_open(struct cgroups *cgroups); /* finding none is no error */
void cgroups_close(struct cgroups *cgroups);

/*
 * The numbers of the groups that a word means (cgroup_path.h), without those below others of
 * them, into ids; at most max. Negative: there are more, or so many folders that not all were
 * looked at.
 */
int cgroups_find(const struct cgroups *cgroups, const char *word, uint64_t *ids, int max);

/* The path of a number, if that group is still there and this user may ask. */
bool cgroups_path(const struct cgroups *cgroups, uint64_t id, char path[CGROUP_PATH_BYTES]);

#endif
