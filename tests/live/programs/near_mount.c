/*
 * near_mount [neighbour FILE | descriptor FILE | cwd DIR | epoll FILE]... - uses a file system in
 * the given ways, and has a waiting thread.
 *
 * neighbour: the file is mapped directly above a thread's stack, and never read. descriptor: the
 * file is open. cwd: the folder is the working directory. epoll: at SIGUSR1, epoll_wait() stores
 * events in a mapped page of the file; the kernel locks the epoll instance and waits for the page.
 * Prints "ready" when its threads wait. Each SIGUSR1 interrupts pause() of the main thread.
 */
#include "blocked.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES (256 << 10)
#define FILE_BYTES (64 << 10)

static int pipe_fds[2], epoll_fd = -1;
static struct epoll_event *epoll_page;
static volatile int tids[8], count;

static void nudge(int number)
{
	(void)number;
}

__attribute__((noinline)) static long wait_for_ever(void)
{
	char byte;

	return read(pipe_fds[0], &byte, 1) + 1;
}

static void *thread_main(void *arg)
{
	tids[count++] = (int)syscall(SYS_gettid);
	return (void *)(wait_for_ever() + (long)arg);
}

static void start(void *stack)
{
	pthread_attr_t attr;
	pthread_t thread;
	int before = count;

	pthread_attr_init(&attr);
	if (stack)
		pthread_attr_setstack(&attr, stack, STACK_BYTES);
	if (pthread_create(&thread, &attr, thread_main, NULL))
		exit(1);
	while (count == before || !is_blocked(tids[before]))
		usleep(1000);
}

static void map_above_stack(const char *path)
{
	char *both = mmap(NULL, STACK_BYTES + FILE_BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open(path, O_RDONLY);

	if (both == MAP_FAILED || fd < 0 ||
	    mmap(both + STACK_BYTES, FILE_BYTES, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) ==
		    MAP_FAILED)
		exit(1);
	close(fd);
	start(both);
}

static void prepare_epoll(const char *path)
{
	struct epoll_event readable = { .events = EPOLLIN };
	int fd = open(path, O_RDONLY), ends[2];

	epoll_page = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	epoll_fd = epoll_create1(0);
	if (epoll_page == MAP_FAILED || epoll_fd < 0 || pipe(ends) || write(ends[1], "", 1) != 1 ||
	    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, ends[0], &readable))
		exit(1);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = nudge };

	sigaction(SIGUSR1, &action, NULL);
	if (pipe(pipe_fds))
		return 1;
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "neighbour"))
			map_above_stack(argv[i + 1]);
		else if (!strcmp(argv[i], "descriptor"))
			pipe_fds[1] = open(argv[i + 1], O_RDONLY) < 0 ? exit(1), 0 : pipe_fds[1];
		else if (!strcmp(argv[i], "epoll"))
			prepare_epoll(argv[i + 1]);
		else if (chdir(argv[i + 1]))
			return 1;
	}
	start(NULL);
	printf("ready\n");
	fflush(stdout);
	for (;;) {
		if (pause() < 0 && getppid() == 1)
			return 0;
		if (epoll_fd >= 0)
			epoll_wait(epoll_fd, epoll_page, 1, -1);
	}
}
