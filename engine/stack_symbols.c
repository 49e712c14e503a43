#include "engine/stack_symbols.h"

/* Maximum number of frames: kernel part and user part, with inlined functions. */
#define FRAMES_MAX (2 * STACK_FRAMES_MAX)

static bool each_symbol(void *ctx, uint32_t stack_id, bool (*wants)(void *to, const char *name),
			void *to, bool *pending, bool *cut)
{
	const struct stack_symbols *self = ctx;
	struct frame frames[FRAMES_MAX];
	struct stack stack;
	size_t count = 0;

	*pending = false;
	*cut = !stacks_get(self->stacks, stack_id, &stack);
	if (!*cut)
		count = symbols_frames(self->symbols, &stack, frames, FRAMES_MAX);
	for (size_t i = 0; i < count; i++) {
		if (frames[i].symbol && wants(to, frames[i].symbol))
			return true;
		*pending = *pending || frames[i].pending;
		*cut = *cut || frames[i].cut;
	}
	return false;
}

static uint64_t version(void *ctx)
{
	const struct stack_symbols *self = ctx;

	return symbols_version(self->symbols);
}

void stack_symbols_init(struct stack_symbols *self, struct symbols *symbols,
			const struct stacks *stacks)
{
	*self = (struct stack_symbols){
		.names = { .each = each_symbol, .version = version, .ctx = self },
		.symbols = symbols,
		.stacks = stacks,
	};
}
