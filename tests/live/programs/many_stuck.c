/*
 * many_stuck COUNT - COUNT threads, each waiting for its own lock, below one to eight calls of a
 * recursive function. Prints "ready" when all of them wait. Exits at the end of standard input.
 */
#include "blocked.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>

#define DEPTHS 8
#define STACK_BYTES (64 << 10)

static pthread_mutex_t *locks;
static volatile int sum;
static volatile int *tids;

__attribute__((noinline)) static void go_down(pthread_mutex_t *lock, int depth)
{
	if (depth)
		go_down(lock, depth - 1);
	else
		pthread_mutex_lock(lock);
	sum += depth;
}

static void *thread_main(void *arg)
{
	pthread_mutex_t *lock = arg;

	tids[lock - locks] = (int)syscall(SYS_gettid);
	go_down(lock, (int)((lock - locks) % DEPTHS));
	return NULL;
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	pthread_attr_t attributes;
	pthread_t thread;
	char byte;

	locks = calloc(count, sizeof(*locks));
	tids = calloc(count, sizeof(*tids));
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	for (size_t i = 0; locks && tids && i < count; i++) {
		pthread_mutex_init(&locks[i], NULL);
		pthread_mutex_lock(&locks[i]);
		if (pthread_create(&thread, &attributes, thread_main, &locks[i])) {
			perror("pthread_create");
			return 1;
		}
	}
	for (size_t i = 0; i < count; i++)
		while (!tids[i] || !is_blocked(tids[i]))
			usleep(1000);
	printf("ready\n");
	fflush(stdout);
	return read(0, &byte, 1) < 0;
}
