/*
 * stack_symbols - names of the functions on a stack, for filters.
 *
 * Never blocks: unknown names are requested and arrive later. Call under the model's lock, which
 * protects the stacks.
 */
#ifndef ENGINE_STACK_SYMBOLS_H
#define ENGINE_STACK_SYMBOLS_H

#include "engine/model/model.h"
#include "engine/stack/symbols.h"

struct stack_symbols {
	struct model_symbols names; /* for model_options */
	struct symbols *symbols; /* borrowed, like the stacks */
	const struct stacks *stacks;
};

void stack_symbols_init(struct stack_symbols *self, struct symbols *symbols,
			const struct stacks *stacks);

#endif
