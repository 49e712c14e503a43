#include "engine/process/target_change.h"

#include "engine/base/idmap.h"

#include <string.h>

void target_change_release(struct target_change *change)
{
	task_list_release(&change->new_pids);
	task_list_release(&change->new_tids);
	task_list_release(&change->old_pids);
	task_list_release(&change->old_tids);
	task_list_release(&change->fresh);
}

static void add_missing(struct task_list *missing, const struct task_list *from,
			const struct task_list *in)
{
	struct idmap known = IDMAP_INIT;

	for (size_t i = 0; i < in->count; i++)
		idmap_put(&known, in->ids[i], missing);
	for (size_t i = 0; i < from->count; i++)
		if (!idmap_get(&known, from->ids[i]))
			task_list_add(missing, from->ids[i]);
	idmap_release(&known);
}

void target_change_find(struct target_change *change, const struct task_list *old_pids,
			const struct task_list *old_tids, const struct task_list *pids,
			const struct task_list *tids)
{
	memset(change, 0, sizeof(*change));
	add_missing(&change->new_pids, pids, old_pids);
	add_missing(&change->new_tids, tids, old_tids);
	add_missing(&change->old_pids, old_pids, pids);
	add_missing(&change->old_tids, old_tids, tids);
}
