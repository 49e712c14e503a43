/*
 * changed_path FIFO OTHER - opens a FIFO; another thread replaces the path by OTHER, of the same
 * length, while the call waits for a writer.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "asleep.h"

static char path[4096];

static void *open_it(void *tid)
{
	__atomic_store_n((int *)tid, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	close((int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0));
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int tid = 0;

	if (argc != 3 || strlen(argv[1]) != strlen(argv[2]) || strlen(argv[1]) >= sizeof(path))
		return 2;
	strcpy(path, argv[1]);
	if (pthread_create(&thread, NULL, open_it, &tid))
		return 2;
	while (!__atomic_load_n(&tid, __ATOMIC_ACQUIRE))
		usleep(1000);
	until_asleep((uint32_t)tid, SYS_openat);
	memcpy(path, argv[2], strlen(argv[2]));
	/* This open for writing completes the open of the thread. */
	close(open(argv[1], O_WRONLY));
	pthread_join(thread, NULL);
	return 0;
}
