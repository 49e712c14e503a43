/*
 * inlined - waits below functions inlined into each other, below a callback, a tail call,
 * recursion and a function called through the PLT. With an argument, it repeats forever.
 */
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 40
#define INLINE static inline __attribute__((always_inline))
#define APART __attribute__((noinline, noclone))

static volatile int sum;

INLINE void wait_a_little(int more)
{
	sum += poll(NULL, 0, 1) + more;
}

INLINE void inner(int more)
{
	if (more > 1)
		wait_a_little(more);
	sum++;
}

INLINE void middle(int more)
{
	for (int i = 0; i < 2; i++)
		inner(more + i);
}

APART void outer(int more)
{
	middle(more + 1);
	sum += more;
}

APART static int compare(const void *a, const void *b)
{
	inner(2);
	return *(const int *)a - *(const int *)b;
}

APART static void below(int depth)
{
	volatile char room[48];

	room[0] = (char)depth;
	if (depth)
		below(depth - 1);
	else
		outer(1);
	sum += room[0];
}

APART static int at_the_end(int more)
{
	sum += more;
	return usleep(200); /* a tail call: this function is in no stack */
}

APART static int jumps(int more)
{
	int code = at_the_end(more);

	sum++;
	return code;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < ROUNDS || argc > 1; i++) {
		int numbers[] = { 3, 2, 1 };

		below(i % 5);
		qsort(numbers, 3, sizeof(numbers[0]), compare);
		jumps(i);
	}
	_exit(0);
}
