/*
 * tracepoint_memory - allocation for libtraceevent, which dereferences failed allocations.
 *
 * Its parser passes the NULL of a failed allocation to strcmp(3). So where its static archive is
 * installed, it is linked with these functions instead of those of the C library (Makefile). Out of
 * memory they end the program with a message, as mem.h does. free(3) releases what they return.
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
