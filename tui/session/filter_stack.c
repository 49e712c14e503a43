#include "tui/session/filter_stack.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void step_release(struct narrowing_step *step)
{
	filter_free(step->filter);
	filter_terms_release(&step->terms);
	free(step->label);
	*step = (struct narrowing_step){ .filter = NULL };
}

static const struct narrowing_step *top(const struct narrowing *narrowing)
{
	return &narrowing->steps[narrowing->count - 1];
}

/* Takes filter and terms. */
static void push(struct narrowing *narrowing, struct filter *filter, struct filter_terms *terms,
		 const char *label)
{
	struct narrowing_step *step;

	if (filter && filter_is_all(filter)) {
		filter_free(filter);
		filter = NULL;
	}
	if (narrowing->count == NARROWING_MAX_STEPS) {
		/* The oldest way back is forgotten, the first filter is not. */
		step_release(&narrowing->steps[1]);
		memmove(&narrowing->steps[1], &narrowing->steps[2],
			(NARROWING_MAX_STEPS - 2) * sizeof(narrowing->steps[0]));
		narrowing->count--;
	}
	step = &narrowing->steps[narrowing->count++];
	step->filter = filter;
	step->terms = *terms;
	step->label = label ? mem_strdup(label) : NULL;
}

/* The terms that are on make the filter. Takes terms. */
static int push_terms(struct narrowing *narrowing, struct filter_terms *terms,
		      struct filter_error *error)
{
	struct filter *filter;
	int rc = filter_terms_filter(terms, narrowing->names, &filter, error);

	if (rc)
		filter_terms_release(terms);
	else
		push(narrowing, filter, terms, NULL);
	return rc;
}

void narrowing_init(struct narrowing *narrowing, const struct filter_names *names,
		    struct filter *first)
{
	struct filter_terms terms = { .items = NULL };

	memset(narrowing, 0, sizeof(*narrowing));
	narrowing->names = names;
	filter_terms_add(&terms, first);
	push(narrowing, first ? filter_ref(first) : NULL, &terms, NULL);
}

void narrowing_release(struct narrowing *narrowing)
{
	while (narrowing->count)
		step_release(&narrowing->steps[--narrowing->count]);
}

struct filter *narrowing_filter(const struct narrowing *narrowing)
{
	return top(narrowing)->filter;
}

const char *narrowing_text(const struct narrowing *narrowing)
{
	const struct filter *filter = narrowing_filter(narrowing);

	return filter ? filter_text(filter) : "";
}

const struct filter_terms *narrowing_terms(const struct narrowing *narrowing)
{
	return &top(narrowing)->terms;
}

int narrowing_type(struct narrowing *narrowing, const char *text, struct filter_error *error)
{
	struct filter_terms terms = { .items = NULL };
	struct filter *filter;
	int rc = filter_parse(&filter, text, narrowing->names, error);

	if (rc)
		return rc;
	if (!strcmp(filter_is_all(filter) ? "" : filter_text(filter), narrowing_text(narrowing))) {
		filter_free(filter); /* nothing new: no step that "back" would have to undo */
		return 0;
	}
	filter_terms_add(&terms, filter);
	filter_terms_add_off(&terms, narrowing_terms(narrowing));
	push(narrowing, filter, &terms, NULL);
	return 0;
}

int narrowing_add(struct narrowing *narrowing, const char *term, const char *label,
		  struct filter_error *error)
{
	struct filter_terms terms = { .items = NULL };
	struct filter *filter;
	int rc = filter_parse(&filter, term, narrowing->names, error);

	if (rc)
		return rc;
	if (filter_terms_include(narrowing_terms(narrowing), filter)) {
		filter_free(filter); /* the same key again: it holds already */
		return 0;
	}
	filter_terms_copy(&terms, narrowing_terms(narrowing));
	filter_terms_add(&terms, filter);
	if (narrowing_filter(narrowing)) {
		struct filter *both = filter_and(narrowing_filter(narrowing), filter);

		filter_free(filter);
		filter = both;
	}
	push(narrowing, filter, &terms, label);
	return 0;
}

/* Terms with another text at index, and their filter. */
static int try_term(const struct narrowing *narrowing, size_t index, const char *text,
		    struct filter_terms *terms, struct filter **filter, struct filter_error *error)
{
	struct filter *part;
	int rc = filter_parse(&part, text, narrowing->names, error);

	if (rc)
		return rc;
	filter_terms_copy(terms, narrowing_terms(narrowing));
	filter_terms_replace(terms, index, part);
	filter_free(part);
	rc = filter_terms_filter(terms, narrowing->names, filter, error);
	if (rc)
		filter_terms_release(terms);
	return rc;
}

int narrowing_try_term(const struct narrowing *narrowing, size_t index, const char *text,
		       struct filter **filter, struct filter_error *error)
{
	struct filter_terms terms = { .items = NULL };
	int rc = try_term(narrowing, index, text, &terms, filter, error);

	filter_terms_release(&terms);
	return rc;
}

int narrowing_set_term(struct narrowing *narrowing, size_t index, const char *text,
		       struct filter_error *error)
{
	struct filter_terms terms = { .items = NULL };
	struct filter *filter;
	int rc = try_term(narrowing, index, text, &terms, &filter, error);

	if (rc)
		return rc;
	if (!filter_terms_same(&terms, narrowing_terms(narrowing))) {
		push(narrowing, filter, &terms, NULL);
		return 0;
	}
	filter_free(filter);
	filter_terms_release(&terms);
	return 0;
}

int narrowing_switch_term(struct narrowing *narrowing, size_t index, struct filter_error *error)
{
	struct filter_terms terms = { .items = NULL };

	filter_terms_copy(&terms, narrowing_terms(narrowing));
	terms.items[index].off = !terms.items[index].off;
	return push_terms(narrowing, &terms, error);
}

bool narrowing_back(struct narrowing *narrowing)
{
	if (narrowing->count < 2)
		return false;
	step_release(&narrowing->steps[--narrowing->count]);
	return true;
}

bool narrowing_drop_term(struct narrowing *narrowing)
{
	struct filter_terms terms = { .items = NULL };
	struct filter_error error;
	size_t last;

	filter_terms_copy(&terms, narrowing_terms(narrowing));
	for (last = terms.count; last && terms.items[last - 1].off; last--)
		;
	if (!last) {
		filter_terms_release(&terms);
		return false;
	}
	filter_terms_remove(&terms, last - 1);
	/* A term that a key added: the way there is the way back. */
	if (narrowing->count > 1 &&
	    filter_terms_same(&terms, &narrowing->steps[narrowing->count - 2].terms)) {
		filter_terms_release(&terms);
		return narrowing_back(narrowing);
	}
	return !push_terms(narrowing, &terms, &error);
}

bool narrowing_clear(struct narrowing *narrowing)
{
	struct filter_terms none = { .items = NULL };

	if (!narrowing_terms(narrowing)->count)
		return false;
	push(narrowing, NULL, &none, NULL);
	return true;
}

size_t narrowing_path(const struct narrowing *narrowing)
{
	size_t first = narrowing->count;

	while (first > 1 && narrowing->steps[first - 1].label)
		first--;
	return first;
}

bool narrowing_back_to(struct narrowing *narrowing, size_t index)
{
	bool changed = false;

	while (narrowing->count > index + 1 && narrowing_back(narrowing))
		changed = true;
	return changed;
}
