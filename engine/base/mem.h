/*
 * mem - allocates the internal data structures of stxtop.
 *
 * Running out of memory ends the program; the callback of mem_on_exhaustion() runs first and
 * restores the terminal. Memory whose size the user chose (history, rings) is allocated elsewhere,
 * where failures are reported. Any thread.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* Register a callback for the exit on lack of memory. It must not allocate. */
void mem_on_exhaustion(void (*restore)(void));

void *mem_alloc(size_t bytes); /* uninitialized */
void *mem_alloc_lines(size_t bytes); /* uninitialized; shares no 64-byte cache line */
/* Uninitialized. `align` is a power of two; `bytes` is a multiple of it. */
void *mem_alloc_aligned(size_t align, size_t bytes);
void *mem_zalloc(size_t count, size_t size); /* zeroed; overflow is checked */
void *mem_realloc(void *old, size_t count, size_t size); /* overflow is checked */
char *mem_strdup(const char *text);
char *mem_strndup(const char *text, size_t max_bytes);

/*
 * Grow an array to at least `need` elements. The capacity at least doubles.
 *
 *	rows = mem_grow(rows, &rows_cap, rows_len + 1, sizeof(*rows));
 */
void *mem_grow(void *array, size_t *capacity, size_t need, size_t size);

#endif
