/*
 * proc_tasks - which processes and threads there are, from /proc.
 *
 * A list of ids in no order. Tasks come and go while it is read: what was there
 * all the time is in it. Any thread.
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
void task_list_copy(struct task_list *list, const struct task_list *from); /* adds them */
bool task_list_has(const struct task_list *list, uint32_t id);

/* Adds the threads of a process; false if there is no such process. */
bool proc_tasks_threads(struct task_list *list, uint32_t pid);
/* Adds all processes. */
void proc_tasks_processes(struct task_list *list);

/* The process that a thread belongs to; 0 if there is no such thread. */
uint32_t proc_tasks_group(uint32_t tid);
/* Whether pids here are those of the whole machine, as in a tracepoint's own fields. */
bool proc_tasks_initial_namespace(void);

#endif
