#include "engine/late/stack_bytes.h"

#include "engine/decode/call_bytes.h"

#include <asm/perf_regs.h>
#include <string.h>

#ifdef __x86_64__
#define STACK_POINTER PERF_REG_X86_SP
#else
#define STACK_POINTER PERF_REG_ARM64_SP
#endif

/* The sample has one register value for each bit of the mask, in bit order. */
static bool find_stack_pointer(const struct record_stack *stack, uint64_t *sp)
{
	const uint64_t bit = 1ULL << STACK_POINTER;

	if (!stack->user_regs || !(stack->user_regs_mask & bit))
		return false;
	*sp = stack->user_regs[__builtin_popcountll(stack->user_regs_mask & (bit - 1))];
	return true;
}

size_t stack_bytes_take(const struct call *call, const struct record_stack *stack,
			unsigned char chunks[STACK_BYTES_ROOM])
{
	size_t filled = 0;
	uint64_t sp;

	if (!stack->user_stack_bytes || !find_stack_pointer(stack, &sp))
		return 0;
	for (uint8_t arg = 0; arg < SYSCALL_ARGS; arg++) {
		uint64_t at = call->args[arg] - sp, left = stack->user_stack_bytes - at;
		struct capture_chunk chunk = { .address = call->args[arg],
					       .arg = arg,
					       .origin = BYTES_STACK };

		if (call->args[arg] < sp || at >= stack->user_stack_bytes)
			continue;
		chunk.len = left < STACK_BYTES_EACH ? (uint32_t)left : STACK_BYTES_EACH;
		chunk.flags = CAPTURE_CUT; /* the data can continue after these bytes */
		memcpy(chunks + filled, &chunk, sizeof(chunk));
		memset(chunks + filled + CAPTURE_CHUNK_BYTES(chunk.len) - 8, 0, 8);
		memcpy(chunks + filled + sizeof(chunk),
		       (const unsigned char *)stack->user_stack + at, chunk.len);
		filled += CAPTURE_CHUNK_BYTES(chunk.len);
	}
	return filled;
}
