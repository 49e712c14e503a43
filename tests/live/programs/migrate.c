/*
 * migrate ROUNDS - two threads that migrate to another CPU before every call. Each kind of call is
 * made by only one of them, and the arguments identify the call.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int rounds = 2000;

static void hop(int step)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(step % (int)sysconf(_SC_NPROCESSORS_ONLN), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *close_bad(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		hop(i);
		syscall(SYS_close, 100000 + i); /* EBADF */
	}
	return unused;
}

static void *seek_bad(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		hop(i + 1);
		syscall(SYS_lseek, 100000 + i, 0, 99); /* EBADF */
		syscall(SYS_getpgid, 0);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	if (argc > 1)
		rounds = atoi(argv[1]);
	pthread_create(&a, NULL, close_bad, NULL);
	pthread_create(&b, NULL, seek_bad, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
