#include "tui/session/filter_stack.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void step_release(struct filter_stack_step *step)
{
	filter_free(step->filter);
	filter_terms_release(&step->terms);
	free(step->label);
	*step = (struct filter_stack_step){ .filter = NULL };
}

static const struct filter_stack_step *top(const struct filter_stack *filter_stack)
{
	return &filter_stack->steps[filter_stack->count - 1];
}

/* Takes ownership of filter and terms. */
static void push(struct filter_stack *filter_stack, struct filter *filter,
		 struct filter_terms *terms, const char *label)
{
	struct filter_stack_step *step;

	if (filter && filter_is_all(filter)) {
		filter_free(filter);
		filter = NULL;
	}
	if (filter_stack->count == FILTER_STACK_MAX_STEPS) {
		/* Evict the oldest undo step; the first filter stays. */
		step_release(&filter_stack->steps[1]);
		memmove(&filter_stack->steps[1], &filter_stack->steps[2],
			(FILTER_STACK_MAX_STEPS - 2) * sizeof(filter_stack->steps[0]));
		filter_stack->count--;
	}
	step = &filter_stack->steps[filter_stack->count++];
	step->filter = filter;
	step->terms = *terms;
	step->label = label ? mem_strdup(label) : NULL;
}

/* Push the filter of the terms that are on. Takes ownership of terms. */
static int push_terms(struct filter_stack *filter_stack, struct filter_terms *terms,
		      struct filter_error *error)
{
	struct filter *filter;
	int rc = filter_terms_filter(terms, filter_stack->names, &filter, error);

	if (rc)
		filter_terms_release(terms);
	else
		push(filter_stack, filter, terms, NULL);
	return rc;
}

void filter_stack_init(struct filter_stack *filter_stack, const struct filter_names *names,
		       struct filter *first)
{
	struct filter_terms terms = { .items = NULL };

	memset(filter_stack, 0, sizeof(*filter_stack));
	filter_stack->names = names;
	filter_terms_add(&terms, first);
	push(filter_stack, first ? filter_ref(first) : NULL, &terms, NULL);
}

void filter_stack_release(struct filter_stack *filter_stack)
{
	while (filter_stack->count)
		step_release(&filter_stack->steps[--filter_stack->count]);
}

struct filter *filter_stack_filter(const struct filter_stack *filter_stack)
{
	return top(filter_stack)->filter;
}

const char *filter_stack_text(const struct filter_stack *filter_stack)
{
	const struct filter *filter = filter_stack_filter(filter_stack);

	return filter ? filter_text(filter) : "";
}

const struct filter_terms *filter_stack_terms(const struct filter_stack *filter_stack)
{
	return &top(filter_stack)->terms;
}

int filter_stack_type(struct filter_stack *filter_stack, const char *text,
		      struct filter_error *error)
{
	struct filter_terms terms = { .items = NULL };
	struct filter *filter;
	int rc = filter_parse(&filter, text, filter_stack->names, error);

	if (rc)
		return rc;
	if (!strcmp(filter_is_all(filter) ? "" : filter_text(filter),
		    filter_stack_text(filter_stack))) {
		filter_free(filter); /* unchanged: "back" must not have an empty step */
		return 0;
	}
	filter_terms_add(&terms, filter);
	filter_terms_add_off(&terms, filter_stack_terms(filter_stack));
	push(filter_stack, filter, &terms, NULL);
	return 0;
}

int filter_stack_add(struct filter_stack *filter_stack, const char *term, const char *label,
		     struct filter_error *error)
{
	struct filter_terms terms = { .items = NULL };
	struct filter *filter;
	int rc = filter_parse(&filter, term, filter_stack->names, error);

	if (rc)
		return rc;
	if (filter_terms_include(filter_stack_terms(filter_stack), filter)) {
		filter_free(filter); /* the same key again: the term is in force already */
		return 0;
	}
	filter_terms_copy(&terms, filter_stack_terms(filter_stack));
	filter_terms_add(&terms, filter);
	if (filter_stack_filter(filter_stack)) {
		struct filter *both = filter_and(filter_stack_filter(filter_stack), filter);

		filter_free(filter);
		filter = both;
	}
	push(filter_stack, filter, &terms, label);
	return 0;
}

/* Copy the terms, replace the one at `index`, and join them to a filter. */
static int try_term(const struct filter_stack *filter_stack, size_t index, const char *text,
		    struct filter_terms *terms, struct filter **filter, struct filter_error *error)
{
	struct filter *part;
	int rc = filter_parse(&part, text, filter_stack->names, error);

	if (rc)
		return rc;
	filter_terms_copy(terms, filter_stack_terms(filter_stack));
	filter_terms_replace(terms, index, part);
	filter_free(part);
	rc = filter_terms_filter(terms, filter_stack->names, filter, error);
	if (rc)
		filter_terms_release(terms);
	return rc;
}

int filter_stack_try_term(const struct filter_stack *filter_stack, size_t index, const char *text,
			  struct filter **filter, struct filter_error *error)
{
	struct filter_terms terms = { .items = NULL };
	int rc = try_term(filter_stack, index, text, &terms, filter, error);

	filter_terms_release(&terms);
	return rc;
}

int filter_stack_set_term(struct filter_stack *filter_stack, size_t index, const char *text,
			  struct filter_error *error)
{
	struct filter_terms terms = { .items = NULL };
	struct filter *filter;
	int rc = try_term(filter_stack, index, text, &terms, &filter, error);

	if (rc)
		return rc;
	if (!filter_terms_same(&terms, filter_stack_terms(filter_stack))) {
		push(filter_stack, filter, &terms, NULL);
		return 0;
	}
	filter_free(filter);
	filter_terms_release(&terms);
	return 0;
}

int filter_stack_switch_term(struct filter_stack *filter_stack, size_t index,
			     struct filter_error *error)
{
	struct filter_terms terms = { .items = NULL };

	filter_terms_copy(&terms, filter_stack_terms(filter_stack));
	terms.items[index].off = !terms.items[index].off;
	return push_terms(filter_stack, &terms, error);
}

bool filter_stack_back(struct filter_stack *filter_stack)
{
	if (filter_stack->count < 2)
		return false;
	step_release(&filter_stack->steps[--filter_stack->count]);
	return true;
}

bool filter_stack_drop_term(struct filter_stack *filter_stack)
{
	struct filter_terms terms = { .items = NULL };
	struct filter_error error;
	size_t last;

	filter_terms_copy(&terms, filter_stack_terms(filter_stack));
	for (last = terms.count; last && terms.items[last - 1].off; last--)
		;
	if (!last) {
		filter_terms_release(&terms);
		return false;
	}
	filter_terms_remove(&terms, last - 1);
	/* If the last step added this term, undo that step instead of adding a new one. */
	if (filter_stack->count > 1 &&
	    filter_terms_same(&terms, &filter_stack->steps[filter_stack->count - 2].terms)) {
		filter_terms_release(&terms);
		return filter_stack_back(filter_stack);
	}
	return !push_terms(filter_stack, &terms, &error);
}

bool filter_stack_clear(struct filter_stack *filter_stack)
{
	struct filter_terms none = { .items = NULL };

	if (!filter_stack_terms(filter_stack)->count)
		return false;
	push(filter_stack, NULL, &none, NULL);
	return true;
}

size_t filter_stack_path(const struct filter_stack *filter_stack)
{
	size_t first = filter_stack->count;

	while (first > 1 && filter_stack->steps[first - 1].label)
		first--;
	return first;
}

bool filter_stack_back_to(struct filter_stack *filter_stack, size_t index)
{
	bool changed = false;

	while (filter_stack->count > index + 1 && filter_stack_back(filter_stack))
		changed = true;
	return changed;
}
