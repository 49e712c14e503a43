#include "engine/record/task_table.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

int task_table_init(struct task_table *table)
{
	void *words = mmap(NULL, TASK_IDS * sizeof(*table->words), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (words == MAP_FAILED)
		return -errno;
	table->words = words;
	return 0;
}

void task_table_release(struct task_table *table)
{
	if (table->words)
		munmap(table->words, TASK_IDS * sizeof(*table->words));
	table->words = NULL;
}

void task_table_unmark_all(struct task_table *table, uint32_t flags)
{
	/* Write only words that have the flags: pages never written to have no memory. */
	for (uint32_t id = 0; id < TASK_IDS; id++)
		if (table->words[id] & flags)
			table->words[id] &= ~flags;
}

void task_table_fork(struct task_table *table, uint32_t pid, uint32_t tid, uint32_t parent_pid)
{
	uint32_t word = pid & TASK_PID_MASK, parent;

	if (tid >= TASK_IDS || pid >= TASK_IDS)
		return;
	parent = task_table_word(table, parent_pid);
	if (pid == tid)
		word |= parent & (TASK_WATCHED_PROCESS | TASK_GIVEN_UP);
	word |= parent & TASK_OWN;
	table->words[tid] = word;
}
