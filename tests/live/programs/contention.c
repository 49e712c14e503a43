/*
 * contention [SECONDS] - one thread holds a lock for 20 ms at a time while other threads wait for
 * it. The names of its functions must appear in stacks.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;

static void nap(long ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

__attribute__((noinline)) static void hold_lock_slowly(void)
{
	pthread_mutex_lock(&lock);
	nap(20);
	pthread_mutex_unlock(&lock);
	nap(1);
}

__attribute__((noinline)) static void wait_for_lock(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	nap(2);
}

static void *holder(void *unused)
{
	prctl(PR_SET_NAME, "holder");
	while (!stop)
		hold_lock_slowly();
	return unused;
}

static void *waiter(void *unused)
{
	prctl(PR_SET_NAME, "waiter");
	while (!stop)
		wait_for_lock();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];

	pthread_create(&threads[0], NULL, holder, NULL);
	pthread_create(&threads[1], NULL, waiter, NULL);
	pthread_create(&threads[2], NULL, waiter, NULL);
	nap(argc > 1 ? (long)(atof(argv[1]) * 1000) : 1000);
	stop = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
