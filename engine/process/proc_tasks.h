/*
 * proc_tasks - lists processes and threads, from /proc.
 *
 * A list holds ids in no order. Tasks start and exit during a scan; every task that exists for the
 * whole scan is listed. Any thread.
 */
#ifndef PROCESS_PROC_TASKS_H
#define PROCESS_PROC_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct task_list {
	uint32_t *ids;
	size_t count, capacity;
};

/* clang-format off */
#define TASK_LIST_INIT { .ids = NULL, .count = 0, .capacity = 0 }
/* clang-format on */

void task_list_release(struct task_list *list);
void task_list_add(struct task_list *list, uint32_t id);
void task_list_copy(struct task_list *list, const struct task_list *from); /* appends */
bool task_list_has(const struct task_list *list, uint32_t id);

/* Append the threads of a process; false: there is no such process. */
bool proc_tasks_threads(struct task_list *list, uint32_t pid);
/* Append all processes. */
void proc_tasks_processes(struct task_list *list);

/* Return the process of a thread; 0: there is no such thread. */
uint32_t proc_tasks_group(uint32_t tid);
/* True if pids here are those of the initial pid namespace, as in tracepoint fields. */
bool proc_tasks_initial_namespace(void);

#endif
