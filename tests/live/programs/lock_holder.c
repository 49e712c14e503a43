/*
 * lock_holder [ROUNDS [MS]] - thread "holder" holds a lock for MS each round, while thread
 * "waiter" waits for it. At the end, prints "ADDRESS HOLDER WAITER NS": the lock, both tids, and
 * the sum of the waits as the waiter measured them.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held, done;
static int rounds = 5;
static long hold_ms = 20;
static pid_t holder_tid, waiter_tid;
static uint64_t waited_ns;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void *holder(void *unused)
{
	prctl(PR_SET_NAME, "holder");
	holder_tid = gettid();
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		pthread_barrier_wait(&held);
		nanosleep(&(struct timespec){ .tv_sec = hold_ms / 1000,
					      .tv_nsec = hold_ms % 1000 * 1000000 },
			  NULL);
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&done);
	}
	return unused;
}

static void *waiter(void *unused)
{
	prctl(PR_SET_NAME, "waiter");
	waiter_tid = gettid();
	for (int i = 0; i < rounds; i++) {
		uint64_t began_ns;

		pthread_barrier_wait(&held);
		began_ns = now_ns();
		pthread_mutex_lock(&lock);
		waited_ns += now_ns() - began_ns;
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&done);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	if (argc > 1)
		rounds = atoi(argv[1]);
	if (argc > 2)
		hold_ms = atol(argv[2]);
	pthread_barrier_init(&held, NULL, 2);
	pthread_barrier_init(&done, NULL, 2);
	pthread_create(&threads[0], NULL, holder, NULL);
	pthread_create(&threads[1], NULL, waiter, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	printf("%p %d %d %" PRIu64 "\n", (void *)&lock, holder_tid, waiter_tid, waited_ns);
	return 0;
}
