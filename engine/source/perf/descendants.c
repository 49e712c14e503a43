#include "engine/source/perf/descendants.h"

#include "engine/process/proc_tasks.h"

static void join(struct descendants *descendants, uint32_t pid, uint32_t head)
{
	idmap_put(&descendants->heads, pid, (void *)(uintptr_t)head);
}

void descendants_release(struct descendants *descendants)
{
	idmap_release(&descendants->heads);
}

void descendants_name(struct descendants *descendants, struct task_table *tasks, uint32_t pid)
{
	task_table_unmark(tasks, pid, TASK_GIVEN_UP);
	task_table_mark(tasks, pid, TASK_WATCHED_PROCESS);
	join(descendants, pid, pid);
}

void descendants_fork(struct descendants *descendants, const struct task_table *tasks, uint32_t pid,
		      uint32_t parent_pid)
{
	if (task_table_word(tasks, pid) & TASK_WATCHED_PROCESS)
		join(descendants, pid, descendants_head(descendants, parent_pid));
	else
		idmap_remove(&descendants->heads, pid);
}

uint32_t descendants_head(const struct descendants *descendants, uint32_t pid)
{
	uintptr_t head = (uintptr_t)idmap_get(&descendants->heads, pid);

	return head ? (uint32_t)head : pid;
}

void descendants_give_up(struct descendants *descendants, struct task_table *tasks, uint32_t pid)
{
	struct task_list members = TASK_LIST_INIT;
	const struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&descendants->heads, &cursor)))
		if ((uint32_t)(uintptr_t)slot->value == pid)
			task_list_add(&members, (uint32_t)slot->key);
	for (size_t i = 0; i < members.count; i++) {
		idmap_remove(&descendants->heads, members.ids[i]);
		task_table_unmark(tasks, members.ids[i], TASK_WATCHED_PROCESS);
		task_table_mark(tasks, members.ids[i], TASK_GIVEN_UP);
	}
	task_list_release(&members);
}
