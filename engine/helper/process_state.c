#include "engine/helper/process_state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char process_state(pid_t pid)
{
	char path[32], line[256], *end;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	got = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (got <= 0)
		return 0;
	line[got] = '\0';
	end = strrchr(line, ')'); /* end of the comm, which may contain blanks and parentheses */
	return end && end[1] == ' ' ? end[2] : 0;
}
