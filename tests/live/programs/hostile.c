/*
 * hostile - calls with misleading arguments: names with control characters and invalid encodings,
 * bad pointers, lengths and counts beyond all memory, structs smaller and larger than any kernel
 * knows, descriptors closed during the call. All calls fail, except the last read.
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096
#define NEWER 512 /* size of a struct, larger than any that this kernel knows */

/* Return a filled page; the memory after it is not mapped. */
static char *edge(void)
{
	char *at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		exit(2);
	munmap(at + PAGE, PAGE);
	memset(at, 'e', PAGE);
	return at;
}

static void names(void)
{
	static const char *const list[] = {
		"evil\33[2J\33]0;title\7\r\n\t\177",
		"evil\303(\377\376\200",
		"evil\302\2331m\342\200\256",
		"evil\0011\0022",
		"evil\"\\'<>&",
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		syscall(SYS_access, list[i], 0);
	syscall(SYS_symlinkat, list[0], -1, list[1]);
	syscall(SYS_write, -1, "evil\33[2J\0\1\377", 11);
	syscall(SYS_setxattr, "/nonexistent", list[2], "\33c\0\0\200", 5, 0);
}

static void pointers_and_lengths(char *end)
{
	syscall(SYS_write, -1, 8, 64);
	syscall(SYS_write, -1, end - 2, SIZE_MAX);
	syscall(SYS_write, -1, end, 1);
	syscall(SYS_read, -1, -1L, SIZE_MAX);
	syscall(SYS_access, end - 5, 0);
	syscall(SYS_bind, -1, end - 4, 128);
	syscall(SYS_bind, -1, "\1\0evil\33", UINT_MAX);
	syscall(SYS_setsockopt, -1, 1, 2, end - 1, INT_MIN);
	syscall(SYS_nanosleep, end - 8, NULL);
	syscall(SYS_rt_sigaction, 10, 8, 8, 8);
	syscall(SYS_ioctl, -1, 0x5401, end);
	syscall(SYS_add_key, end - 3, 8, end - 1, SIZE_MAX, 0);
}

static void counts(char *end)
{
	syscall(SYS_poll, end - 12, UINT_MAX, 0);
	syscall(SYS_select, INT_MIN, end - 8, end, 8, end - 1);
	syscall(SYS_epoll_wait, -1, end, INT_MAX, 0);
	syscall(SYS_setgroups, 1 << 30, end - 12);
	syscall(SYS_futex_waitv, end - 8, UINT_MAX, 0, 0, 0);
	syscall(SYS_readv, -1, end - 24, LONG_MIN);
	syscall(SYS_process_vm_readv, -1, end - 16, ULONG_MAX, end - 16, ULONG_MAX, 0);
	syscall(SYS_io_submit, -1L, LONG_MAX, end - 8);
	syscall(SYS_semop, -1, end - 6, ULONG_MAX);
	syscall(SYS_move_pages, -1, ULONG_MAX, end - 16, end - 8, end - 8, 0);
	syscall(SYS_sched_setaffinity, INT_MAX, UINT_MAX, end - 8);
	syscall(SYS_mbind, 0, 0, 0, end - 8, ULONG_MAX, 0);
}

static void sizes(char *end)
{
	static char zeros[PAGE], ones[NEWER];

	memset(ones, 1, sizeof(ones));
	for (size_t size = 1; size <= NEWER; size += size < 24 ? 23 : NEWER - 24) {
		syscall(SYS_openat2, -1, "evil", zeros, size);
		syscall(SYS_openat2, -1, "evil", ones, size);
		syscall(SYS_openat2, -1, "evil", end - size / 2, size);
		syscall(SYS_mount_setattr, -1, "evil", -1, ones, size);
		syscall(SYS_landlock_create_ruleset, ones, size, -1);
		syscall(SYS_bpf, -1, ones, size);
		syscall(SYS_clone3, ones, size);
	}
	syscall(SYS_openat2, -1, "evil", zeros, SIZE_MAX);
	for (uint32_t size = 0; size < NEWER; size = size * 4 + 3) {
		memcpy(ones + 4, &size, sizeof(size));
		syscall(SYS_perf_event_open, ones, -1, -1, -1, -1L);
		memcpy(ones, &size, sizeof(size));
		syscall(SYS_sched_setattr, INT_MAX, ones, 0);
	}
}

static int ends[2];
static atomic_int reader;

static void *reads(void *text)
{
	reader = gettid();
	/* When the read returns, its descriptor is closed or belongs to another file. */
	read(ends[0], text, 1);
	return NULL;
}

/* True if the thread waits in read(), because the pipe is empty. */
static bool waits_in_read(int tid)
{
	char path[64], line[8] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);
	file = tid ? fopen(path, "re") : NULL;
	if (file) {
		if (!fgets(line, sizeof(line), file))
			line[0] = '\0';
		fclose(file);
	}
	return !strncmp(line, "0 ", 2);
}

static void descriptors(void)
{
	int fd = open("/dev/null", O_RDONLY);
	pthread_t thread;
	char text[4];

	close(fd);
	syscall(SYS_read, fd, text, 1);
	syscall(SYS_fstat, INT_MAX, text);
	syscall(SYS_dup2, fd, INT_MIN);
	if (pipe(ends))
		exit(2);
	pthread_create(&thread, NULL, reads, text);
	while (!waits_in_read(reader))
		usleep(1000);
	close(ends[0]);
	write(ends[1], "x", 1);
	pthread_join(thread, NULL);
}

int main(void)
{
	char *end = edge() + PAGE;

	names();
	pointers_and_lengths(end);
	counts(end);
	sizes(end);
	descriptors();
	return 0;
}
