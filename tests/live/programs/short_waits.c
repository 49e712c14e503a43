/*
 * short_waits CALLS - makes CALLS very short waits (0: endless), each with a kilobyte of data.
 * After each thousand waits, opens a missing file with a new name.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FDS 128
#define OPEN_EVERY 1000

int main(int argc, char **argv)
{
	long calls = argc > 1 ? atol(argv[1]) : 0;
	struct timespec moment = { .tv_nsec = 1 };
	struct pollfd fds[FDS];
	char path[64];

	for (int i = 0; i < FDS; i++)
		fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	for (long i = 1; i <= calls || !calls; i++) {
		ppoll(fds, FDS, &moment, NULL);
		if (i % OPEN_EVERY == 0) {
			snprintf(path, sizeof(path), "/nowhere/%ld", i / OPEN_EVERY);
			if (open(path, O_RDONLY) >= 0)
				return 1;
		}
	}
	return 0;
}
