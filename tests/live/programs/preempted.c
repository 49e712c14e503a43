/*
 * preempted - a reader whose reads never block, but which shares its CPU with a busy thread. When
 * the busy thread has ended, the reader waits for a futex until a timeout. Prints the reader's tid.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 40
#define BYTES (64 << 20)

static atomic_bool over;

static void *compute(void *arg)
{
	(void)arg;
	while (!atomic_load(&over))
		;
	return NULL;
}

int main(void)
{
	const struct timespec limit = { .tv_nsec = 100000000 };
	char *bytes = malloc(BYTES);
	int fd = open("/dev/zero", O_RDONLY), word = 0;
	pthread_t thread;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	pthread_create(&thread, NULL, compute, NULL);
	for (int i = 0; i < ROUNDS; i++)
		if (!bytes || read(fd, bytes, BYTES) != BYTES)
			return 1;
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &limit, NULL, 0);
	printf("%d\n", gettid());
	return 0;
}
