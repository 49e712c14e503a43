/*
 * held - the program recorded in tests/replay/held.data. "holder" holds a lock forever and two
 * threads "waiter" wait for it. "reader" reads from a pipe that is never written. "ticker" sleeps
 * 50 times for 10 ms, so that the other threads have waited for half a second.
 */
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held;
static int nothing[2];

static void *holder(void *unused)
{
	prctl(PR_SET_NAME, "holder");
	pthread_mutex_lock(&lock);
	pthread_barrier_wait(&held);
	pause();
	return unused;
}

static void *waiter(void *unused)
{
	prctl(PR_SET_NAME, "waiter");
	pthread_mutex_lock(&lock);
	return unused;
}

static void *reader(void *unused)
{
	char byte;

	prctl(PR_SET_NAME, "reader");
	return read(nothing[0], &byte, 1) == 1 ? &lock : unused;
}

static void *ticker(void *unused)
{
	struct timespec tick = { .tv_nsec = 10000000 };

	prctl(PR_SET_NAME, "ticker");
	for (int i = 0; i < 50; i++)
		nanosleep(&tick, NULL);
	return unused;
}

int main(void)
{
	void *(*const others[])(void *) = { waiter, waiter, reader, ticker };
	pthread_t thread;

	if (pipe(nothing) || pthread_barrier_init(&held, NULL, 2) ||
	    pthread_create(&thread, NULL, holder, NULL))
		return 1;
	pthread_barrier_wait(&held);
	for (int i = 0; i < 4; i++)
		if (pthread_create(&thread, NULL, others[i], NULL))
			return 1;
	pause();
	return 0;
}
