#include "engine/base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 64

static void (*restore_terminal)(void);

void mem_on_exhaustion(void (*restore)(void))
{
	restore_terminal = restore;
}

__attribute__((noreturn)) static void exhausted(void)
{
	static const char text[] = "stxtop: out of memory\n";
	if (restore_terminal)
		restore_terminal();
	ssize_t ignored = write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)ignored;
	_exit(1);
}

void *mem_alloc(size_t bytes)
{
	void *p = malloc(bytes ? bytes : 1);
	if (!p)
		exhausted();
	return p;
}

void *mem_alloc_lines(size_t bytes)
{
	size_t whole = (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;

	return mem_alloc_aligned(LINE_BYTES, whole ? whole : LINE_BYTES);
}

void *mem_alloc_aligned(size_t align, size_t bytes)
{
	void *p = aligned_alloc(align, bytes);
	if (!p)
		exhausted();
	return p;
}

void *mem_zalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);
	if (!p)
		exhausted();
	return p;
}

void *mem_realloc(void *old, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		exhausted();
	void *p = realloc(old, bytes ? bytes : 1);
	if (!p)
		exhausted();
	return p;
}

char *mem_strdup(const char *text)
{
	return mem_strndup(text, strlen(text));
}

char *mem_strndup(const char *text, size_t max_bytes)
{
	size_t len = strnlen(text, max_bytes);
	char *copy = mem_alloc(len + 1);
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

void *mem_grow(void *array, size_t *capacity, size_t need, size_t size)
{
	if (need <= *capacity)
		return array;
	size_t want = *capacity ? *capacity * 2 : 8;
	if (want < need)
		want = need;
	array = mem_realloc(array, want, size);
	*capacity = want;
	return array;
}
