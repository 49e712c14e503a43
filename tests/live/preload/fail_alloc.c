/*
 * fail_alloc - LD_PRELOAD library: allocation number FAIL_ALLOC of the first process fails (0:
 * none fails). That process writes its number of allocations to the file $FAIL_ALLOC_COUNT at exit.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);

static _Atomic long count;
static long wanted = -1;
static pid_t owner;

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("FAIL_ALLOC");

	owner = getpid();
	unsetenv("LD_PRELOAD");
	atomic_store(&count, 0);
	if (text)
		wanted = atol(text);
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("FAIL_ALLOC_COUNT");
	long all = atomic_load(&count);
	FILE *file;

	wanted = -1;
	if (!path || getpid() != owner || !(file = fopen(path, "w")))
		return;
	fprintf(file, "%ld\n", all);
	fclose(file);
}

/* True if this allocation must fail. Never in forked processes: their order is not fixed. */
static bool fails(void)
{
	if (wanted < 0 || getpid() != owner || atomic_fetch_add(&count, 1) + 1 != wanted)
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t bytes)
{
	return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
	return fails() ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
	return fails() ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
	return fails() ? NULL : __libc_memalign(align, bytes);
}
