/*
 * tour FILE - fills every view until it is killed: with a contended lock that has a symbol, a file
 * and a pipe with traffic, a failing call, a thread that sleeps in one call forever, and a busy
 * thread. Prints "ready" when the sleeper sleeps.
 */
#include "asleep.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#define BYTES 64

/* The table of futexes shows the symbol of this static lock. */
pthread_mutex_t tour_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint sleeper_tid;
static int file, ends[2];

static void nap(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

__attribute__((noinline)) static void hold_tour_lock(void)
{
	pthread_mutex_lock(&tour_lock);
	nap(20);
	pthread_mutex_unlock(&tour_lock);
	nap(1);
}

__attribute__((noinline)) static void wait_for_tour_lock(void)
{
	pthread_mutex_lock(&tour_lock);
	pthread_mutex_unlock(&tour_lock);
	nap(2);
}

static void *holder(void *unused)
{
	prctl(PR_SET_NAME, "tourholder");
	for (;;)
		hold_tour_lock();
	return unused;
}

static void *waiter(void *unused)
{
	prctl(PR_SET_NAME, "tourwaiter");
	for (;;)
		wait_for_tour_lock();
	return unused;
}

static void *writer(void *unused)
{
	char bytes[BYTES] = { 0 };

	prctl(PR_SET_NAME, "tourwriter");
	for (;;) {
		if (pwrite(file, bytes, BYTES, 0) != BYTES || write(ends[1], bytes, BYTES) != BYTES)
			abort();
		nap(10);
	}
	return unused;
}

static void *reader(void *unused)
{
	char bytes[BYTES];

	prctl(PR_SET_NAME, "tourreader");
	for (;;)
		if (read(ends[0], bytes, BYTES) <= 0)
			abort();
	return unused;
}

static void *failer(void *unused)
{
	prctl(PR_SET_NAME, "tourfailer");
	for (;;) {
		if (open("/nonexistent/tour", O_RDONLY) >= 0)
			abort();
		nap(10);
	}
	return unused;
}

static void *sleeper(void *unused)
{
	prctl(PR_SET_NAME, "toursleeper");
	sleeper_tid = (unsigned)gettid();
	for (;;)
		nap(100000000);
	return unused;
}

/* Use the CPU time that no other thread needs, with a few thousand calls per second. */
static void *busy(void *unused)
{
	prctl(PR_SET_NAME, "tourbusy");
	setpriority(PRIO_PROCESS, 0, 19); /* of this thread only */
	for (volatile unsigned i = 0;; i++)
		if (i % 100000 == 0)
			syscall(SYS_getppid);
	return unused;
}

int main(int argc, char **argv)
{
	void *(*const works[])(void *) = { holder, waiter, writer, reader, failer, sleeper, busy };
	pthread_t thread;

	file = argc > 1 ? open(argv[1], O_CREAT | O_RDWR | O_TRUNC, 0644) : -1;
	if (file < 0 || pipe(ends))
		return 1;
	for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++)
		if (pthread_create(&thread, NULL, works[i], NULL))
			return 1;
	while (!sleeper_tid)
		nap(1);
	until_asleep(sleeper_tid, SYS_clock_nanosleep);
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}
