/*
 * Somebody to look at while running: one thread waits again and again, first in one place and
 * from a byte on its input on in another, one has waited for a lock since the start. Without
 * frame pointers. Prints "ready"; ends with its input.
 */
#pragma GCC optimize("O2", "omit-frame-pointer")
#include "blocked.h"

#include <pthread.h>
#include <sys/syscall.h>

#define OWN __attribute__((noinline))

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum, elsewhere;
static volatile int waiter;

OWN static void rest(void)
{
	usleep(2000);
	sum++;
}

OWN static void work_at_first(int depth)
{
	if (depth)
		work_at_first(depth - 1);
	else
		rest();
	sum += depth;
}

OWN static void work_later(int depth)
{
	if (depth)
		work_later(depth - 1);
	else
		rest();
	sum += depth;
}

static void *work(void *arg)
{
	while (!elsewhere)
		work_at_first(2);
	for (;;)
		work_later(2);
	return arg;
}

OWN static void take_lock(void)
{
	pthread_mutex_lock(&held);
	sum++;
}

OWN static void wants_lock(void)
{
	take_lock();
	sum++;
}

static void *wait_for_lock(void *arg)
{
	waiter = (int)syscall(SYS_gettid);
	wants_lock();
	return arg;
}

int main(void)
{
	pthread_t thread;
	char byte;

	pthread_mutex_lock(&held);
	if (pthread_create(&thread, NULL, wait_for_lock, NULL) ||
	    pthread_create(&thread, NULL, work, NULL))
		return 1;
	while (!waiter || !is_blocked(waiter))
		usleep(1000);
	printf("ready\n");
	fflush(stdout);
	if (read(0, &byte, 1) != 1)
		return 0;
	elsewhere = 1;
	return read(0, &byte, 1) < 0;
}
