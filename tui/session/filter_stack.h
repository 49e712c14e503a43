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

#define FILTER_STACK_MAX_STEPS 64

struct filter_stack_step {
	struct filter *filter; /* NULL: everything */
	struct filter_terms terms; /* of the filter, and those that are off */
	char *label; /* the term that was added: "nginx/4242"; NULL: another filter */
};

struct filter_stack {
	const struct filter_names *names;
	struct filter_stack_step steps[FILTER_STACK_MAX_STEPS];
	size_t count; /* >= 1; the last is in force */
};

/* first: NULL or a filter, of which a reference is taken. */
void filter_stack_init(struct filter_stack *filter_stack, const struct filter_names *names,
		       struct filter *first);
void filter_stack_release(struct filter_stack *filter_stack);

/* The filter in force; NULL: everything. Borrowed. */
struct filter *filter_stack_filter(const struct filter_stack *filter_stack);
const char *filter_stack_text(const struct filter_stack *filter_stack); /* "" for everything */
/* Its terms and those switched off. Borrowed until the next change. */
const struct filter_terms *filter_stack_terms(const struct filter_stack *filter_stack);

/*
 * A filter typed as a whole; terms that are off stay so. -EINVAL with *error filled; then
 * nothing changed.
 */
int filter_stack_type(struct filter_stack *filter_stack, const char *text,
		      struct filter_error *error);
/* One more term, joined with `and`. */
int filter_stack_add(struct filter_stack *filter_stack, const char *term, const char *label,
		     struct filter_error *error);
/*
 * Another text for the term at index, of any number of terms; index == their number: one more.
 * An empty text removes it.
 */
int filter_stack_set_term(struct filter_stack *filter_stack, size_t index, const char *text,
			  struct filter_error *error);
/* The filter that would make, and nothing else; the caller's to free. */
int filter_stack_try_term(const struct filter_stack *filter_stack, size_t index, const char *text,
			  struct filter **filter, struct filter_error *error);
/* On or off. A user that it names may be gone since: then as above. */
int filter_stack_switch_term(struct filter_stack *filter_stack, size_t index,
			     struct filter_error *error);
/* False: there is nothing to go back to, no term that is on, nothing at all. */
bool filter_stack_back(struct filter_stack *filter_stack);
bool filter_stack_drop_term(struct filter_stack *filter_stack);
bool filter_stack_clear(struct filter_stack *filter_stack);

/*
 * The terms added since the last filter that was typed: steps[first .. count - 1] have a label.
 * first == count: none.
 */
size_t filter_stack_path(const struct filter_stack *filter_stack);
/* As going back to just after steps[index]; false: that is in force. */
bool filter_stack_back_to(struct filter_stack *filter_stack, size_t index);

#endif
