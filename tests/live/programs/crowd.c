/*
 * crowd - many processes of many threads that make calls of a few kinds.
 *
 *	crowd PROCESSES THREADS ROUNDS PAUSE_US
 *
 * Prints "ready" when all threads are there, and goes on when a line comes on standard input.
 * Each thread then does its rounds, of four getppid, a read, a write, an openat that fails and,
 * unless PAUSE_US is 0, a pause. With ROUNDS 0 they go on until standard input ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct task_limit {
	long rounds, threads;
	struct timespec pause;
	int arrived; /* a byte for each thread that is there */
	int go; /* ends when they shall begin */
};

static void round_of_calls(const struct task_limit *task_limit, int zero, int null)
{
	char byte = 0;

	for (int i = 0; i < 4; i++)
		syscall(SYS_getppid);
	if (read(zero, &byte, 1) != 1 || write(null, &byte, 1) != 1)
		abort();
	if (open("/nothing/there", O_RDONLY) >= 0)
		abort();
	if (task_limit->pause.tv_sec || task_limit->pause.tv_nsec)
		nanosleep(&task_limit->pause, NULL);
}

static void *thread_main(void *arg)
{
	const struct task_limit *task_limit = arg;
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
	char byte = 0;

	if (zero < 0 || null < 0 || write(task_limit->arrived, &byte, 1) != 1)
		abort();
	while (read(task_limit->go, &byte, 1) < 0 && errno == EINTR)
		;
	for (long i = 0; !task_limit->rounds || i < task_limit->rounds; i++)
		round_of_calls(task_limit, zero, null);
	return NULL;
}

static int process_main(struct task_limit *task_limit)
{
	pthread_t *threads = calloc((size_t)task_limit->threads, sizeof(*threads));
	pthread_attr_t small;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	for (long i = 1; i < task_limit->threads; i++)
		if (!threads || pthread_create(&threads[i], &small, thread_main, task_limit))
			abort();
	thread_main(task_limit);
	for (long i = 1; i < task_limit->threads; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}

int main(int argc, char **argv)
{
	long processes = argc == 5 ? atol(argv[1]) : 0, pause_us = argc == 5 ? atol(argv[4]) : 0;
	struct task_limit task_limit = { .pause = { pause_us / 1000000,
						    pause_us % 1000000 * 1000 } };
	struct pollfd ended = { .fd = 0 };
	int arrived[2], go[2];
	char byte;

	if (processes < 1 || pipe(arrived) || pipe(go))
		return 2;
	task_limit.threads = atol(argv[2]);
	task_limit.rounds = atol(argv[3]);
	task_limit.arrived = arrived[1];
	task_limit.go = go[0];
	for (long i = 0; i < processes; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (!pid) {
			close(go[1]);
			_exit(process_main(&task_limit));
		}
	}
	for (long i = 0; i < processes * task_limit.threads; i++)
		if (read(arrived[0], &byte, 1) != 1)
			return 1;
	puts("ready");
	fflush(stdout);
	if (read(0, &byte, 1) != 1)
		return 1;
	close(go[1]);
	while (!task_limit.rounds && poll(&ended, 1, -1) == 1 && read(0, &byte, 1) == 1)
		;
	/* PR_SET_PDEATHSIG takes those along that have no end. */
	while (task_limit.rounds && wait(NULL) > 0)
		;
	return 0;
}
