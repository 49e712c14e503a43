/*
 * errno_counts - how many calls failed with which error.
 *
 * A short list, the errors in the order in which they first came: few calls know more than a
 * handful of ways to fail. Grows when an error comes for the first time; a list is bounded by
 * the numbers that the kernel may return (MAX_ERRNO, include/linux/err.h). May be moved by
 * memcpy. Not thread-safe: the owner locks.
 */
#ifndef RECORD_ERRNO_COUNTS_H
#define RECORD_ERRNO_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#define ERRNO_COUNTS_UNKNOWN 0 /* failed calls of which only the number is known */

struct errno_count {
	uint64_t count;
	uint32_t number; /* ENOENT */
};

/* Zeroed is empty. */
struct errno_counts {
	struct errno_count *list;
	uint16_t len, cap;
};

void errno_counts_release(struct errno_counts *counts);
void errno_counts_add(struct errno_counts *counts, uint32_t number, uint64_t count);
void errno_counts_merge(struct errno_counts *into, const struct errno_counts *from);
/* The most frequent first, equal ones by number: up to max of them to *top; returns how many. */
size_t errno_counts_top(const struct errno_counts *counts, struct errno_count *top, size_t max);

#endif
