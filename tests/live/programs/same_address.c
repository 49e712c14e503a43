/*
 * same_address - two processes wait at the same address of their own memories, three times each:
 * one for 30 ms, the other for 10 ms. Prints "ADDRESS SLOW QUICK"; SLOW and QUICK are the pids.
 */
#include <linux/futex.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint32_t word;

static pid_t start(long ms)
{
	const struct timespec time = { .tv_nsec = ms * 1000000 };
	pid_t pid = fork();

	if (pid)
		return pid;
	for (int i = 0; i < 3; i++)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
	_exit(0);
}

int main(void)
{
	pid_t slow = start(30), quick = start(10);

	waitpid(slow, NULL, 0);
	waitpid(quick, NULL, 0);
	printf("%p %d %d\n", (void *)&word, slow, quick);
	return 0;
}
