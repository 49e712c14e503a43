/*
 * mem - allocation of the program's own bookkeeping.
 *
 * Running out of memory for bookkeeping ends the program: mem_on_exhaustion
 * runs first, so that the terminal is restored. Sizes that the user chose
 * (history, rings) do not come from here; they may fail and be reported.
 * Any thread.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* Called once before the program ends for want of memory. Must not allocate. */
void mem_on_exhaustion(void (*restore)(void));

void *mem_alloc(size_t bytes); /* not cleared */
void *mem_alloc_lines(size_t bytes); /* not cleared; in cache lines of their own, of 64 bytes */
/* Not cleared, at a multiple of `align`, a power of two of which `bytes` is a multiple. */
void *mem_alloc_aligned(size_t align, size_t bytes);
void *mem_zalloc(size_t count, size_t size); /* cleared; the product is checked */
void *mem_realloc(void *old, size_t count, size_t size); /* the product is checked */
char *mem_strdup(const char *text);
char *mem_strndup(const char *text, size_t max_bytes);

/*
 * Grows an array so that it holds at least `need` elements; capacity at least
 * doubles. Usage:  rows = mem_grow(rows, &rows_cap, rows_len + 1, sizeof(*rows));
 */
void *mem_grow(void *array, size_t *capacity, size_t need, size_t size);

#endif
