#include "engine/filter/id_ranges.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void id_ranges_release(struct id_ranges *set)
{
	free(set->ranges);
	set->ranges = NULL;
	set->count = 0;
}

static int compare_begins(const void *a, const void *b)
{
	uint32_t left = ((const struct id_range *)a)->lo, right = ((const struct id_range *)b)->lo;

	return (left > right) - (left < right);
}

/* Sort, and join ranges that overlap or touch. */
static void tidy(struct id_ranges *set)
{
	size_t kept = 0;

	if (set->count)
		qsort(set->ranges, set->count, sizeof(*set->ranges), compare_begins);
	for (size_t i = 0; i < set->count; i++) {
		struct id_range *last = kept ? &set->ranges[kept - 1] : NULL;

		if (last && (last->hi == UINT32_MAX || set->ranges[i].lo <= last->hi + 1)) {
			if (set->ranges[i].hi > last->hi)
				last->hi = set->ranges[i].hi;
			continue;
		}
		set->ranges[kept++] = set->ranges[i];
	}
	set->count = kept;
}

struct id_ranges id_ranges_from(const struct filter_range *ranges, size_t count)
{
	struct id_ranges set = { .ranges = mem_zalloc(count + 1, sizeof(*set.ranges)) };

	for (size_t i = 0; i < count; i++) {
		int64_t lo = ranges[i].lo < 0 ? 0 : ranges[i].lo;
		int64_t hi = ranges[i].hi > UINT32_MAX ? UINT32_MAX : ranges[i].hi;

		if (lo <= hi)
			set.ranges[set.count++] = (struct id_range){ (uint32_t)lo, (uint32_t)hi };
	}
	tidy(&set);
	return set;
}

void id_ranges_invert(struct id_ranges *set)
{
	struct id_ranges rest = { .ranges = mem_zalloc(set->count + 1, sizeof(*rest.ranges)) };
	uint64_t next = 0;

	for (size_t i = 0; i < set->count; i++) {
		if (set->ranges[i].lo > next)
			rest.ranges[rest.count++] = (struct id_range){ (uint32_t)next,
								       set->ranges[i].lo - 1 };
		next = (uint64_t)set->ranges[i].hi + 1;
	}
	if (next <= UINT32_MAX)
		rest.ranges[rest.count++] = (struct id_range){ (uint32_t)next, UINT32_MAX };
	id_ranges_release(set);
	*set = rest;
}

void id_ranges_or(struct id_ranges *a, const struct id_ranges *b)
{
	struct id_ranges both = { .count = a->count + b->count };

	both.ranges = mem_zalloc(both.count + 1, sizeof(*both.ranges));
	if (a->count)
		memcpy(both.ranges, a->ranges, a->count * sizeof(*both.ranges));
	if (b->count)
		memcpy(both.ranges + a->count, b->ranges, b->count * sizeof(*both.ranges));
	tidy(&both);
	id_ranges_release(a);
	*a = both;
}

void id_ranges_and(struct id_ranges *a, const struct id_ranges *b)
{
	struct id_ranges both = { .ranges = mem_zalloc(a->count + b->count + 1,
						       sizeof(*both.ranges)) };
	size_t i = 0, j = 0;

	while (i < a->count && j < b->count) {
		const struct id_range *left = &a->ranges[i], *right = &b->ranges[j];
		uint32_t lo = left->lo > right->lo ? left->lo : right->lo;
		uint32_t hi = left->hi < right->hi ? left->hi : right->hi;

		if (lo <= hi)
			both.ranges[both.count++] = (struct id_range){ lo, hi };
		if (left->hi < right->hi)
			i++;
		else
			j++;
	}
	id_ranges_release(a);
	*a = both;
}

bool id_ranges_equal(const struct id_ranges *a, const struct id_ranges *b)
{
	return a->count == b->count &&
	       (!a->count || !memcmp(a->ranges, b->ranges, a->count * sizeof(*a->ranges)));
}
