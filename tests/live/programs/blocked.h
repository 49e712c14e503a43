/* For programs that report when their threads are blocked. */
#ifndef PROGRAMS_BLOCKED_H
#define PROGRAMS_BLOCKED_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* True if the thread `tid` of this process sleeps: it has then entered its call. */
static int is_blocked(int tid)
{
	char text[256] = "", path[64];
	const char *state;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		return 0;
	close(fd);
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'S';
}

#endif
