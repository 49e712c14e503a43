#include "engine/filter/filter_tree.h"

#include "engine/base/mem.h"
#include "engine/filter/filter.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct filter *filter_new(const struct filter_names *names)
{
	struct filter *filter = mem_zalloc(1, sizeof(*filter));

	atomic_init(&filter->references, 1);
	filter->names = *names;
	filter->root = FILTER_NO_NODE;
	filter->entry = STEP_ACCEPT;
	str_init(&filter->words);
	return filter;
}

struct filter *filter_ref(struct filter *filter)
{
	if (filter)
		atomic_fetch_add_explicit(&filter->references, 1, memory_order_relaxed);
	return filter;
}

void filter_free(struct filter *filter)
{
	if (!filter || atomic_fetch_sub_explicit(&filter->references, 1, memory_order_acq_rel) != 1)
		return;
	for (size_t i = 0; i < filter->pattern_count; i++)
		filter_pattern_free(filter->patterns[i]);
	for (size_t i = 0; i < filter->string_count; i++)
		free(filter->strings[i]);
	for (size_t i = 0; i < filter->argument_count; i++) {
		free(filter->arguments[i]->name);
		free(filter->arguments[i]->constant);
		free(filter->arguments[i]);
	}
	for (size_t i = 0; i < filter->memo_count; i++)
		filter_cache_free(filter->memos[i]);
	free(filter->arguments);
	free(filter->memos);
	free(filter->patterns);
	free(filter->strings);
	free(filter->nodes);
	free(filter->ranges);
	free(filter->sets);
	free(filter->steps);
	free(filter->text);
	str_release(&filter->words);
	free(filter);
}

uint32_t filter_add_node(struct filter *filter, enum filter_node_kind kind)
{
	filter->nodes = mem_grow(filter->nodes, &filter->node_cap, filter->node_count + 1,
				 sizeof(*filter->nodes));
	filter->nodes[filter->node_count] = (struct filter_node){
		.kind = (uint8_t)kind,
		.first = FILTER_NO_NODE,
		.next = FILTER_NO_NODE,
		.mask = UINT64_MAX,
	};
	return (uint32_t)filter->node_count++;
}

void filter_add_range(struct filter *filter, int64_t lo, int64_t hi)
{
	filter->ranges = mem_grow(filter->ranges, &filter->range_cap, filter->range_count + 1,
				  sizeof(*filter->ranges));
	filter->ranges[filter->range_count++] = (struct filter_range){ lo, hi };
}

/* Return an empty set; borrowed until the next set is added. */
struct filter_syscall_set *filter_add_set(struct filter *filter)
{
	filter->sets = mem_grow(filter->sets, &filter->set_cap, filter->set_count + 1,
				sizeof(*filter->sets));
	memset(&filter->sets[filter->set_count], 0, sizeof(*filter->sets));
	return &filter->sets[filter->set_count++];
}

struct filter_cache *filter_add_memo(struct filter *filter)
{
	filter->memos = mem_grow(filter->memos, &filter->memo_cap, filter->memo_count + 1,
				 sizeof(*filter->memos));
	return filter->memos[filter->memo_count++] = filter_cache_new();
}

void filter_finish(struct filter *filter)
{
	struct str text = STR_INIT;

	if (filter->root != FILTER_NO_NODE)
		filter_node_text(&text, filter, filter->root);
	free(filter->text);
	filter->text = str_steal(&text);
	filter_compile(filter);
}

const char *filter_text(const struct filter *filter)
{
	return filter ? filter->text : "";
}

#define FIELD_BIT(field) ((uint64_t)1 << (field))

static bool asks(const struct filter *filter, uint64_t fields)
{
	for (size_t i = 0; filter && i < filter->node_count; i++)
		if (filter->nodes[i].kind == NODE_TEST && fields >> filter->nodes[i].field & 1)
			return true;
	return false;
}

bool filter_asks_paths(const struct filter *filter)
{
	return asks(filter, FIELD_BIT(FIELD_PATH) | FIELD_BIT(FIELD_FD));
}

bool filter_asks_stacks(const struct filter *filter)
{
	return asks(filter, FIELD_BIT(FIELD_STACK) | FIELD_BIT(FIELD_WAKER_STACK));
}

bool filter_asks_waits(const struct filter *filter)
{
	return asks(filter, FIELD_BIT(FIELD_BLOCKED) | FIELD_BIT(FIELD_RUNNABLE) |
				    FIELD_BIT(FIELD_ON_CPU) | FIELD_BIT(FIELD_STACK) |
				    FIELD_BIT(FIELD_WAKER) | FIELD_BIT(FIELD_WAKER_STACK));
}

bool filter_asks_texts(const struct filter *filter)
{
	for (size_t i = 0; filter && i < filter->node_count; i++)
		if (filter->nodes[i].kind == NODE_TEST &&
		    filter->nodes[i].field == FIELD_ARGUMENT &&
		    filter->nodes[i].test != TEST_RANGES)
			return true;
	return asks(filter, FIELD_BIT(FIELD_PATH));
}

_Static_assert(FIELD_TASK < 64, "a bit for each field");

void filter_note(const struct filter *filter, struct str *out)
{
	uint64_t texts = 0;
	bool cut = false;

	for (size_t i = 0; filter && i < filter->pattern_count; i++)
		texts += filter_pattern_gave_up(filter->patterns[i]);
	for (size_t i = 0; filter && i < filter->memo_count; i++)
		cut = cut || filter_cache_met_cut(filter->memos[i]);
	if (cut)
		str_addf(out,
			 "cut stacks match neither == nor != of a function that they do not show%s",
			 texts ? "; " : "");
	if (texts)
		str_addf(out,
			 "a pattern of the filter took too long on %llu text%s and did not match "
			 "there: simplify it",
			 (unsigned long long)texts, texts == 1 ? "" : "s");
}

bool filter_is_all(const struct filter *filter)
{
	return !filter || filter->root == FILTER_NO_NODE;
}

/* Parse text that was generated from filters; this cannot fail. */
static struct filter *parse_again(const struct str *text, const struct filter_names *names)
{
	struct filter *filter = NULL;
	struct filter_error error;
	int failed = filter_parse_bounded(&filter, text->data, text->len, names,
					  FILTER_JOINED_BYTES, &error);

	assert(!failed);
	(void)failed;
	return filter;
}

struct filter *filter_and(struct filter *a, struct filter *b)
{
	struct str text = STR_INIT;
	struct filter *both;

	if (filter_is_all(a))
		return filter_ref(filter_is_all(b) && a ? a : b);
	if (filter_is_all(b) || strlen(a->text) + strlen(b->text) + 16 > FILTER_JOINED_BYTES)
		return filter_ref(a);
	str_addf(&text, "(%s) && (%s)", a->text, b->text);
	both = parse_again(&text, &a->names);
	str_release(&text);
	return both;
}

int filter_fail(struct filter_error *error, size_t column, size_t length, const char *format, ...)
{
	va_list args;

	if (error) {
		char sentence[ERR_TEXT_BYTES];
		va_start(args, format);
		vsnprintf(sentence, sizeof(sentence), format, args);
		va_end(args);
		error->column = column;
		error->length = length;
		err_set(&error->err, -EINVAL, "%s", sentence);
	}
	return -EINVAL;
}
