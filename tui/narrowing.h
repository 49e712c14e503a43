/*
 * narrowing - the filter as the person built it: terms, the way back, the text.
 *
 * Every change keeps the filter before it, so that "back" undoes one narrowing
 * at a time; dropping terms and clearing do the same. The filter given on the
 * command line is the first one. UI thread only.
 */
#ifndef TUI_NARROWING_H
#define TUI_NARROWING_H

#include "engine/filter/filter.h"

#include <stdbool.h>

#define NARROWING_MAX_STEPS 64

struct narrowing_step {
	struct filter *filter; /* NULL: everything */
	char *label;           /* the term that was added: "nginx/4242"; NULL: another filter */
};

struct narrowing {
	const struct filter_names *names;
	struct narrowing_step steps[NARROWING_MAX_STEPS];
	size_t count; /* >= 1; the last is in force */
};

/* first: NULL or a filter, of which a reference is taken. */
void narrowing_init(struct narrowing *narrowing, const struct filter_names *names,
		    struct filter *first);
void narrowing_release(struct narrowing *narrowing);

/* The filter in force; NULL: everything. Borrowed. */
struct filter *narrowing_filter(const struct narrowing *narrowing);
const char *narrowing_text(const struct narrowing *narrowing); /* "" for everything */

/* A filter typed as a whole. -EINVAL with *error filled; then nothing changed. */
int narrowing_type(struct narrowing *narrowing, const char *text, struct filter_error *error);
/* One more term, joined with `and`. */
int narrowing_add(struct narrowing *narrowing, const char *term, const char *label,
		  struct filter_error *error);
/* False: there is nothing to go back to, no term, no filter. */
bool narrowing_back(struct narrowing *narrowing);
bool narrowing_drop_term(struct narrowing *narrowing);
bool narrowing_clear(struct narrowing *narrowing);

/* The terms added since the last filter that was typed: "nginx/4242 > futex", appended. */
void narrowing_path(const struct narrowing *narrowing, struct str *out);

#endif
