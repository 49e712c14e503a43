/*
 * errno_counts - counts failed calls by error.
 *
 * A short list in order of first occurrence: few syscalls fail with more than a handful of errors.
 * It grows with each new error and is bounded by the error numbers of the kernel (MAX_ERRNO,
 * include/linux/err.h). Can be moved by memcpy. Not thread-safe: the owner locks.
 */
#ifndef RECORD_ERRNO_COUNTS_H
#define RECORD_ERRNO_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#define ERRNO_COUNTS_UNKNOWN 0 /* failed calls whose error is unknown */

struct errno_count {
	uint64_t count;
	uint32_t number; /* error number, such as ENOENT */
};

/* All zero: empty. */
struct errno_counts {
	struct errno_count *list;
	uint16_t len, cap;
};

void errno_counts_release(struct errno_counts *counts);
void errno_counts_add(struct errno_counts *counts, uint32_t number, uint64_t count);
void errno_counts_merge(struct errno_counts *into, const struct errno_counts *from);
/* Copy up to max counts to *top, by descending count, then by error number. Return how many. */
size_t errno_counts_top(const struct errno_counts *counts, struct errno_count *top, size_t max);

#endif
