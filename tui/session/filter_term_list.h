/*
 * filter_term_list - the terms of a filter as a person sees them: one after the other, each on
 * or off.
 *
 * One that is off is only remembered. Every text has been a filter once. UI thread only.
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

/* Those of the filter, on; NULL adds none. */
void filter_terms_add(struct filter_terms *terms, const struct filter *filter);
/* Whether all of the filter are there, on. */
bool filter_terms_include(const struct filter_terms *terms, const struct filter *filter);
/* Those of `from` that are off and not among these terms. */
void filter_terms_add_off(struct filter_terms *terms, const struct filter_terms *from);
/* The filter's terms in the place of one; index == count: behind all. On, if that one was. */
void filter_terms_replace(struct filter_terms *terms, size_t index, const struct filter *filter);
void filter_terms_remove(struct filter_terms *terms, size_t index);
size_t filter_terms_off_count(const struct filter_terms *terms);

/* The filter of those that are on; as filter_join(). */
int filter_terms_filter(const struct filter_terms *terms, const struct filter_names *names,
			struct filter **filter, struct filter_error *error);

#endif
