/*
 * watched - every two milliseconds, the main thread writes a text from its heap to /dev/null and
 * wakes a second thread, until its parent ends. A third thread writes the text to a full pipe; each
 * such write blocks for a tenth of a second or more.
 *
 * Prints its pid when all threads exist. Visible to a tracer: calls, the stacks and waker of the
 * second thread's waits, a file, and data in memory during a call in flight.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned long rounds;
static char *text;
static int ends[2]; /* a full pipe */

static void *wait_for_rounds(void *unused)
{
	unsigned long seen = 0;

	prctl(PR_SET_NAME, "watched-waits");
	pthread_mutex_lock(&lock);
	for (;;) {
		while (seen == rounds)
			pthread_cond_wait(&changed, &lock);
		seen = rounds;
	}
	return unused;
}

static void *write_and_wait(void *unused)
{
	char page[4096] = "";

	prctl(PR_SET_NAME, "watched-writes");
	for (;;) {
		fcntl(ends[1], F_SETFL, O_NONBLOCK);
		while (write(ends[1], page, sizeof(page)) > 0 || write(ends[1], page, 1) > 0)
			;
		fcntl(ends[1], F_SETFL, 0);
		if (write(ends[1], text, strlen(text)) < 0)
			return unused;
	}
}

int main(void)
{
	int fd = open("/dev/null", O_WRONLY);
	pid_t parent = getppid();
	char page[4096];
	pthread_t thread;

	text = strdup("text in a heap");
	if (!text || fd < 0 || pthread_create(&thread, NULL, wait_for_rounds, NULL) || pipe(ends) ||
	    pthread_create(&thread, NULL, write_and_wait, NULL))
		return 1;
	printf("%d\n", getpid());
	fflush(stdout);
	while (getppid() == parent) {
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
		if (write(fd, text, strlen(text)) < 0)
			return 1;
		pthread_mutex_lock(&lock);
		rounds++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
		if (rounds % 50 == 0 && read(ends[0], page, sizeof(page)) < 0)
			return 1;
	}
	return 0;
}
