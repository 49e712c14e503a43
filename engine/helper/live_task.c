#include "engine/helper/live_task.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRIES_MAX 256 /* maximum number of directory entries to check */
#define EXITING 0x4u /* PF_EXITING of linux/sched.h, set before a thread drops memory and files */

static bool is_live(uint32_t pid, uint32_t tid)
{
	char path[48], text[512];
	const char *fields;
	unsigned flags;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/stat", pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	fields = strrchr(text, ')'); /* end of the comm, which may contain blanks and parentheses */
	return fields && sscanf(fields + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
	       !(flags & EXITING);
}

uint32_t live_task(uint32_t pid)
{
	uint32_t found = 0, tid;
	struct dirent *entry;
	char path[32];
	DIR *dir;

	if (is_live(pid, pid))
		return pid;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	for (int i = 0; dir && !found && i < TRIES_MAX && (entry = readdir(dir)); i++) {
		tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		if (tid && is_live(pid, tid))
			found = tid;
	}
	if (dir)
		closedir(dir);
	return found;
}

uint32_t live_task_near(uint32_t pid, uint32_t tid)
{
	return tid && is_live(pid, tid) ? tid : live_task(pid);
}
