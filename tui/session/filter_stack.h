/*
 * filter_stack - the filter as the user built it: terms, undo steps, text.
 *
 * Each change stores the previous filter, so that "back" undoes one change at a time. Dropping,
 * switching off and clearing terms are such changes too. The first filter is that of the command
 * line. UI thread only.
 */
#ifndef SESSION_FILTER_STACK_H
#define SESSION_FILTER_STACK_H

#include "engine/filter/filter.h"
#include "tui/session/filter_term_list.h"

#include <stdbool.h>

#define FILTER_STACK_MAX_STEPS 64

struct filter_stack_step {
	struct filter *filter; /* NULL: matches all calls */
	struct filter_terms terms; /* terms of the filter, and those that are off */
	char *label; /* of the term that this step added: "nginx/4242"; NULL: none */
};

struct filter_stack {
	const struct filter_names *names;
	struct filter_stack_step steps[FILTER_STACK_MAX_STEPS];
	size_t count; /* at least 1; the last one is in force */
};

/* first: filter to take a reference to; NULL: none. */
void filter_stack_init(struct filter_stack *filter_stack, const struct filter_names *names,
		       struct filter *first);
void filter_stack_release(struct filter_stack *filter_stack);

/* Return the filter in force, borrowed; NULL: matches all calls. */
struct filter *filter_stack_filter(const struct filter_stack *filter_stack);
const char *filter_stack_text(const struct filter_stack *filter_stack); /* "": no filter */
/* Return the terms of the filter, including those that are off. Borrowed until the next change. */
const struct filter_terms *filter_stack_terms(const struct filter_stack *filter_stack);

/*
 * Replace the filter by a typed one; terms that are off stay off. -EINVAL with *error filled;
 * nothing changes then.
 */
int filter_stack_type(struct filter_stack *filter_stack, const char *text,
		      struct filter_error *error);
/* Add a term, joined with `and`. */
int filter_stack_add(struct filter_stack *filter_stack, const char *term, const char *label,
		     struct filter_error *error);
/*
 * Replace the term at `index` by `text`, which may have several terms. index == term count: append.
 * An empty text removes the term.
 */
int filter_stack_set_term(struct filter_stack *filter_stack, size_t index, const char *text,
			  struct filter_error *error);
/*
 * Store in *filter the filter that filter_stack_set_term() would put in force, without changing the
 * stack. The caller frees *filter.
 */
int filter_stack_try_term(const struct filter_stack *filter_stack, size_t index, const char *text,
			  struct filter **filter, struct filter_error *error);
/* Switch a term on or off. -errno with *error: a term names a user that does not exist. */
int filter_stack_switch_term(struct filter_stack *filter_stack, size_t index,
			     struct filter_error *error);
/* Undo one step; remove the last term that is on; remove all terms. False: nothing changed. */
bool filter_stack_back(struct filter_stack *filter_stack);
bool filter_stack_drop_term(struct filter_stack *filter_stack);
bool filter_stack_clear(struct filter_stack *filter_stack);

/*
 * Return the index of the first step after the last step without a label. Each step from this
 * index added one term. Returns the number of steps if there is none.
 */
size_t filter_stack_path(const struct filter_stack *filter_stack);
/* Undo all steps after steps[index]. False: there are none. */
bool filter_stack_back_to(struct filter_stack *filter_stack, size_t index);

#endif
