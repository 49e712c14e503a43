/*
 * futex_ops - a thread waits with each operation of futex(2) and each call of futex2 in turn; a
 * second thread ends each wait after 20 ms. Prints "NAME ADDRESS WHERE WAITER WAKER" for each:
 * addresses of the wait and of the wake, both tids. Operations that the kernel lacks are omitted.
 */
#include "asleep.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif
enum { NR_WAITV = 449, NR_WAKE = 454, NR_WAIT = 455, NR_REQUEUE = 456 };
#define FLAGS2 (2 | FUTEX_PRIVATE_FLAG) /* FUTEX2_SIZE_U32 */
#define WAKE_OP_SET FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0)

struct vector {
	uint64_t value, uaddr;
	uint32_t flags, reserved;
};

struct round {
	const char *name;
	void (*wait)(struct round *round);
	void (*wake)(struct round *round);
	long nr; /* number of the call that waits; 0: futex(2) */
	bool moves; /* the waiter is woken at the other address */
	_Atomic uint32_t *one, *other;
	_Atomic uint32_t waiter;
	bool failed;
};

static long futex(_Atomic uint32_t *address, int op, uint32_t value, uintptr_t value2,
		  _Atomic uint32_t *other, uint32_t value3)
{
	return syscall(SYS_futex, address, op | FUTEX_PRIVATE_FLAG, value, value2, other, value3);
}

static void check(struct round *round, bool right)
{
	if (!right)
		round->failed = true;
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 20 * 1000000 }, NULL);
}

static void wait_plain(struct round *round)
{
	check(round, !futex(round->one, FUTEX_WAIT, 0, 0, NULL, 0));
}

static void wake_plain(struct round *round)
{
	check(round, futex(round->one, FUTEX_WAKE, 1, 0, NULL, 0) == 1);
}

static void wait_bitset(struct round *round)
{
	check(round, !futex(round->one, FUTEX_WAIT_BITSET, 0, 0, NULL, 4));
}

static void wake_bitset(struct round *round)
{
	check(round, futex(round->one, FUTEX_WAKE_BITSET, 1, 0, NULL, 6) == 1);
}

static void wake_by_op(struct round *round)
{
	check(round, futex(round->one, FUTEX_WAKE_OP, 1, 0, round->other, WAKE_OP_SET) == 1);
}

/* Wake through the second address of the call, at which the waiter waits. */
static void wake_by_op_other(struct round *round)
{
	check(round, futex(round->other, FUTEX_WAKE_OP, 0, 1, round->one, WAKE_OP_SET) == 1);
}

static void wake_after_requeue(struct round *round)
{
	check(round, futex(round->one, FUTEX_REQUEUE, 0, 1, round->other, 0) == 1);
	nap();
	check(round, futex(round->other, FUTEX_WAKE, 1, 0, NULL, 0) == 1);
}

static void wake_after_cmp_requeue(struct round *round)
{
	check(round, futex(round->one, FUTEX_CMP_REQUEUE, 0, 1, round->other, 0) == 1);
	nap();
	check(round, futex(round->other, FUTEX_WAKE, 1, 0, NULL, 0) == 1);
}

static void lock_pi(struct round *round)
{
	check(round, !futex(round->one, FUTEX_LOCK_PI, 0, 0, NULL, 0));
	check(round, !futex(round->one, FUTEX_UNLOCK_PI, 0, 0, NULL, 0));
}

static void lock_pi2(struct round *round)
{
	check(round, !futex(round->one, FUTEX_LOCK_PI2, 0, 0, NULL, 0));
	check(round, !futex(round->one, FUTEX_UNLOCK_PI, 0, 0, NULL, 0));
}

static void unlock_pi(struct round *round)
{
	check(round, !futex(round->one, FUTEX_UNLOCK_PI, 0, 0, NULL, 0));
}

static void wait_requeue_pi(struct round *round)
{
	check(round, !futex(round->one, FUTEX_WAIT_REQUEUE_PI, 0, 0, round->other, 0));
	check(round, !futex(round->other, FUTEX_UNLOCK_PI, 0, 0, NULL, 0));
}

static void wake_requeue_pi(struct round *round)
{
	check(round, futex(round->one, FUTEX_CMP_REQUEUE_PI, 1, 0, round->other, 0) == 1);
	nap();
	check(round, !futex(round->other, FUTEX_UNLOCK_PI, 0, 0, NULL, 0));
}

static void wait_2(struct round *round)
{
	check(round, !syscall(NR_WAIT, round->one, 0, 1, FLAGS2, NULL, 0));
}

static void wake_2(struct round *round)
{
	check(round, syscall(NR_WAKE, round->one, 1, 1, FLAGS2) == 1);
}

static void wake_after_requeue_2(struct round *round)
{
	const struct vector vector[2] = {
		{ .uaddr = (uintptr_t)round->one, .flags = FLAGS2 },
		{ .uaddr = (uintptr_t)round->other, .flags = FLAGS2 },
	};

	check(round, syscall(NR_REQUEUE, vector, 0, 0, 1) == 1);
	nap();
	check(round, syscall(NR_WAKE, round->other, 1, 1, FLAGS2) == 1);
}

static void wait_vector(struct round *round)
{
	const struct vector vector[2] = {
		{ .uaddr = (uintptr_t)round->other, .flags = FLAGS2 },
		{ .uaddr = (uintptr_t)round->one, .flags = FLAGS2 },
	};

	check(round, syscall(NR_WAITV, vector, 2, 0, NULL, 0) == 1);
}

static struct round rounds[] = {
	{ .name = "wait", .wait = wait_plain, .wake = wake_plain },
	{ .name = "bitset", .wait = wait_bitset, .wake = wake_bitset },
	{ .name = "wake_op", .wait = wait_plain, .wake = wake_by_op },
	{ .name = "wake_op_second", .wait = wait_plain, .wake = wake_by_op_other },
	{ .name = "requeue", .wait = wait_plain, .wake = wake_after_requeue, .moves = true },
	{ .name = "cmp_requeue",
	  .wait = wait_plain,
	  .wake = wake_after_cmp_requeue,
	  .moves = true },
	{ .name = "lock_pi", .wait = lock_pi, .wake = unlock_pi },
	{ .name = "lock_pi2", .wait = lock_pi2, .wake = unlock_pi },
	{ .name = "requeue_pi", .wait = wait_requeue_pi, .wake = wake_requeue_pi, .moves = true },
	{ .name = "wait2", .wait = wait_2, .wake = wake_2, .nr = NR_WAIT },
	{ .name = "requeue2",
	  .wait = wait_2,
	  .wake = wake_after_requeue_2,
	  .nr = NR_WAIT,
	  .moves = true },
	{ .name = "waitv", .wait = wait_vector, .wake = wake_plain, .nr = NR_WAITV },
};

#define ROUNDS (sizeof(rounds) / sizeof(*rounds))

static _Atomic uint32_t words[ROUNDS][2];

static bool is_known(const struct round *round)
{
	if (round->wait == wait_vector)
		return syscall(NR_WAITV, NULL, 0, 0, NULL, 0) < 0 && errno != ENOSYS;
	if (round->wait == wait_2)
		return syscall(NR_WAKE, NULL, 0, 0, 0) < 0 && errno != ENOSYS;
	return true;
}

static void *wait_there(void *round)
{
	((struct round *)round)->waiter = (uint32_t)gettid();
	((struct round *)round)->wait(round);
	return NULL;
}

int main(void)
{
	int status = 0;

	for (size_t i = 0; i < ROUNDS; i++) {
		struct round *round = &rounds[i];
		pthread_t thread;

		if (!is_known(round))
			continue;
		round->one = &words[i][0];
		round->other = &words[i][1];
		if (round->wake == unlock_pi)
			futex(round->one, FUTEX_LOCK_PI, 0, 0, NULL, 0);
		if (round->wake == wake_requeue_pi)
			futex(round->other, FUTEX_LOCK_PI, 0, 0, NULL, 0);
		pthread_create(&thread, NULL, wait_there, round);
		while (!round->waiter)
			usleep(1000);
		until_asleep(round->waiter, round->nr ? round->nr : SYS_futex);
		nap();
		round->wake(round);
		pthread_join(thread, NULL);
		printf("%s %p %p %u %d\n", round->name, (void *)round->one,
		       (void *)(round->moves ? round->other : round->one), round->waiter, gettid());
		if (round->failed) {
			fprintf(stderr, "%s failed\n", round->name);
			status = 1;
		}
	}
	return status;
}
