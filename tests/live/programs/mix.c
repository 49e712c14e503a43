/*
 * mix THREADS CHILDREN ROUNDS - a known number of calls from many threads and short-lived
 * children, which strace -c -f and stxtop must count alike.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int rounds;

static void *work(void *unused)
{
	char byte;
	struct stat status;

	for (int i = 0; i < rounds; i++) {
		int fd = open("/dev/zero", O_RDONLY);
		if (read(fd, &byte, 1) != 1)
			abort();
		close(fd);
		syscall(SYS_getppid);
		if (stat("/nonexistent", &status) == 0)
			abort();
	}
	return unused;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 8;
	int children = argc > 2 ? atoi(argv[2]) : 200;
	pthread_t ids[64];

	rounds = argc > 3 ? atoi(argv[3]) : 100;
	for (int i = 0; i < threads && i < 64; i++)
		if (pthread_create(&ids[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < threads && i < 64; i++)
		pthread_join(ids[i], NULL);
	for (int i = 0; i < children; i++) {
		pid_t child = fork();
		if (child < 0)
			return 1;
		if (!child) {
			syscall(SYS_getuid);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}
