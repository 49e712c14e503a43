#include "engine/process/proc_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fields after the state, in the order of proc(5). */
enum {
	FIELD_PARENT,
	FIELD_FLAGS = 5,
	FIELD_USER = 10,
	FIELD_KERNEL,
	FIELD_THREADS = 16,
	FIELD_STARTED = 18,
	FIELD_COUNT
};

bool proc_stat_parse(struct proc_stat *stat, const char *text, size_t len)
{
	const char *open = memchr(text, '(', len);
	const char *close = memrchr(text, ')', len);
	unsigned long long fields[FIELD_COUNT] = { 0 };
	size_t comm_len;
	char *end;

	if (!open || !close || close < open || close + 3 >= text + len)
		return false;
	stat->tid = (uint32_t)strtoul(text, NULL, 10);
	comm_len = (size_t)(close - open - 1);
	if (comm_len >= sizeof(stat->comm))
		comm_len = sizeof(stat->comm) - 1;
	memcpy(stat->comm, open + 1, comm_len);
	stat->comm[comm_len] = '\0';
	stat->state = close[2];
	text = close + 3;
	for (size_t i = 0; i < FIELD_COUNT; i++) {
		fields[i] = strtoull(text, &end, 10);
		if (end == text && i <= FIELD_FLAGS)
			return false;
		text = end;
	}
	stat->parent_pid = (uint32_t)fields[FIELD_PARENT];
	stat->flags = (uint32_t)fields[FIELD_FLAGS];
	stat->cpu_ticks = fields[FIELD_USER] + fields[FIELD_KERNEL];
	stat->threads = (uint32_t)fields[FIELD_THREADS];
	stat->started = fields[FIELD_STARTED];
	return true;
}

long proc_read_at(int dir_fd, const char *path, char *buffer, size_t bytes)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -errno;
	got = read(fd, buffer, bytes - 1);
	if (got < 0)
		got = -errno;
	close(fd);
	if (got >= 0)
		buffer[got] = '\0';
	return got;
}

bool proc_stat_read(struct proc_stat *stat, int dir_fd, const char *path)
{
	char text[1024];
	long len = proc_read_at(dir_fd, path, text, sizeof(text));

	return len > 0 && proc_stat_parse(stat, text, (size_t)len);
}
