/*
 * stacks - every distinct call stack once, known by a 32-bit id.
 *
 * A stack is the kernel's frames, then the user's, innermost first, together
 * with the address space they belong to (process and generation, spaces.h).
 * Ids start at 1; 0 is "no stack". Past the byte limit, room is made among those that came first:
 * what no task holds and no row of the history shows goes, then what only its oldest rows
 * show. An id is never another stack's: of one that was evicted, stacks_get() knows nothing.
 * Where nothing can go, new stacks get id 0 and are counted. Written by the collector under the
 * model's lock, read under the same lock.
 */
#ifndef STACK_STACKS_H
#define STACK_STACKS_H

#include "engine/record/record.h"

#define STACK_FRAMES_MAX 512 /* of each half; what is beyond is cut, and says so */

struct stacks;

enum stack_flag {
	STACK_KERNEL_CUT = 1 << 0,
	STACK_USER_CUT = 1 << 1,
	STACK_USER_FP = 1 << 2, /* user half by frame pointers: may miss frames */
	STACK_USER_DWARF = 1 << 3, /* user half unwound from registers and stack bytes */
	STACK_USER_PENDING = 1 << 4, /* the unwinder has not answered yet */
	STACK_USER_STOPPED = 1 << 5, /* the unwinder could not go further: see note */
	STACK_KERNEL_DENIED = 1 << 6, /* this user may not see the kernel's half */
	/* The last user frame is in a file that is not read any more: workers died over it. */
	STACK_USER_FILE_FAILED = 1 << 7,
};

/*
 * In the upper half of the flags: the user frame from which on the unwinder guessed, because
 * the frame pointer was searched for (unwind_search.h). 0: it did not.
 */
static inline uint32_t stack_flags_guessed_from(uint16_t frame)
{
	return (uint32_t)frame << 16;
}

static inline uint16_t stack_flags_guessed(uint32_t flags)
{
	return (uint16_t)(flags >> 16);
}

struct stack {
	uint32_t id;
	uint32_t pid; /* whose address space the user frames are in */
	uint32_t generation; /* of that address space */
	uint16_t kernel_count, user_count;
	uint32_t flags;
	const uint64_t *ips; /* kernel_count, then user_count; innermost first */
};

struct stacks *stacks_new(size_t max_bytes);
void stacks_set_limit(struct stacks *stacks, size_t max_bytes); /* before the first stack */
void stacks_free(struct stacks *stacks);

/*
 * The id of such a stack, made if it is new. `stack->ips` is as the kernel
 * samples it, with its context markers. 0 if empty or no room.
 */
uint32_t stacks_add(struct stacks *stacks, uint32_t pid, uint32_t generation,
		    const struct record_stack *stack);

/*
 * The same with another user half, which the unwinder found: `flags` are its own. Where it
 * found fewer frames than the sample has, the sample's stay.
 */
uint32_t stacks_add_unwound(struct stacks *stacks, uint32_t pid, uint32_t generation,
			    const struct record_stack *stack, const uint64_t *user_ips,
			    uint16_t user_count, uint32_t flags);
/*
 * A stack whose user half will come: an id of its own, which shows what the sample has
 * (STACK_USER_PENDING) until stacks_resolve() makes it another name of the whole stack.
 */
uint32_t stacks_add_pending(struct stacks *stacks, uint32_t pid, uint32_t generation,
			    const struct record_stack *stack);
void stacks_resolve(struct stacks *stacks, uint32_t id, const uint64_t *user_ips,
		    uint16_t user_count, uint32_t flags);

/* A row shows it; first_row: the oldest that there is. */
void stacks_note_row(struct stacks *stacks, uint32_t id, uint64_t row, uint64_t first_row);
/* Before room is made: calls stacks_hold() for all that is not in a row yet, but may be. */
typedef void stacks_holders_fn(void *ctx, struct stacks *stacks);
void stacks_set_holders(struct stacks *stacks, stacks_holders_fn *holders, void *ctx);
void stacks_hold(struct stacks *stacks, uint32_t id);

/* false: no such id, or not any more. The ips are borrowed until one is added. */
bool stacks_get(const struct stacks *stacks, uint32_t id, struct stack *out);
uint32_t stacks_count(const struct stacks *stacks); /* that are kept */
size_t stacks_bytes(const struct stacks *stacks);
uint64_t stacks_refused(const struct stacks *stacks); /* for want of room */
uint64_t stacks_evicted(const struct stacks *stacks);
uint64_t stacks_evicted_shown(const struct stacks *stacks); /* of these, while a row showed it */

#endif
