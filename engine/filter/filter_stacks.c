#include "engine/filter/filter_stacks.h"

#include "engine/base/mem.h"
#include "engine/filter/filter_eval.h"
#include "engine/filter/filter_tree.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Stacks whose answers are kept; two with the same place push each other out. */
#define MEMO_STACKS 4096

/* What is known of a stack, in the low bits; the stack's number is in the upper half. */
enum { KNOWN_YES = 1, KNOWN_NO = 2, KNOWN_NO_YET = 3, KNOWN_MASK = 3 };
#define VERSION_SHIFT 2
#define VERSION_MASK 0x3fffffffu

struct stack_memo {
	_Atomic uint64_t known[MEMO_STACKS];
};

struct stack_memo *stack_memo_new(void)
{
	return mem_zalloc(1, sizeof(struct stack_memo));
}

void stack_memo_free(struct stack_memo *memo)
{
	free(memo);
}

static bool is_name(void *to, const char *name)
{
	const struct filter_step *const *step = to;

	return filter_text_is(*step, name, strlen(name)) == FILTER_YES;
}

static uint64_t look_up(const struct filter_step *step, uint32_t stack_id,
			const struct filter_reader *reader)
{
	bool pending = false;
	uint64_t known;

	if (reader->symbols(reader->ctx, stack_id, is_name, &step, &pending))
		known = KNOWN_YES;
	else
		known = pending ? KNOWN_NO_YET : KNOWN_NO;
	return (uint64_t)stack_id << 32 |
	       (reader->symbols_version & VERSION_MASK) << VERSION_SHIFT | known;
}

static bool is_good(uint64_t entry, uint32_t stack_id, const struct filter_reader *reader)
{
	if (entry >> 32 != stack_id || !(entry & KNOWN_MASK))
		return false;
	return (entry & KNOWN_MASK) != KNOWN_NO_YET ||
	       (entry >> VERSION_SHIFT & VERSION_MASK) == (reader->symbols_version & VERSION_MASK);
}

enum filter_answer filter_stacks_ask(const struct filter_step *step, const struct call *call,
				     const struct filter_reader *reader)
{
	uint32_t stack_id = step->field == FIELD_STACK ? call->stack_id : call->waker_stack_id;
	_Atomic uint64_t *place = &step->memo->known[stack_id % MEMO_STACKS];
	uint64_t entry;

	if (!stack_id || !reader || !reader->symbols)
		return FILTER_NO;
	entry = atomic_load_explicit(place, memory_order_relaxed);
	if (!is_good(entry, stack_id, reader)) {
		entry = look_up(step, stack_id, reader);
		atomic_store_explicit(place, entry, memory_order_relaxed);
	}
	if ((entry & KNOWN_MASK) == KNOWN_NO_YET)
		return FILTER_LATER;
	return ((entry & KNOWN_MASK) == KNOWN_YES) != step->inverted ? FILTER_YES : FILTER_NO;
}
