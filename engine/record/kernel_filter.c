#include "engine/record/kernel_filter.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void kernel_filter_init(struct kernel_filter *filter)
{
	memset(filter, 0, sizeof(*filter));
}

void kernel_filter_release(struct kernel_filter *filter)
{
	free(filter->pids);
	free(filter->tids);
	free(filter->not_pids);
	free(filter->uids);
	for (size_t i = 0; i < filter->cgroup_count; i++)
		free(filter->cgroups[i]);
	free(filter->cgroups);
	kernel_filter_init(filter);
}

static uint32_t *copy_ids(const uint32_t *ids, size_t count)
{
	uint32_t *copy;

	if (!count)
		return NULL;
	copy = mem_zalloc(count, sizeof(*copy));
	memcpy(copy, ids, count * sizeof(*copy));
	return copy;
}

void kernel_filter_copy(struct kernel_filter *to, const struct kernel_filter *from)
{
	*to = *from;
	to->pids = copy_ids(from->pids, from->pid_count);
	to->tids = copy_ids(from->tids, from->tid_count);
	to->not_pids = copy_ids(from->not_pids, from->not_pid_count);
	to->uids = NULL;
	if (from->uid_count) {
		to->uids = mem_zalloc(from->uid_count, sizeof(*to->uids));
		memcpy(to->uids, from->uids, from->uid_count * sizeof(*to->uids));
	}
	to->cgroups = NULL;
	if (from->cgroup_count)
		to->cgroups = mem_zalloc(from->cgroup_count, sizeof(*to->cgroups));
	for (size_t i = 0; i < from->cgroup_count; i++)
		to->cgroups[i] = mem_strndup(from->cgroups[i], strlen(from->cgroups[i]));
}

static bool contains(const uint32_t *ids, size_t count, uint32_t id)
{
	for (size_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

bool kernel_filter_passes(const struct kernel_filter *filter, uint32_t pid, uint32_t tid,
			  uint32_t nr)
{
	if (filter->nothing || !kernel_filter_allows(filter, nr) ||
	    contains(filter->not_pids, filter->not_pid_count, pid))
		return false;
	return (!filter->pid_count && !filter->tid_count) ||
	       contains(filter->pids, filter->pid_count, pid) ||
	       contains(filter->tids, filter->tid_count, tid);
}
