/*
 * moved - moves itself to other cgroups; an argument of its calls is the number of the cgroup.
 *
 * Usage: moved PROCS_FILE... For file N, counted from 0: the process joins that cgroup, sleeps
 * 0.4 s, and calls lseek(-1, N, SEEK_SET) three times. The second thread calls
 * lseek(-1, 100 + N, SEEK_SET) once and sleeps meanwhile. Then the process sleeps 0.2 s, so that
 * its cgroup can still be read.
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t turn, done;
static long current;

static void *second(void *arg)
{
	for (;;) {
		sem_wait(&turn);
		syscall(SYS_lseek, -1, 100 + current, SEEK_SET);
		sem_post(&done);
	}
	return arg;
}

static void join(const char *file)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0 || write(fd, "0", 1) != 1) {
		perror(file);
		exit(1);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	sem_init(&turn, 0, 0);
	sem_init(&done, 0, 0);
	if (pthread_create(&thread, NULL, second, NULL))
		return 1;
	for (current = 0; current < argc - 1; current++) {
		join(argv[current + 1]);
		usleep(400 * 1000);
		for (int i = 0; i < 3; i++)
			syscall(SYS_lseek, -1, current, SEEK_SET);
		sem_post(&turn);
		sem_wait(&done);
		usleep(200 * 1000);
	}
	return 0;
}
