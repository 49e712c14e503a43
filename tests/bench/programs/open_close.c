/*
 * open_close - opens and closes a file with a path of 60 bytes in a loop.
 *
 *	open_close ROUNDS FILE
 *
 * Writes to FILE the CPU time of a round in nanoseconds, without that of other processes such as
 * the tracer.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PATH \
	"/tmp/stxtop-bench-" \
	"0123456789012345678901234567890123456789ab"

_Static_assert(sizeof(PATH) - 1 == 60, "paths.py prints this length");

static double cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
	long rounds = argc == 3 ? atol(argv[1]) : 0;
	FILE *out = rounds > 0 ? fopen(argv[2], "we") : NULL;
	double began_ns;

	if (!out || close(open(PATH, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)))
		return 2;
	began_ns = cpu_ns();
	for (long i = 0; i < rounds; i++) {
		int fd = open(PATH, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			return 1;
		close(fd);
	}
	began_ns = cpu_ns() - began_ns;
	unlink(PATH);
	fprintf(out, "%.1f\n", began_ns / (double)rounds);
	return fclose(out) ? 1 : 0;
}
