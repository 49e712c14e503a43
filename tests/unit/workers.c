#include "tests/unit/workers.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS_MAX 8

void *workers_shared(unsigned long bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		perror("tests: no memory");
		exit(2);
	}
	return memory;
}

static int worker_count(int jobs)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int count = cpus > 0 && cpus < WORKERS_MAX ? (int)cpus + 1 : WORKERS_MAX;

	return count < jobs ? count : jobs;
}

static void do_what_is_left(atomic_int *left, void (*job)(void *ctx, int at), void *ctx)
{
	int at;

	while ((at = atomic_fetch_sub(left, 1) - 1) >= 0) {
		job(ctx, at);
		fflush(stdout);
	}
}

int workers_run(int count, void (*job)(void *ctx, int at), void *ctx, int alone)
{
	atomic_int *left = workers_shared(sizeof(*left));
	int died = 0, status, workers = worker_count(count);
	pid_t parent = getpid();

	*left = count;
	fflush(stdout);
	if (alone || workers < 2) {
		do_what_is_left(left, job, ctx);
		return 0;
	}
	for (int i = 0; i < workers; i++) {
		pid_t pid = fork();

		died += pid < 0;
		if (pid)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() == parent)
			do_what_is_left(left, job, ctx);
		exit(0);
	}
	while (wait(&status) > 0)
		died += status != 0;
	munmap(left, sizeof(*left));
	return died;
}
