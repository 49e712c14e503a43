/*
 * abba - two threads that each hold a lock and wait forever for the other's. Each prints
 * "NAME TID ADDRESS OWNER" before it waits: its own tid, the wanted lock and the lock's owner.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef THREADS
#define THREADS 2
#endif

static pthread_mutex_t locks[THREADS];
static pthread_barrier_t all_hold;
static pid_t tids[THREADS];

static void *thread(void *number)
{
	int own = (int)(intptr_t)number, other = (own + 1) % THREADS;
	char name[16];

	snprintf(name, sizeof(name), "cycle-%d", own);
	prctl(PR_SET_NAME, name);
	tids[own] = gettid();
	pthread_mutex_lock(&locks[own]);
	pthread_barrier_wait(&all_hold);
	printf("%s %d %p %d\n", name, tids[own], (void *)&locks[other], tids[other]);
	fflush(stdout);
	pthread_mutex_lock(&locks[other]);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	pthread_barrier_init(&all_hold, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_mutex_init(&locks[i], NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
