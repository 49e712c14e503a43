/*
 * histogram - durations in log-linear buckets, at most 3 % wrong.
 *
 * Each power of two is cut into 32 linear buckets (values below 64 ns are exact), so a
 * bucket's middle is at most 1/64 from any value in it. Buckets are allocated
 * in groups of one power of two as they are needed: most syscalls live in
 * three or four. The first few values are kept as they are, because most
 * (thread, syscall) pairs never see more. Merging adds bucket by bucket. The
 * count is exact. May be moved by memcpy. Not thread-safe: the owner locks.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_STEPS 32 /* buckets in a group */
#define HISTOGRAM_GROUPS 60
#define HISTOGRAM_BUCKETS (HISTOGRAM_GROUPS * HISTOGRAM_STEPS)
#define HISTOGRAM_FEW 8

struct histogram {
	uint64_t count;
	union {
		uint64_t *values; /* while there are at most HISTOGRAM_FEW: as they came */
		uint16_t *narrow; /* then groups of counts, 64 bytes each, the lowest first ... */
		uint64_t *wide; /* ... until one of the counts needs more than 16 bits */
	};
	/* Bit g: group g has counts; the highest: they are wide. 0: `values` is meant. */
	uint64_t groups;
};

void histogram_init(struct histogram *h);
void histogram_release(struct histogram *h);
void histogram_clear(struct histogram *h); /* all zero; memory kept */
void histogram_add(struct histogram *h, uint64_t ns);
/* Has the memory fetched that histogram_add() of about this value would change. */
void histogram_prefetch(const struct histogram *h, uint64_t ns);
/* As many values of one group as each of its buckets has. */
void histogram_add_group(struct histogram *h, unsigned group,
			 const uint32_t counts[HISTOGRAM_STEPS]);
void histogram_merge(struct histogram *into, const struct histogram *from);
/* The value that `fraction` (0..1) of all are at or below; 0 when empty. */
uint64_t histogram_quantile(const struct histogram *h, double fraction);
/* The standard deviation of the values, as a sample of more; 0 of fewer than two. */
double histogram_deviation(const struct histogram *h);

/*
 * Sums into `cells` equal steps of log(duration) from low_ns to high_ns;
 * what lies outside goes to the first and the last cell.
 */
void histogram_project(const struct histogram *h, uint64_t low_ns, uint64_t high_ns,
		       uint64_t *cells, size_t cell_count);

/* Bucket arithmetic, for sources that aggregate elsewhere and for tests. */
unsigned histogram_bucket(uint64_t ns);
uint64_t histogram_bucket_low(unsigned bucket);
uint64_t histogram_bucket_high(unsigned bucket); /* the last value inside */

size_t histogram_bytes(const struct histogram *h); /* of memory, beside itself */

#endif
