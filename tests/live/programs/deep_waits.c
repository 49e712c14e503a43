/*
 * deep_waits - waits at several call depths and in a signal handler. The code has no frame
 * pointers: its stacks can be unwound only with .eh_frame.
 */
#pragma GCC optimize("O2", "omit-frame-pointer")
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 200

static int there[2], back[2];
static volatile int sum;

static void ask(void)
{
	char answer;

	if (write(there[1], "x", 1) != 1 || read(back[0], &answer, 1) != 1)
		_exit(1);
	sum++;
}

__attribute__((noinline)) static void go_down(int depth)
{
	volatile char room[64];

	room[depth] = (char)depth;
	if (depth)
		go_down(depth - 1);
	else
		ask();
	sum += room[depth];
}

static int by_waiting(const void *a, const void *b)
{
	ask();
	return *(const int *)a - *(const int *)b;
}

static void on_signal(int number)
{
	poll(NULL, 0, 1);
	sum += number;
}

static void *answer_all(void *arg)
{
	char byte;

	while (read(there[0], &byte, 1) == 1 && write(back[1], "y", 1) == 1)
		sum++;
	return arg;
}

int main(void)
{
	pthread_t thread;

	if (pipe(there) || pipe(back) || pthread_create(&thread, NULL, answer_all, NULL))
		return 1;
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < ROUNDS; i++) {
		int numbers[] = { 3, 2, 1 };

		go_down(i % 7);
		qsort(numbers, 3, sizeof(numbers[0]), by_waiting);
		if (i % 10 == 0)
			raise(SIGUSR1);
	}
	_exit(0);
}
