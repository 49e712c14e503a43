/*
 * id_ranges - sets of numbers of 32 bits, as ranges: sorted, apart from each other.
 *
 * What a filter says of one number is such a set, and stays one through and, or, not. An
 * owner releases what it made; a zeroed set is empty.
 */
#ifndef FILTER_ID_RANGES_H
#define FILTER_ID_RANGES_H

#include "engine/filter/filter_tree.h"

struct id_ranges {
	struct id_range *ranges;
	size_t count;
};

/* Those of the tests that are numbers at all. */
struct id_ranges id_ranges_from(const struct filter_range *ranges, size_t count);
void id_ranges_release(struct id_ranges *set);

/* The set becomes all that it had not. */
void id_ranges_invert(struct id_ranges *set);
/* a becomes what is in both, or in either; b stays. */
void id_ranges_and(struct id_ranges *a, const struct id_ranges *b);
void id_ranges_or(struct id_ranges *a, const struct id_ranges *b);

bool id_ranges_equal(const struct id_ranges *a, const struct id_ranges *b);

#endif
