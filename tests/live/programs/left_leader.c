/*
 * left_leader - a process whose first thread has exited. One thread waits for a pipe in
 * waits_without_leader(); another one writes to a second pipe and reads from it, repeatedly.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int silent[2], busy[2];

__attribute__((noinline)) static void waits_without_leader(void)
{
	char byte;

	if (read(silent[0], &byte, 1) != 1)
		abort();
	__asm__ volatile(""); /* no tail call: the function stays in the stack */
}

static void *wait_for_silent(void *unused)
{
	waits_without_leader();
	return unused;
}

static void *use_busy(void *unused)
{
	char byte = 'x';

	while (write(busy[1], &byte, 1) == 1 && read(busy[0], &byte, 1) == 1)
		usleep(20000);
	return unused;
}

int main(void)
{
	pthread_t thread;

	if (pipe(silent) || pipe(busy) || pthread_create(&thread, NULL, wait_for_silent, NULL) ||
	    pthread_create(&thread, NULL, use_busy, NULL))
		return 1;
	pthread_exit(NULL);
}
