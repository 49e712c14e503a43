/*
 * cycles KIND - two threads that wait for each other forever, one for a plain lock and one by
 * another kind of wait: join, rwlock, robust, timed. Each first prints "NAME TID ADDRESS OWNER",
 * as abba does. KIND none: threads that wait for objects without an owner, next to memory full of
 * tids of other threads; prints one line when all of them wait.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* Offsets in glibc: the tid in struct pthread, the futex of readers in pthread_rwlock_t. */
#define TID_OFFSET 720
#define READERS_FUTEX_OFFSET 8

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, robust, timed;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both_hold;
static pthread_t threads[2];
static pid_t tids[2];
static const char *kind;

static void say(int own, const void *address)
{
	printf("cycle-%d %d %p %d\n", own, tids[own], address, tids[!own]);
	fflush(stdout);
}

static void begin(int own)
{
	char name[16];

	snprintf(name, sizeof(name), "cycle-%d", own);
	prctl(PR_SET_NAME, name);
	tids[own] = gettid();
}

/* Holds the plain lock and waits for the other thread by `kind`. */
static void *first(void *unused)
{
	struct timespec limit;

	begin(0);
	pthread_mutex_lock(&plain);
	pthread_barrier_wait(&both_hold);
	if (!strcmp(kind, "join")) {
		say(0, (char *)threads[1] + TID_OFFSET);
		pthread_join(threads[1], NULL);
	} else if (!strcmp(kind, "rwlock")) {
		say(0, (char *)&rwlock + READERS_FUTEX_OFFSET);
		pthread_rwlock_rdlock(&rwlock);
	} else if (!strcmp(kind, "robust")) {
		say(0, &robust);
		pthread_mutex_lock(&robust);
	} else {
		say(0, &timed);
		clock_gettime(CLOCK_REALTIME, &limit);
		limit.tv_sec += 1000;
		pthread_mutex_timedlock(&timed, &limit);
	}
	return unused;
}

static void *second(void *unused)
{
	begin(1);
	pthread_rwlock_wrlock(&rwlock);
	pthread_mutex_lock(&robust);
	pthread_mutex_lock(&timed);
	pthread_barrier_wait(&both_hold);
	say(1, &plain);
	pthread_mutex_lock(&plain);
	return unused;
}

/* -- Waits for objects without an owner -------------------------------------------------- */

#define BAITS 4

static struct bait {
	union {
		pthread_cond_t condition;
		sem_t semaphore;
		pthread_barrier_t barrier;
		pthread_rwlock_t rwlock;
	};
	uint32_t tids[16];
	pthread_mutex_t own; /* held by the waiter; another thread waits for it */
	pthread_mutex_t inner;
	_Atomic uint32_t waiter, wants;
} baits[BAITS];

static void *wait_without_owner(void *arg)
{
	struct bait *bait = arg;
	long number = bait - baits;

	pthread_mutex_lock(&bait->own);
	bait->waiter = (uint32_t)gettid();
	while (!bait->wants)
		usleep(1000);
	for (int i = 0; i < 16; i++)
		bait->tids[i] = bait->wants;
	if (number == 0) {
		pthread_mutex_lock(&bait->inner);
		pthread_cond_wait(&bait->condition, &bait->inner);
	} else if (number == 1) {
		sem_wait(&bait->semaphore);
	} else if (number == 2) {
		pthread_barrier_wait(&bait->barrier);
	} else {
		pthread_rwlock_wrlock(&bait->rwlock);
	}
	return NULL;
}

static void *want_own(void *arg)
{
	struct bait *bait = arg;

	while (!bait->waiter)
		usleep(1000);
	bait->wants = (uint32_t)gettid();
	pthread_mutex_lock(&bait->own);
	return NULL;
}

static void wait_for_nobody(void)
{
	pthread_t thread;

	pthread_cond_init(&baits[0].condition, NULL);
	sem_init(&baits[1].semaphore, 0, 0);
	pthread_barrier_init(&baits[2].barrier, NULL, 2);
	pthread_rwlock_init(&baits[3].rwlock, NULL);
	pthread_rwlock_rdlock(&baits[3].rwlock);
	for (int i = 0; i < BAITS; i++) {
		pthread_mutex_init(&baits[i].own, NULL);
		pthread_mutex_init(&baits[i].inner, NULL);
		pthread_create(&thread, NULL, wait_without_owner, &baits[i]);
		pthread_create(&thread, NULL, want_own, &baits[i]);
	}
	for (int i = 0; i < BAITS; i++)
		while (!baits[i].tids[15])
			usleep(1000);
	printf("all wait\n");
	fflush(stdout);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	pthread_mutexattr_t attributes;

	kind = argc > 1 ? argv[1] : "none";
	if (!strcmp(kind, "none"))
		wait_for_nobody();
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attributes);
	pthread_mutex_init(&timed, NULL);
	pthread_barrier_init(&both_hold, NULL, 2);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_join(threads[0], NULL);
	return 0;
}
