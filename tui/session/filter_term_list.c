#include "tui/session/filter_term_list.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void filter_terms_init(struct filter_terms *terms)
{
	*terms = (struct filter_terms){ .items = NULL };
}

void filter_terms_release(struct filter_terms *terms)
{
	for (size_t i = 0; i < terms->count; i++)
		free(terms->items[i].text);
	free(terms->items);
	filter_terms_init(terms);
}

static void append(struct filter_terms *terms, const char *text, bool off)
{
	terms->items = mem_grow(terms->items, &terms->capacity, terms->count + 1,
				sizeof(*terms->items));
	terms->items[terms->count++] = (struct filter_term){ mem_strdup(text), off };
}

void filter_terms_copy(struct filter_terms *to, const struct filter_terms *from)
{
	for (size_t i = 0; i < from->count; i++)
		append(to, from->items[i].text, from->items[i].off);
}

bool filter_terms_same(const struct filter_terms *a, const struct filter_terms *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].off != b->items[i].off ||
		    strcmp(a->items[i].text, b->items[i].text))
			return false;
	return true;
}

static void add_one(void *ctx, const char *term)
{
	append(ctx, term, false);
}

void filter_terms_add(struct filter_terms *terms, const struct filter *filter)
{
	filter_each_term(filter, add_one, terms);
}

static bool has(const struct filter_terms *terms, const char *text)
{
	for (size_t i = 0; i < terms->count; i++)
		if (!strcmp(terms->items[i].text, text))
			return true;
	return false;
}

bool filter_terms_include(const struct filter_terms *terms, const struct filter *filter)
{
	struct filter_terms asked = { .items = NULL };
	bool all = true;

	filter_terms_add(&asked, filter);
	for (size_t i = 0; i < asked.count && all; i++) {
		const char *text = asked.items[i].text;
		bool on = false;

		for (size_t j = 0; j < terms->count && !on; j++)
			on = !terms->items[j].off && !strcmp(terms->items[j].text, text);
		all = on;
	}
	filter_terms_release(&asked);
	return all;
}

void filter_terms_add_off(struct filter_terms *terms, const struct filter_terms *from)
{
	for (size_t i = 0; i < from->count; i++)
		if (from->items[i].off && !has(terms, from->items[i].text))
			append(terms, from->items[i].text, true);
}

void filter_terms_replace(struct filter_terms *terms, size_t index, const struct filter *filter)
{
	struct filter_terms more = { .items = NULL }, all = { .items = NULL };
	bool off = index < terms->count && terms->items[index].off;

	filter_terms_add(&more, filter);
	for (size_t i = 0; i < index; i++)
		append(&all, terms->items[i].text, terms->items[i].off);
	for (size_t i = 0; i < more.count; i++)
		append(&all, more.items[i].text, off);
	for (size_t i = index + 1; i < terms->count; i++)
		append(&all, terms->items[i].text, terms->items[i].off);
	filter_terms_release(&more);
	filter_terms_release(terms);
	*terms = all;
}

void filter_terms_remove(struct filter_terms *terms, size_t index)
{
	free(terms->items[index].text);
	terms->count--;
	memmove(&terms->items[index], &terms->items[index + 1],
		(terms->count - index) * sizeof(terms->items[0]));
}

size_t filter_terms_off_count(const struct filter_terms *terms)
{
	size_t count = 0;

	for (size_t i = 0; i < terms->count; i++)
		count += terms->items[i].off;
	return count;
}

int filter_terms_filter(const struct filter_terms *terms, const struct filter_names *names,
			struct filter **filter, struct filter_error *error)
{
	const char **texts = mem_alloc((terms->count + 1) * sizeof(*texts));
	size_t count = 0;
	int rc;

	for (size_t i = 0; i < terms->count; i++)
		if (!terms->items[i].off)
			texts[count++] = terms->items[i].text;
	rc = filter_join(filter, texts, count, names, error);
	free(texts);
	return rc;
}
