/*
 * filter_stack - the filter as the person built it: terms, the way back, the text.
 *
 * Every change keeps the filter before it, so that "back" undoes one narrowing
 * at a time; dropping terms, switching them off and clearing do the same. The filter given on
 * the command line is the first one. UI thread only.
 */
#ifndef SESSION_FILTER_STACK_H
#define SESSION_FILTER_STACK_H

#include "engine/filter/filter.h"
#include "tui/session/filter_term_list.h"

#include <stdbool.h>

#define NARROWING_MAX_STEPS 64

struct narrowing_step {
	struct filter *filter; /* NULL: everything */
	struct filter_terms terms; /* of the filter, and those that are off */
	char *label; /* the term that was added: "nginx/4242"; NULL: another filter */
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
/* Its terms and those switched off. Borrowed until the next change. */
const struct filter_terms *narrowing_terms(const struct narrowing *narrowing);

/*
 * A filter typed as a whole; terms that are off stay so. -EINVAL with *error filled; then
 * nothing changed.
 */
int narrowing_type(struct narrowing *narrowing, const char *text, struct filter_error *error);
/* One more term, joined with `and`. */
int narrowing_add(struct narrowing *narrowing, const char *term, const char *label,
		  struct filter_error *error);
/*
 * Another text for the term at index, of any number of terms; index == their number: one more.
 * An empty text removes it.
 */
int narrowing_set_term(struct narrowing *narrowing, size_t index, const char *text,
		       struct filter_error *error);
/* The filter that would make, and nothing else; the caller's to free. */
int narrowing_try_term(const struct narrowing *narrowing, size_t index, const char *text,
		       struct filter **filter, struct filter_error *error);
/* On or off. A user that it names may be gone since: then as above. */
int narrowing_switch_term(struct narrowing *narrowing, size_t index, struct filter_error *error);
/* False: there is nothing to go back to, no term that is on, nothing at all. */
bool narrowing_back(struct narrowing *narrowing);
bool narrowing_drop_term(struct narrowing *narrowing);
bool narrowing_clear(struct narrowing *narrowing);

/*
 * The terms added since the last filter that was typed: steps[first .. count - 1] have a label.
 * first == count: none.
 */
size_t narrowing_path(const struct narrowing *narrowing);
/* As going back to just after steps[index]; false: that is in force. */
bool narrowing_back_to(struct narrowing *narrowing, size_t index);

#endif
