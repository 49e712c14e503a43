/*
 * tracepoint_memory - replaces the allocation functions of libtraceevent where it is linked
 * statically.
 *
 * They behave like the functions of the C library, but never fail. Any thread.
 */
#ifndef SOURCE_TRACEPOINT_MEMORY_H
#define SOURCE_TRACEPOINT_MEMORY_H

#include <stddef.h>

void *traceevent_malloc(size_t bytes);
void *traceevent_calloc(size_t count, size_t size);
void *traceevent_realloc(void *old, size_t bytes);
char *traceevent_strdup(const char *text);
int traceevent_asprintf(char **out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
