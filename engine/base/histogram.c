#include "engine/base/histogram.h"

#include "engine/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_BITS 5
#define WIDE (1ULL << 63)

_Static_assert(1 << STEP_BITS == HISTOGRAM_STEPS, "steps are a power of two");
_Static_assert(HISTOGRAM_GROUPS < 63, "a bit for each, and one to spare");

void histogram_init(struct histogram *h)
{
	memset(h, 0, sizeof(*h));
}

void histogram_release(struct histogram *h)
{
	free(h->values);
	histogram_init(h);
}

static size_t counts_bytes(const struct histogram *h, size_t groups)
{
	return groups * HISTOGRAM_STEPS *
	       (h->groups & WIDE ? sizeof(*h->wide) : sizeof(*h->narrow));
}

static unsigned count_bits(uint64_t bits)
{
	/* On CPUs without a popcount instruction, __builtin_popcountll() is a function call. */
	bits -= bits >> 1 & 0x5555555555555555ULL;
	bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return (unsigned)(bits * 0x0101010101010101ULL >> 56);
}

static size_t group_count(const struct histogram *h)
{
	return count_bits(h->groups & ~WIDE);
}

/* Return the index of the counts of a group, or where they would be inserted. */
static size_t place_of(const struct histogram *h, unsigned group)
{
	return (size_t)count_bits(h->groups & ((1ULL << group) - 1)) * HISTOGRAM_STEPS;
}

void histogram_clear(struct histogram *h)
{
	if (h->groups)
		memset(h->values, 0, counts_bytes(h, group_count(h)));
	h->count = 0;
}

/* Group 0 holds 0..31 and group 1 32..63, both in steps of 1; group g has steps of 2^(g-1). */
unsigned histogram_bucket(uint64_t ns)
{
	unsigned group;

	if (ns < HISTOGRAM_STEPS)
		return (unsigned)ns;
	group = (unsigned)(63 - __builtin_clzll(ns)) - STEP_BITS + 1;
	return group * HISTOGRAM_STEPS + (unsigned)(ns >> (group - 1) & (HISTOGRAM_STEPS - 1));
}

uint64_t histogram_bucket_low(unsigned bucket)
{
	unsigned group = bucket / HISTOGRAM_STEPS, step = bucket % HISTOGRAM_STEPS;

	if (!group)
		return step;
	return (uint64_t)(HISTOGRAM_STEPS + step) << (group - 1);
}

uint64_t histogram_bucket_high(unsigned bucket)
{
	unsigned group = bucket / HISTOGRAM_STEPS;
	uint64_t width = group ? (uint64_t)1 << (group - 1) : 1;

	return histogram_bucket_low(bucket) + (width - 1);
}

static uint64_t bucket_middle(unsigned bucket)
{
	uint64_t low = histogram_bucket_low(bucket);

	return low + (histogram_bucket_high(bucket) - low) / 2;
}

static void insert_group(struct histogram *h, unsigned group)
{
	size_t count = group_count(h), before = place_of(h, group) / HISTOGRAM_STEPS;
	size_t at = counts_bytes(h, before), old = counts_bytes(h, count);
	size_t one = counts_bytes(h, 1);
	char *bytes = mem_realloc(h->values, 1, old + one);

	memmove(bytes + at + one, bytes + at, old - at);
	memset(bytes + at, 0, one);
	h->values = (uint64_t *)(void *)bytes;
	h->groups |= 1ULL << group;
}

static void widen(struct histogram *h)
{
	size_t count = group_count(h) * HISTOGRAM_STEPS;
	uint64_t *wide = mem_alloc(count * sizeof(*wide));

	for (size_t i = 0; i < count; i++)
		wide[i] = h->narrow[i];
	free(h->narrow);
	h->wide = wide;
	h->groups |= WIDE;
}

static void count_bucket(struct histogram *h, unsigned bucket, uint64_t count)
{
	unsigned group = bucket / HISTOGRAM_STEPS;
	size_t at;

	if (__builtin_expect(!(h->groups >> group & 1), 0))
		insert_group(h, group);
	at = place_of(h, group) + bucket % HISTOGRAM_STEPS;
	if (__builtin_expect(!(h->groups & WIDE), 1)) {
		if (__builtin_expect(count <= (uint64_t)(UINT16_MAX - h->narrow[at]), 1)) {
			h->narrow[at] = (uint16_t)(h->narrow[at] + count);
			return;
		}
		widen(h);
	}
	h->wide[at] += count;
}

void histogram_prefetch(const struct histogram *h, uint64_t ns)
{
	unsigned bucket = histogram_bucket(ns);
	size_t at = place_of(h, bucket / HISTOGRAM_STEPS) + bucket % HISTOGRAM_STEPS;

	if (!h->groups)
		__builtin_prefetch(h->values, 1);
	else if (h->groups & WIDE)
		__builtin_prefetch(h->wide + at, 1);
	else
		__builtin_prefetch(h->narrow + at, 1);
}

/* Replace the stored values with bucket counts. */
static void spread(struct histogram *h)
{
	uint64_t values[HISTOGRAM_FEW];
	size_t count = (size_t)h->count;

	if (count)
		memcpy(values, h->values, count * sizeof(*values));
	free(h->values);
	h->values = NULL;
	for (size_t i = 0; i < count; i++)
		count_bucket(h, histogram_bucket(values[i]), 1);
}

void histogram_add(struct histogram *h, uint64_t ns)
{
	if (__builtin_expect(!h->groups, 0)) {
		if (h->count < HISTOGRAM_FEW) {
			if (!h->values)
				h->values = mem_alloc(HISTOGRAM_FEW * sizeof(*h->values));
			h->values[h->count++] = ns;
			return;
		}
		spread(h);
	}
	count_bucket(h, histogram_bucket(ns), 1);
	h->count++;
}

/* Find the next non-empty bucket at or after *bucket and return its count; 0 at the end. */
static uint64_t next_count(const struct histogram *h, unsigned *bucket)
{
	for (unsigned i = *bucket; i < HISTOGRAM_BUCKETS; i++) {
		unsigned group = i / HISTOGRAM_STEPS;
		uint64_t count;
		size_t at;

		if (!(h->groups >> group & 1)) {
			i |= HISTOGRAM_STEPS - 1;
			continue;
		}
		at = place_of(h, group) + i % HISTOGRAM_STEPS;
		count = h->groups & WIDE ? h->wide[at] : h->narrow[at];
		if (count) {
			*bucket = i;
			return count;
		}
	}
	return 0;
}

void histogram_add_group(struct histogram *h, unsigned group,
			 const uint32_t counts[HISTOGRAM_STEPS])
{
	if (!h->groups)
		spread(h);
	for (unsigned i = 0; i < HISTOGRAM_STEPS; i++) {
		if (!counts[i])
			continue;
		count_bucket(h, group * HISTOGRAM_STEPS + i, counts[i]);
		h->count += counts[i];
	}
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	uint64_t count;

	if (!from->count)
		return;
	if (!from->groups) {
		for (size_t i = 0; i < from->count; i++)
			histogram_add(into, from->values[i]);
		return;
	}
	if (!into->groups)
		spread(into);
	for (unsigned bucket = 0; (count = next_count(from, &bucket)); bucket++)
		count_bucket(into, bucket, count);
	into->count += from->count;
}

static int compare_values(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Return the number of values that are at or below the quantile: at least 1, at most `count`. */
static uint64_t rank_of(uint64_t count, double fraction)
{
	double rank = ceil(fraction * (double)count);

	if (!(rank > 1))
		return 1;
	return rank >= (double)count ? count : (uint64_t)rank;
}

uint64_t histogram_quantile(const struct histogram *h, double fraction)
{
	uint64_t rank, count, below = 0;

	if (!h->count)
		return 0;
	rank = rank_of(h->count, fraction);
	if (!h->groups) {
		uint64_t values[HISTOGRAM_FEW];

		memcpy(values, h->values, (size_t)h->count * sizeof(*values));
		qsort(values, (size_t)h->count, sizeof(*values), compare_values);
		return values[rank - 1];
	}
	for (unsigned bucket = 0; (count = next_count(h, &bucket)); bucket++) {
		below += count;
		if (below >= rank)
			return bucket_middle(bucket);
	}
	return 0;
}

/* Running mean and sum of squared deviations (Welford); equal values are added with their count. */
struct spread {
	double count, mean, squares;
};

static void spread_add(struct spread *spread, uint64_t count, uint64_t ns)
{
	double off = (double)ns - spread->mean;

	spread->count += (double)count;
	spread->mean += off * (double)count / spread->count;
	spread->squares += off * ((double)ns - spread->mean) * (double)count;
}

double histogram_deviation(const struct histogram *h)
{
	struct spread spread = { 0, 0, 0 };
	uint64_t count;

	if (h->count < 2)
		return 0;
	for (size_t i = 0; !h->groups && i < h->count; i++)
		spread_add(&spread, 1, h->values[i]);
	for (unsigned bucket = 0; h->groups && (count = next_count(h, &bucket)); bucket++)
		spread_add(&spread, count, bucket_middle(bucket));
	return sqrt(spread.squares / (spread.count - 1));
}

/* Return the index of the cell of ns; each cell is an equal step of log(ns). */
static size_t cell_of(uint64_t ns, double log_low, double per_log, size_t cell_count)
{
	double cell = ns ? (log2((double)ns) - log_low) * per_log : 0;

	if (!(cell > 0))
		return 0;
	return cell >= (double)cell_count ? cell_count - 1 : (size_t)cell;
}

void histogram_project(const struct histogram *h, uint64_t low_ns, uint64_t high_ns,
		       uint64_t *cells, size_t cell_count)
{
	double log_low = log2((double)(low_ns ? low_ns : 1));
	double span = log2((double)(high_ns ? high_ns : 1)) - log_low;
	double per_log = span > 0 ? (double)cell_count / span : 0;
	uint64_t count;

	if (!cell_count)
		return;
	memset(cells, 0, cell_count * sizeof(*cells));
	if (!h->groups) {
		for (size_t i = 0; i < h->count; i++)
			cells[cell_of(h->values[i], log_low, per_log, cell_count)]++;
		return;
	}
	for (unsigned bucket = 0; (count = next_count(h, &bucket)); bucket++)
		cells[cell_of(bucket_middle(bucket), log_low, per_log, cell_count)] += count;
}

size_t histogram_bytes(const struct histogram *h)
{
	return counts_bytes(h, group_count(h));
}
