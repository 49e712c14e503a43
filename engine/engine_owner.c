#include "engine/engine_state.h"

#include <stdio.h>
#include <string.h>

void engine_owner(struct engine *e, uint32_t pid, uint32_t number, struct engine_owner *owner)
{
	const struct process *process;
	const char *cgroup;

	memset(owner, 0, sizeof(*owner));
	owner->uid = USERS_UNKNOWN;
	if (!atomic_load(&e->ready))
		return;
	collector_lock(e->collector);
	process = tasks_process(model_tasks(e->model), pid);
	owner->ns_pid = process ? process->ns_pid : 0;
	owner->uid = identity_uid(model_identities(e->model), number);
	cgroup = identity_cgroup(model_identities(e->model), number);
	if (cgroup)
		snprintf(owner->cgroup, sizeof(owner->cgroup), "%s", cgroup);
	collector_unlock(e->collector);
}
