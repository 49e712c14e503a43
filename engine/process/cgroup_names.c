#include "engine/process/cgroup_names.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cgroup_names_init(struct cgroup_names *names, const struct cgroups *cgroups)
{
	memset(names, 0, sizeof(*names));
	names->cgroups = cgroups;
}

void cgroup_names_release(struct cgroup_names *names)
{
	for (size_t i = 0; i < CGROUP_NAMES; i++) {
		free(names->names[i].path);
		names->names[i].path = NULL;
	}
}

static const char *ask_thread(struct cgroup_names *names, uint32_t tid)
{
	char thread[32];

	snprintf(thread, sizeof(thread), "/proc/%u", tid);
	return proc_owner_read_cgroup(&names->owner, AT_FDCWD, thread) ? names->owner.cgroup : NULL;
}

const char *cgroup_names_find(struct cgroup_names *names, uint64_t id, uint32_t tid)
{
	struct cgroup_name *name = &names->names[hash_u64(id) % CGROUP_NAMES];

	if (name->path && name->id == id)
		return name->path;
	if (!cgroups_path(names->cgroups, id, names->path))
		return ask_thread(names, tid);
	if (!strcmp(names->path, "/") && names->cgroups->mixed) {
		const char *path = ask_thread(names, tid);

		/* If the task has exited or moved meanwhile, only "/" is certain. */
		return path && !names->owner.unified ? path : "/";
	}
	free(name->path);
	name->id = id;
	name->path = mem_strndup(names->path, sizeof(names->path));
	return name->path;
}
