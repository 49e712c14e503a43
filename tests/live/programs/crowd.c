/*
 * crowd - many processes with many threads that make a few kinds of calls.
 *
 *	crowd PROCESSES THREADS ROUNDS PAUSE_US
 *
 * Prints "ready" when all threads run, and waits for a line on standard input. Each thread then
 * makes its rounds: four getppid, a read, a write, a failing openat and, unless PAUSE_US is 0, a
 * nanosleep. With ROUNDS 0 they continue until standard input ends.
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

struct settings {
	long rounds, threads;
	struct timespec pause;
	int arrived; /* one byte from each running thread */
	int go; /* closed to start the rounds */
};

static void round_of_calls(const struct settings *settings, int zero, int null)
{
	char byte = 0;

	for (int i = 0; i < 4; i++)
		syscall(SYS_getppid);
	if (read(zero, &byte, 1) != 1 || write(null, &byte, 1) != 1)
		abort();
	if (open("/nothing/there", O_RDONLY) >= 0)
		abort();
	if (settings->pause.tv_sec || settings->pause.tv_nsec)
		nanosleep(&settings->pause, NULL);
}

static void *thread_main(void *arg)
{
	const struct settings *settings = arg;
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
	char byte = 0;

	if (zero < 0 || null < 0 || write(settings->arrived, &byte, 1) != 1)
		abort();
	while (read(settings->go, &byte, 1) < 0 && errno == EINTR)
		;
	for (long i = 0; !settings->rounds || i < settings->rounds; i++)
		round_of_calls(settings, zero, null);
	return NULL;
}

static int process_main(struct settings *settings)
{
	pthread_t *threads = calloc((size_t)settings->threads, sizeof(*threads));
	pthread_attr_t small;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	for (long i = 1; i < settings->threads; i++)
		if (!threads || pthread_create(&threads[i], &small, thread_main, settings))
			abort();
	thread_main(settings);
	for (long i = 1; i < settings->threads; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}

int main(int argc, char **argv)
{
	long processes = argc == 5 ? atol(argv[1]) : 0, pause_us = argc == 5 ? atol(argv[4]) : 0;
	struct settings settings = { .pause = { pause_us / 1000000, pause_us % 1000000 * 1000 } };
	struct pollfd ended = { .fd = 0 };
	int arrived[2], go[2];
	char byte;

	if (processes < 1 || pipe(arrived) || pipe(go))
		return 2;
	settings.threads = atol(argv[2]);
	settings.rounds = atol(argv[3]);
	settings.arrived = arrived[1];
	settings.go = go[0];
	for (long i = 0; i < processes; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (!pid) {
			close(go[1]);
			_exit(process_main(&settings));
		}
	}
	for (long i = 0; i < processes * settings.threads; i++)
		if (read(arrived[0], &byte, 1) != 1)
			return 1;
	puts("ready");
	fflush(stdout);
	if (read(0, &byte, 1) != 1)
		return 1;
	close(go[1]);
	while (!settings.rounds && poll(&ended, 1, -1) == 1 && read(0, &byte, 1) == 1)
		;
	/* With ROUNDS 0, PR_SET_PDEATHSIG ends the other processes with this one. */
	while (settings.rounds && wait(NULL) > 0)
		;
	return 0;
}
