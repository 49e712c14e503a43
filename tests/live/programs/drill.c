/*
 * drill - a target to watch while it runs. One thread waits repeatedly; after SIGUSR1, it waits in
 * another function. A second thread waits for a lock from the start. No frame pointers. Prints
 * "ready"; exits at the end of standard input.
 */
#pragma GCC optimize("O2", "omit-frame-pointer")
#include "blocked.h"

#include <pthread.h>
#include <signal.h>
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

static void go_elsewhere(int number)
{
	elsewhere = number;
}

static void *work(void *arg)
{
	pthread_sigmask(SIG_UNBLOCK, arg, NULL);
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
	sigset_t usr1;
	char byte;

	/* Only the working thread gets the signal; the calls of the other threads continue. */
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	signal(SIGUSR1, go_elsewhere);
	pthread_mutex_lock(&held);
	if (pthread_create(&thread, NULL, wait_for_lock, NULL) ||
	    pthread_create(&thread, NULL, work, &usr1))
		return 1;
	while (!waiter || !is_blocked(waiter))
		usleep(1000);
	printf("ready\n");
	fflush(stdout);
	return read(0, &byte, 1) < 0;
}
