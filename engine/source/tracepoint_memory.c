/*
 * tracepoint_memory - the memory of libtraceevent, which reads what it got no memory for.
 *
 * Its parser compares a token that could not be allocated with strcmp(3). So where its archive
 * is installed, it is linked with these in place of the C library's (Makefile): they end the
 * program with a sentence as ours do. What they return is freed by free(3).
 */
#include "engine/source/tracepoint_memory.h"

#include "engine/base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *traceevent_malloc(size_t bytes)
{
	return mem_alloc(bytes);
}

void *traceevent_calloc(size_t count, size_t size)
{
	return mem_zalloc(count, size);
}

void *traceevent_realloc(void *old, size_t bytes)
{
	return mem_realloc(old, bytes, 1);
}

char *traceevent_strdup(const char *text)
{
	return mem_strdup(text);
}

int traceevent_asprintf(char **out, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0)
		return len;
	*out = mem_alloc((size_t)len + 1);
	va_start(args, format);
	len = vsnprintf(*out, (size_t)len + 1, format, args);
	va_end(args);
	return len;
}
