/*
 * own_descriptors DIR [before] - threads and processes that share their descriptors, or do not.
 *
 * Each of them reads from a file in DIR at an offset of its own, repeatedly, until standard input
 * ends. For each offset, it first prints "OFFSET PATH" as /proc shows the descriptor to the
 * thread itself. With `before`, it waits for a line of input before it reads.
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUMBER 10 /* descriptor of most readers */
#define OTHER 11
#define STACK_BYTES 65536

static atomic_int offsets, prepared, starts, ends;
static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;

static void open_as(const char *name, int fd)
{
	int opened = open(name, O_RDWR | O_CREAT, 0600);

	if (opened < 0 || dup2(opened, fd) != fd)
		_exit(2);
	close(opened);
}

/* Only system calls: a thread from clone() without CLONE_SETTLS must not use more of libc. */
static void read_again_and_again(int fd, int offset)
{
	const struct timespec pause = { .tv_nsec = 30000000 };
	char byte;

	atomic_fetch_add(&prepared, 1);
	while (!atomic_load(&starts))
		syscall(SYS_nanosleep, &pause, NULL);
	while (!atomic_load(&ends)) {
		syscall(SYS_pread64, fd, &byte, 1, offset);
		syscall(SYS_nanosleep, &pause, NULL);
	}
}

static void report(int fd, int offset)
{
	char link[64], path[PATH_MAX];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/thread-self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	pthread_mutex_lock(&output);
	dprintf(STDOUT_FILENO, "%d %s\n", offset, path);
	pthread_mutex_unlock(&output);
}

static void use(int fd)
{
	int offset = atomic_fetch_add(&offsets, 1);

	report(fd, offset);
	read_again_and_again(fd, offset);
}

static void *share_with_creator(void *unused)
{
	open_as("by-creator's-child", OTHER);
	use(NUMBER);
	return unused;
}

/* The thread that it creates opens its second descriptor. */
static void *unshare_files(void *unused)
{
	pthread_t thread;
	int before = atomic_load(&prepared);

	if (unshare(CLONE_FILES))
		_exit(3);
	open_as("unshared", NUMBER);
	pthread_create(&thread, NULL, share_with_creator, NULL);
	while (atomic_load(&prepared) == before)
		usleep(1000);
	use(OTHER);
	return unused;
}

static void *unshare_by_close_range(void *unused)
{
	if (syscall(SYS_close_range, NUMBER, NUMBER, 2 /* CLOSE_RANGE_UNSHARE */))
		_exit(4);
	open_as("close_range", NUMBER);
	use(NUMBER);
	return unused;
}

/* The name is relative to the directory of this thread, which it shares with no other. */
static void *unshare_directory(void *unused)
{
	if (unshare(CLONE_FS) || chdir("inner"))
		_exit(5);
	open_as("relative", OTHER + 1);
	use(OTHER + 1);
	return unused;
}

static int read_copied(void *offset)
{
	int opened = (int)syscall(SYS_openat, AT_FDCWD, "copied", O_RDWR | O_CREAT, 0600);

	syscall(SYS_dup3, opened, NUMBER, 0);
	syscall(SYS_close, opened);
	read_again_and_again(NUMBER, (int)(intptr_t)offset);
	syscall(SYS_exit, 0);
	return 0;
}

static int share_from_process(void *unused)
{
	(void)unused;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	open_as("by-child-process", OTHER);
	for (;;)
		pause();
	return 0;
}

/* Start a thread and wait until `count` more threads read. */
static void begin(void *(*run)(void *), int count)
{
	int before = atomic_load(&prepared);
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	while (atomic_load(&prepared) < before + count)
		usleep(1000);
}

static void *use_number(void *unused)
{
	use(NUMBER);
	return unused;
}

static void *use_relative(void *unused)
{
	open_as("relative", OTHER + 2);
	use(OTHER + 2);
	return unused;
}

static void *use_other(void *unused)
{
	use(OTHER);
	return unused;
}

int main(int argc, char **argv)
{
	char line[16], path[PATH_MAX];
	int offset, before;

	if (argc < 2 || chdir(argv[1]) || !getcwd(path, sizeof(path)))
		return 1;
	open_as("first", NUMBER);
	begin(unshare_files, 2);
	begin(unshare_by_close_range, 1);
	begin(unshare_directory, 1);

	offset = atomic_fetch_add(&offsets, 1);
	before = atomic_load(&prepared);
	if (clone(read_copied, (char *)malloc(STACK_BYTES) + STACK_BYTES,
		  CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_FS, (void *)(intptr_t)offset) < 0)
		return 6;
	while (atomic_load(&prepared) == before)
		usleep(1000);
	dprintf(STDOUT_FILENO, "%d %s/copied\n", offset, path);

	if (clone(share_from_process, (char *)malloc(STACK_BYTES) + STACK_BYTES,
		  CLONE_FILES | SIGCHLD, NULL) < 0)
		return 7;
	while (fcntl(OTHER, F_GETFD) < 0)
		usleep(1000);
	begin(use_other, 1);
	begin(use_relative, 1);
	begin(use_number, 1);
	printf("ready\n");
	fflush(stdout);
	if (argc > 2 && !fgets(line, sizeof(line), stdin))
		return 8;
	atomic_store(&starts, 1);
	while (fgets(line, sizeof(line), stdin))
		continue;
	atomic_store(&ends, 1);
	return 0;
}
