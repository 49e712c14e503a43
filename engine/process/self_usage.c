#include "engine/process/self_usage.h"

#include "engine/base/clock.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_BYTES 1024
#define CHILDREN_MAX 64

struct process_use {
	char comm[16];
	uint64_t ticks;
	size_t rss_bytes;
};

static bool read_file(const char *path, char text[FILE_BYTES])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, text, FILE_BYTES - 1);
	close(fd);
	if (got < 0)
		return false;
	text[got] = '\0';
	return true;
}

/* Fields of proc_pid_stat(5): comm is field 2, utime and stime are 14 and 15, rss is 24. */
static bool read_process(const char *pid, struct process_use *use)
{
	unsigned long long user, system;
	char path[64], text[FILE_BYTES];
	const char *name, *end;
	long pages;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	if (!read_file(path, text))
		return false;
	name = strchr(text, '(');
	end = strrchr(text, ')');
	if (!name || !end || end < name ||
	    sscanf(end + 1,
		   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d "
		   "%*d %*d %*d %*u %*u %ld",
		   &user, &system, &pages) != 3)
		return false;
	snprintf(use->comm, sizeof(use->comm), "%.*s", (int)(end - name - 1), name + 1);
	use->ticks = user + system;
	use->rss_bytes = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
	return true;
}

/* True for all names that helpers set, see THREADS.md. */
static bool is_helper(const char *comm)
{
	return !strncmp(comm, "stxtop", 6) || !strcmp(comm, "tty-guard") ||
	       !strcmp(comm, "cont-guard");
}

static void add_children(struct self_usage *use, const char *children_file, uint32_t command,
			 int depth)
{
	char text[FILE_BYTES], *rest = text, *pid;

	if (!read_file(children_file, text))
		return;
	for (int i = 0; i < CHILDREN_MAX && (pid = strsep(&rest, " ")); i++) {
		struct process_use helper;
		char path[64];

		if (!*pid || strtoul(pid, NULL, 10) == command || !read_process(pid, &helper) ||
		    !is_helper(helper.comm))
			continue;
		use->helpers++;
		use->helpers_rss_bytes += helper.rss_bytes;
		use->helpers_cpu_ticks += helper.ticks;
		snprintf(path, sizeof(path), "/proc/%.16s/task/%.16s/children", pid, pid);
		if (depth)
			add_children(use, path, command, depth - 1);
	}
}

/* The ticks decrease if a helper has exited in between; report 0 then. */
static double share(uint64_t before, uint64_t now, uint64_t elapsed_ns)
{
	if (now < before || !elapsed_ns)
		return 0;
	return (double)(now - before) / (double)sysconf(_SC_CLK_TCK) /
	       ((double)elapsed_ns / NS_PER_S);
}

void self_usage_read(struct self_usage *use, uint32_t command)
{
	struct self_usage before = *use;
	DIR *dir = opendir("/proc/self/task");
	struct process_use own = { .ticks = before.cpu_ticks };
	struct dirent *entry;
	uint64_t elapsed_ns;

	memset(use, 0, sizeof(*use));
	read_process("self", &own);
	use->rss_bytes = own.rss_bytes;
	use->cpu_ticks = own.ticks;
	/* Each helper is a child of the thread that forked it. */
	while (dir && (entry = readdir(dir))) {
		char path[64];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%.16s/children", entry->d_name);
		add_children(use, path, command, 1);
	}
	if (dir)
		closedir(dir);
	use->read_ns = clock_now_ns();
	if (!before.read_ns)
		return;
	elapsed_ns = use->read_ns - before.read_ns;
	use->cpu = share(before.cpu_ticks, use->cpu_ticks, elapsed_ns);
	use->helpers_cpu = share(before.helpers_cpu_ticks, use->helpers_cpu_ticks, elapsed_ns);
}
