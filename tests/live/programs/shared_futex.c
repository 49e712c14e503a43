/*
 * shared_futex [ROUNDS] - two processes wait for each other on one futex, in memory that they map
 * at different addresses. First prints "PARENT ADDRESS CHILD ADDRESS": each pid with its address.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BYTES 4096

/* Wait until *turn is `mine`; sleep, then pass the turn to the other process. */
static void take_turns(_Atomic uint32_t *turn, uint32_t mine, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		uint32_t seen;

		while ((seen = atomic_load(turn)) != mine)
			syscall(SYS_futex, turn, FUTEX_WAIT, seen, NULL, NULL, 0);
		nanosleep(&(struct timespec){ .tv_nsec = 20 * 1000000 }, NULL);
		atomic_store(turn, !mine);
		syscall(SYS_futex, turn, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10;
	int fd = memfd_create("turn", MFD_CLOEXEC);
	char *parent, *child;
	pid_t pid;

	if (fd < 0 || ftruncate(fd, BYTES) < 0)
		return 1;
	parent = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	child = mmap(NULL, 2 * BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (parent == MAP_FAILED || child == MAP_FAILED)
		return 1;
	pid = fork();
	if (!pid) {
		munmap(parent, BYTES);
		mmap(child, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
		take_turns((_Atomic uint32_t *)(void *)(child + 64), 1, rounds);
		return 0;
	}
	printf("%d %p %d %p\n", getpid(), (void *)(parent + 64), pid, (void *)(child + 64));
	fflush(stdout);
	take_turns((_Atomic uint32_t *)(void *)(parent + 64), 0, rounds);
	waitpid(pid, NULL, 0);
	return 0;
}
