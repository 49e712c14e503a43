/*
 * asleep - waits until another thread of this process sleeps in a system call.
 */
#ifndef PROGRAMS_ASLEEP_H
#define PROGRAMS_ASLEEP_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void until_asleep(uint32_t tid, long nr)
{
	char path[64], line[64];

	snprintf(path, sizeof(path), "/proc/self/task/%u/syscall", tid);
	for (;;) {
		FILE *file = fopen(path, "r");
		char *end = line, *read = file ? fgets(line, sizeof(line), file) : NULL;
		long found = read ? strtol(line, &end, 10) : -1;

		if (file)
			fclose(file);
		/* While the thread runs, the file begins with "running" instead of a number. */
		if (end != line && found == nr)
			return;
		usleep(1000);
	}
}

#endif
