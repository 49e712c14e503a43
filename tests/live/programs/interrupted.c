/*
 * interrupted - calls that a signal ends, and calls that continue after a signal. Prints the tid.
 *
 *	pause, nanosleep	30 ms, three times each, ended by a signal with a handler
 *	nanosleep		120 ms, with a stop and a SIGCONT in between: one call
 *	read of a pipe		60 ms, restarted after a handler
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 3

static void handle(int number)
{
	(void)number;
}

static void set_handler(int number, int flags)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handle;
	action.sa_flags = flags;
	sigaction(number, &action, NULL);
}

static void after(long us)
{
	struct itimerval timer = { .it_value = { .tv_usec = us } };

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void nap(long ms)
{
	struct timespec time = { .tv_nsec = ms * 1000000L };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

/* Run in a child: stop the parent for a while, then continue it. */
static void stop_and_go_on(pid_t whom)
{
	nap(30);
	kill(whom, SIGSTOP);
	nap(30);
	kill(whom, SIGCONT);
	_exit(0);
}

int main(void)
{
	int ends[2];
	pid_t child;
	char byte;

	printf("%ld\n", (long)syscall(SYS_gettid));
	fflush(stdout);
	set_handler(SIGALRM, 0);
	for (int i = 0; i < ROUNDS; i++) {
		after(30000);
		pause();
	}
	for (int i = 0; i < ROUNDS; i++) {
		after(30000);
		nap(200);
	}
	child = fork();
	if (!child)
		stop_and_go_on(getppid());
	nap(120);
	waitpid(child, NULL, 0);
	set_handler(SIGALRM, SA_RESTART);
	if (pipe(ends))
		return 1;
	child = fork();
	if (!child) {
		nap(60);
		_exit(write(ends[1], "x", 1) != 1);
	}
	after(30000);
	if (read(ends[0], &byte, 1) != 1)
		return 1;
	waitpid(child, NULL, 0);
	return 0;
}
