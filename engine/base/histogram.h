/*
 * histogram - durations in log-linear buckets, with an error of at most 3 %.
 *
 * Each power of two is divided into 32 linear buckets; values below 64 ns are exact. The middle of
 * a bucket is within 1/64 of any value in it. Buckets are allocated on demand in groups of one
 * power of two; most syscalls need three or four groups. The first few values are stored unchanged,
 * because most (thread, syscall) pairs have no more. Merging adds bucket by bucket. The count is
 * exact. The struct may be moved by memcpy. Not thread-safe: the owner locks.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_STEPS 32 /* buckets per group */
#define HISTOGRAM_GROUPS 60
#define HISTOGRAM_BUCKETS (HISTOGRAM_GROUPS * HISTOGRAM_STEPS)
#define HISTOGRAM_FEW 8

struct histogram {
	uint64_t count;
	union {
		uint64_t *values; /* up to HISTOGRAM_FEW values, in order of arrival */
		uint16_t *narrow; /* later: groups of 16-bit counts, the lowest group first */
		uint64_t *wide; /* as `narrow`, once a count needs more than 16 bits */
	};
	/* Bit g: group g is allocated. Bit 63: counts are wide. 0: `values` is in use. */
	uint64_t groups;
};

void histogram_init(struct histogram *h);
void histogram_release(struct histogram *h);
void histogram_clear(struct histogram *h); /* sets all counts to 0; retains the memory */
void histogram_add(struct histogram *h, uint64_t ns);
/* Prefetch the memory that histogram_add() will change for a value near ns. */
void histogram_prefetch(const struct histogram *h, uint64_t ns);
/* Add counts[i] values to each bucket i of one group. */
void histogram_add_group(struct histogram *h, unsigned group,
			 const uint32_t counts[HISTOGRAM_STEPS]);
void histogram_merge(struct histogram *into, const struct histogram *from);
/* Return the value that a `fraction` (0..1) of all values does not exceed. 0 if empty. */
uint64_t histogram_quantile(const struct histogram *h, double fraction);
/* Return the sample standard deviation of the values; 0 for fewer than two. */
double histogram_deviation(const struct histogram *h);

/*
 * Sum the counts into `cells`: equal steps of log(duration) from low_ns to high_ns. Values outside
 * the range count in the first or last cell.
 */
void histogram_project(const struct histogram *h, uint64_t low_ns, uint64_t high_ns,
		       uint64_t *cells, size_t cell_count);

/* Bucket arithmetic, for tests and for code that shows buckets on another scale. */
unsigned histogram_bucket(uint64_t ns);
uint64_t histogram_bucket_low(unsigned bucket);
uint64_t histogram_bucket_high(unsigned bucket); /* last value of the bucket */

/* Return the bytes of the allocated groups, without the struct and `values`. */
size_t histogram_bytes(const struct histogram *h);

#endif
