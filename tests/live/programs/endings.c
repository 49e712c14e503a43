/*
 * endings [ROUNDS] - calls that end in every way, in several threads and processes: they succeed,
 * fail, are interrupted by a signal, are restarted after one, or end because their thread exits,
 * executes a program or is killed. Also makes calls through the 32-bit entry.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rounds = 20;
static const char *self;

static void nap(long ns)
{
	struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
}

static void on_signal(int signal)
{
	(void)signal;
	syscall(SYS_getppid);
}

static void *works(void *number)
{
	char name[16], byte;

	snprintf(name, sizeof(name), "worker %d", *(int *)number);
	prctl(PR_SET_NAME, name);
	for (int i = 0; i < rounds; i++) {
		int fd = open("/dev/zero", O_RDONLY);
		if (read(fd, &byte, 1) != 1)
			abort();
		close(fd);
		if (open("/nonexistent", O_RDONLY) >= 0)
			abort();
		nap(10000);
	}
	return NULL;
}

/* Without SA_RESTART, SIGUSR1 interrupts each read; with it, the kernel restarts the read. */
static void *is_interrupted(void *fd)
{
	char byte;

	while (read(*(int *)fd, &byte, 1) != 1 || byte != 'q')
		;
	return NULL;
}

static void *dies_in_a_call(void *unused)
{
	char byte;

	(void)unused;
	for (int fds[2]; !pipe(fds);)
		if (read(fds[0], &byte, 1) < 0)
			break;
	return NULL;
}

static void *executes(void *unused)
{
	(void)unused;
	execl(self, self, "executed", NULL);
	abort();
}

#ifdef __x86_64__
static long call_32(long nr, long a, long b, long c)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(nr), "b"(a), "c"(b), "d"(c)
			 : "memory", "r8", "r9", "r10", "r11");
	return ret;
}
#endif

static void signals(int flags)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = flags };
	pthread_t thread;
	int fds[2];

	sigaction(SIGUSR1, &action, NULL);
	if (pipe(fds) || pthread_create(&thread, NULL, is_interrupted, &fds[0]))
		abort();
	for (int i = 0; i < 5; i++) {
		nap(2000000);
		pthread_kill(thread, SIGUSR1);
	}
	if (write(fds[1], "q", 1) != 1)
		abort();
	pthread_join(thread, NULL);
	close(fds[0]);
	close(fds[1]);
}

static void child(void (*does)(void))
{
	pid_t pid = fork();

	if (!pid) {
		does();
		_exit(3);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void leaves_threads_behind(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, dies_in_a_call, NULL);
	nap(3000000);
	exit(0);
}

static void executes_in_a_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, dies_in_a_call, NULL);
	pthread_create(&thread, NULL, executes, NULL);
	pthread_join(thread, NULL);
}

static void is_stopped(void)
{
	pid_t pid = getpid();

	if (!fork()) {
		nap(3000000);
		kill(pid, SIGSTOP);
		nap(3000000);
		kill(pid, SIGCONT);
		_exit(0);
	}
	nap(20000000); /* the kernel reports its exit as that of restart_syscall */
	wait(NULL);
}

static void is_killed(void)
{
	pid_t pid = fork();

	if (!pid)
		for (;;)
			pause();
	nap(3000000);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void fails_to_execute(void)
{
	execl("/nonexistent", "nonexistent", NULL);
	execl("/dev/null", "null", NULL);
	execl(self, self, "executed", NULL);
}

#ifdef __x86_64__
static void calls_as_32_bits(void)
{
	for (int i = 0; i < 5; i++) {
		call_32(20, 0, 0, 0); /* getpid */
		call_32(6, 77, 0, 0); /* close: EBADF */
		call_32(999, 1, 2, 3); /* invalid */
	}
	call_32(1, 3, 0, 0); /* exit */
}
#endif

int main(int argc, char **argv)
{
	pthread_t threads[4];
	int numbers[4] = { 0, 1, 2, 3 };

	self = "/proc/self/exe";
	if (argc > 1 && !strcmp(argv[1], "executed")) {
		syscall(SYS_getppid);
		return 0;
	}
	if (argc > 1)
		rounds = atoi(argv[1]);
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, works, &numbers[i]))
			abort();
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	signals(0);
	signals(SA_RESTART);
	for (int i = 0; i < 3; i++) {
		child(leaves_threads_behind);
		child(executes_in_a_thread);
		child(is_stopped);
		child(is_killed);
		child(fails_to_execute);
#ifdef __x86_64__
		child(calls_as_32_bits);
#endif
	}
	syscall(9999, 1, 2, 3); /* no such call */
	return 0;
}
