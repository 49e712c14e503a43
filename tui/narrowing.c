#include "tui/narrowing.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void step_release(struct narrowing_step *step)
{
	filter_free(step->filter);
	free(step->label);
	step->filter = NULL;
	step->label = NULL;
}

/* Takes filter. */
static void push(struct narrowing *narrowing, struct filter *filter, const char *label)
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
	step->label = label ? mem_strdup(label) : NULL;
}

void narrowing_init(struct narrowing *narrowing, const struct filter_names *names,
		    struct filter *first)
{
	memset(narrowing, 0, sizeof(*narrowing));
	narrowing->names = names;
	push(narrowing, first ? filter_ref(first) : NULL, NULL);
}

void narrowing_release(struct narrowing *narrowing)
{
	while (narrowing->count)
		step_release(&narrowing->steps[--narrowing->count]);
}

struct filter *narrowing_filter(const struct narrowing *narrowing)
{
	return narrowing->steps[narrowing->count - 1].filter;
}

const char *narrowing_text(const struct narrowing *narrowing)
{
	const struct filter *filter = narrowing_filter(narrowing);

	return filter ? filter_text(filter) : "";
}

int narrowing_type(struct narrowing *narrowing, const char *text, struct filter_error *error)
{
	struct filter *filter;
	int rc = filter_parse(&filter, text, narrowing->names, error);

	if (rc)
		return rc;
	if (!strcmp(filter_is_all(filter) ? "" : filter_text(filter), narrowing_text(narrowing)))
		filter_free(filter); /* nothing new: no step that "back" would have to undo */
	else
		push(narrowing, filter, NULL);
	return 0;
}

int narrowing_add(struct narrowing *narrowing, const char *term, const char *label,
		  struct filter_error *error)
{
	struct filter *filter;
	int rc = filter_parse(&filter, term, narrowing->names, error);

	if (rc)
		return rc;
	if (narrowing_filter(narrowing)) {
		struct filter *both = filter_and(narrowing_filter(narrowing), filter);

		filter_free(filter);
		filter = both;
	}
	push(narrowing, filter, label);
	return 0;
}

bool narrowing_back(struct narrowing *narrowing)
{
	if (narrowing->count < 2)
		return false;
	step_release(&narrowing->steps[--narrowing->count]);
	return true;
}

static bool same(const struct filter *a, const struct filter *b)
{
	return !strcmp(a ? filter_text(a) : "", b ? filter_text(b) : "");
}

bool narrowing_drop_term(struct narrowing *narrowing)
{
	struct filter *filter = narrowing_filter(narrowing);
	struct filter *less;

	if (!filter)
		return false;
	less = filter_without_last_term(filter, narrowing->names);
	if (filter_is_all(less)) {
		filter_free(less);
		less = NULL;
	}
	/* A term that a key added: the way there is the way back. */
	if (narrowing->count > 1 && same(less, narrowing->steps[narrowing->count - 2].filter)) {
		filter_free(less);
		return narrowing_back(narrowing);
	}
	push(narrowing, less, NULL);
	return true;
}

bool narrowing_clear(struct narrowing *narrowing)
{
	if (!narrowing_filter(narrowing))
		return false;
	push(narrowing, NULL, NULL);
	return true;
}

void narrowing_path(const struct narrowing *narrowing, struct str *out)
{
	size_t first = narrowing->count;

	while (first > 1 && narrowing->steps[first - 1].label)
		first--;
	for (size_t i = first; i < narrowing->count; i++)
		str_addf(out, "%s%s", i > first ? " › " : "", narrowing->steps[i].label);
}
