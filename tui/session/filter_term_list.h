/*
 * filter_term_list - the terms of a filter in display order, each on or off.
 *
 * A term that is off has no effect. Each text was a valid filter when added. UI thread only.
 */
#ifndef SESSION_FILTER_TERM_LIST_H
#define SESSION_FILTER_TERM_LIST_H

#include "engine/filter/filter.h"

#include <stdbool.h>

struct filter_term {
	char *text;
	bool off;
};

struct filter_terms {
	struct filter_term *items;
	size_t count, capacity;
};

void filter_terms_release(struct filter_terms *terms);
void filter_terms_copy(struct filter_terms *to, const struct filter_terms *from);
bool filter_terms_same(const struct filter_terms *a, const struct filter_terms *b);

/* Append the terms of the filter, switched on; NULL adds none. */
void filter_terms_add(struct filter_terms *terms, const struct filter *filter);
/* True if the list has all terms of the filter, switched on. */
bool filter_terms_include(const struct filter_terms *terms, const struct filter *filter);
/* Append the terms of `from` that are off and missing from this list. */
void filter_terms_add_off(struct filter_terms *terms, const struct filter_terms *from);
/*
 * Replace the term at `index` by the terms of the filter; index == count: append. New terms are off
 * if the replaced one was.
 */
void filter_terms_replace(struct filter_terms *terms, size_t index, const struct filter *filter);
void filter_terms_remove(struct filter_terms *terms, size_t index);
size_t filter_terms_off_count(const struct filter_terms *terms);

/* Return the filter of the terms that are on; errors as for filter_join(). */
int filter_terms_filter(const struct filter_terms *terms, const struct filter_names *names,
			struct filter **filter, struct filter_error *error);

#endif
