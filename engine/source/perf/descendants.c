#include "engine/source/perf/descendants.h"

#include "engine/process/proc_tasks.h"

static void join(struct families *families, uint32_t pid, uint32_t head)
{
	idmap_put(&families->heads, pid, (void *)(uintptr_t)head);
}

void families_release(struct families *families)
{
	idmap_release(&families->heads);
}

void families_name(struct families *families, struct task_table *tasks, uint32_t pid)
{
	task_table_unmark(tasks, pid, TASK_GIVEN_UP);
	task_table_mark(tasks, pid, TASK_WATCHED_PROCESS);
	join(families, pid, pid);
}

void families_fork(struct families *families, const struct task_table *tasks, uint32_t pid,
		   uint32_t parent_pid)
{
	if (task_table_word(tasks, pid) & TASK_WATCHED_PROCESS)
		join(families, pid, families_head(families, parent_pid));
	else
		idmap_remove(&families->heads, pid);
}

uint32_t families_head(const struct families *families, uint32_t pid)
{
	uintptr_t head = (uintptr_t)idmap_get(&families->heads, pid);

	return head ? (uint32_t)head : pid;
}

void families_give_up(struct families *families, struct task_table *tasks, uint32_t pid)
{
	struct task_list members = TASK_LIST_INIT;
	const struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&families->heads, &cursor)))
		if ((uint32_t)(uintptr_t)slot->value == pid)
			task_list_add(&members, (uint32_t)slot->key);
	for (size_t i = 0; i < members.count; i++) {
		idmap_remove(&families->heads, members.ids[i]);
		task_table_unmark(tasks, members.ids[i], TASK_WATCHED_PROCESS);
		task_table_mark(tasks, members.ids[i], TASK_GIVEN_UP);
	}
	task_list_release(&members);
}
