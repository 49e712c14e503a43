/*
 * requeue - three threads wait at one address. One is woken there; two are requeued to another
 * address and woken there. Prints "ADDRESS OTHER WAKER"; WAKER is a tid.
 */
#include "asleep.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS 3

static uint32_t first, second;
static _Atomic uint32_t waiters[THREADS];

static long futex(uint32_t *address, int op, uint32_t value, uintptr_t value2, uint32_t *other)
{
	return syscall(SYS_futex, address, op | FUTEX_PRIVATE_FLAG, value, value2, other, 0);
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100 * 1000000 }, NULL);
}

static void *wait_first(void *waiter)
{
	*(_Atomic uint32_t *)waiter = (uint32_t)gettid();
	futex(&first, FUTEX_WAIT, 0, 0, NULL);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	prctl(PR_SET_NAME, "waker");
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, wait_first, &waiters[i]);
	for (int i = 0; i < THREADS; i++) {
		while (!waiters[i])
			usleep(1000);
		until_asleep(waiters[i], SYS_futex);
	}
	if (futex(&first, FUTEX_CMP_REQUEUE, 1, INT32_MAX, &second) != THREADS)
		return 1;
	nap();
	if (futex(&second, FUTEX_WAKE, INT32_MAX, 0, NULL) != THREADS - 1)
		return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%p %p %d\n", (void *)&first, (void *)&second, gettid());
	return 0;
}
