#include "engine/process/proc_tasks.h"

#include "engine/base/mem.h"
#include "engine/process/proc_stat.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INITIAL_PID_NAMESPACE 0xeffffffcu /* PROC_PID_INIT_INO of linux/proc_ns.h */

void task_list_release(struct task_list *list)
{
	free(list->ids);
	list->ids = NULL;
	list->count = list->capacity = 0;
}

void task_list_add(struct task_list *list, uint32_t id)
{
	list->ids = mem_grow(list->ids, &list->capacity, list->count + 1, sizeof(*list->ids));
	list->ids[list->count++] = id;
}

void task_list_copy(struct task_list *list, const struct task_list *from)
{
	for (size_t i = 0; i < from->count; i++)
		task_list_add(list, from->ids[i]);
}

bool task_list_has(const struct task_list *list, uint32_t id)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->ids[i] == id)
			return true;
	return false;
}

static bool add_numbers(struct task_list *list, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir)
		return false;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			task_list_add(list, (uint32_t)strtoul(entry->d_name, NULL, 10));
	closedir(dir);
	return true;
}

bool proc_tasks_threads(struct task_list *list, uint32_t pid)
{
	char path[64];
	size_t before = list->count;

	/* Reject a tid that is not a pid: /proc/TID/task exists too, and lists all threads. */
	if (proc_tasks_group(pid) != pid)
		return false;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	return add_numbers(list, path) && list->count > before;
}

void proc_tasks_processes(struct task_list *list)
{
	add_numbers(list, "/proc");
}

uint32_t proc_tasks_group(uint32_t tid)
{
	char path[64], text[4096];
	const char *line;

	snprintf(path, sizeof(path), "/proc/%u/status", tid);
	if (proc_read_at(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return 0;
	/* The kernel escapes the name in the first line, so no process can forge this line. */
	line = strstr(text, "\nTgid:");
	return line ? (uint32_t)strtoul(line + 6, NULL, 10) : 0;
}

bool proc_tasks_initial_namespace(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino == INITIAL_PID_NAMESPACE;
}
