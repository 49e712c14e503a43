/*
 * id_ranges - sets of 32-bit numbers as sorted ranges with gaps between them.
 *
 * A filter's condition on one number is such a set; and, or, not yield such sets again. Each set is
 * owned and must be released; a zeroed set is empty.
 */
#ifndef FILTER_ID_RANGES_H
#define FILTER_ID_RANGES_H

#include "engine/filter/filter_tree.h"

struct id_ranges {
	struct id_range *ranges;
	size_t count;
};

/* Convert ranges, cut to values of 32 bits. */
struct id_ranges id_ranges_from(const struct filter_range *ranges, size_t count);
void id_ranges_release(struct id_ranges *set);

/* Replace the set by its complement. */
void id_ranges_invert(struct id_ranges *set);
/* Replace a by the intersection or the union; b stays unchanged. */
void id_ranges_and(struct id_ranges *a, const struct id_ranges *b);
void id_ranges_or(struct id_ranges *a, const struct id_ranges *b);

bool id_ranges_equal(const struct id_ranges *a, const struct id_ranges *b);

#endif
