/*
 * stuck - threads that are blocked forever, each in a different way, below functions of its own.
 * Each stuck_*.c includes this with other compiler options. Prints "tid way" for each thread, then
 * "ready" when all of them wait. Exits at the end of standard input.
 */
#ifndef PROGRAMS_STUCK_H
#define PROGRAMS_STUCK_H

#include "blocked.h"

#include <alloca.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, with_cond = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int nothing[2]; /* a pipe that is never written */
static volatile int sum;

#define OWN __attribute__((noinline))

OWN void by_mutex(void)
{
	pthread_mutex_lock(&held);
	sum++;
}

OWN void by_sleep(void)
{
	struct timespec long_time = { .tv_sec = 100000 };

	nanosleep(&long_time, NULL);
	sum++;
}

OWN void by_read(void)
{
	char byte;

	sum += (int)read(nothing[0], &byte, 1);
}

OWN void by_poll(void)
{
	struct pollfd wanted = { .fd = nothing[0], .events = POLLIN };

	sum += poll(&wanted, 1, -1);
}

OWN void by_cond(void)
{
	pthread_mutex_lock(&with_cond);
	pthread_cond_wait(&never, &with_cond);
	sum++;
}

OWN void on_signal(int number)
{
	sum += number;
	by_read();
	sum++;
}

OWN void by_handler(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	sum++;
}

/* Waits below a frame whose size is known only at run time. */
OWN void by_alloca(void)
{
	size_t size = 100 + (size_t)(sum & 7) * 16;
	char *room = alloca(size);

	memset(room, 1, size);
	by_read();
	sum += room[size - 1];
}

OWN int leave_words(int depth)
{
	volatile char room[64] = { 0 };

	room[depth & 63] = (char)depth;
	return depth ? leave_words(depth - 1) + room[1] : write(-1, "", 0) == 0;
}

/* Waits below a large frame that holds mostly data of earlier calls. */
OWN void by_large_frame(void)
{
	char room[2000];

	room[1] = 1;
	by_read();
	sum += room[1] + room[sum & 1023];
}

OWN int compare(const void *a, const void *b)
{
	by_read();
	return *(const int *)a - *(const int *)b;
}

/* Waits in a callback of qsort(). */
OWN void by_callback(void)
{
	int two[2] = { 2, 1 };

	qsort(two, 2, sizeof(two[0]), compare);
	sum += two[0];
}

static const struct way {
	const char *name;
	void (*block)(void);
} ways[] = {
	{ "mutex", by_mutex },       { "sleep", by_sleep },
	{ "read", by_read },         { "poll", by_poll },
	{ "cond", by_cond },         { "handler", by_handler },
	{ "alloca", by_alloca },     { "large_frame", by_large_frame },
	{ "callback", by_callback },
};

#define WAYS (sizeof(ways) / sizeof(ways[0]))

static volatile pid_t tids[WAYS];

OWN void go_down(const struct way *way, int depth)
{
	volatile int local = depth;

	if (depth)
		go_down(way, depth - 1);
	else
		way->block();
	sum += local;
}

static void *thread_main(void *arg)
{
	const struct way *way = arg;

	tids[way - ways] = (pid_t)syscall(SYS_gettid);
	sum += leave_words(30);
	go_down(way, 3);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	char byte;

	if (pipe(nothing))
		return 1;
	pthread_mutex_lock(&held);
	for (size_t i = 0; i < WAYS; i++)
		if (pthread_create(&thread, NULL, thread_main, (void *)&ways[i]))
			return 1;
	for (size_t i = 0; i < WAYS; i++) {
		while (!tids[i] || !is_blocked(tids[i]))
			usleep(1000);
		printf("%d %s\n", (int)tids[i], ways[i].name);
	}
	printf("ready\n");
	fflush(stdout);
	return read(0, &byte, 1) < 0;
}

#endif
