/*
 * watched - a thread writes a text from its heap to /dev/null and wakes another one, which
 * waits for that, every two milliseconds until it is killed or nobody is left who started it.
 * A third thread writes that text to a full pipe, which never returns.
 *
 * Prints its pid when the first two run. What there is to see of it: calls of both, the stacks in
 * which the second one waits, who wakes it, a file, and, in the call of the third, memory of its own.
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

static void *write_for_ever(void *unused)
{
	char page[4096] = "";
	int ends[2];

	prctl(PR_SET_NAME, "watched-writes");
	if (pipe2(ends, O_NONBLOCK))
		return unused;
	while (write(ends[1], page, sizeof(page)) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	while (write(ends[1], text, strlen(text)) < 0)
		;
	return unused;
}

int main(void)
{
	int fd = open("/dev/null", O_WRONLY);
	pid_t parent = getppid();
	pthread_t thread;

	text = strdup("text in a heap");
	if (!text || fd < 0 || pthread_create(&thread, NULL, wait_for_rounds, NULL) ||
	    pthread_create(&thread, NULL, write_for_ever, NULL))
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
	}
	return 0;
}
