/*
 * stacks - every distinct call stack once, known by a 32-bit id.
 *
 * A stack consists of kernel frames, then user frames, innermost first, and its address space
 * (process and generation, spaces.h). Ids start at 1; 0 is "no stack".
 *
 * At the byte limit, the oldest stacks are evicted: first stacks that no task holds and no row of
 * the history shows, then stacks that only its oldest rows show. An id is never reused;
 * stacks_get() returns false for an evicted stack. If no stack can be evicted, new stacks get id 0
 * and are counted. The collector writes under the lock of the model; readers hold the same lock.
 */
#ifndef STACK_STACKS_H
#define STACK_STACKS_H

#include "engine/record/record.h"

#define STACK_FRAMES_MAX 512 /* maximum number per half; further frames are cut and flagged */

struct stacks;

enum stack_flag {
	STACK_KERNEL_CUT = 1 << 0,
	STACK_USER_CUT = 1 << 1,
	STACK_USER_FP = 1 << 2, /* user half from frame pointers: frames may be missing */
	STACK_USER_DWARF = 1 << 3, /* user half unwound from registers and stack bytes */
	STACK_USER_PENDING = 1 << 4, /* reply of the unwinder pending */
	STACK_USER_STOPPED = 1 << 5, /* unwinding stopped before the outermost frame */
	STACK_KERNEL_DENIED = 1 << 6, /* the user may not see the kernel half */
	/* Unwinding ended in a file that is no longer read: it crashed or stalled workers. */
	STACK_USER_FILE_FAILED = 1 << 7,
};

/*
 * Upper half of the flags: first user frame that the unwinder guessed, because it searched for the
 * frame pointer (unwind_search.h). 0: none.
 */
static inline uint32_t stack_flags_guessed_from(uint16_t frame)
{
	return (uint32_t)frame << 16;
}

static inline uint16_t stack_flags_guessed(uint32_t flags)
{
	return (uint16_t)(flags >> 16);
}

/* Return the halves that continue beyond their frames, as enum record_stack_cut. */
static inline uint8_t stack_cut(uint32_t flags)
{
	return (flags & STACK_KERNEL_CUT ? STACK_CUT_KERNEL : 0) |
	       (flags & (STACK_USER_CUT | STACK_USER_STOPPED) ? STACK_CUT_USER : 0);
}

struct stack {
	uint32_t id;
	uint32_t pid; /* process whose address space the user frames are in */
	uint32_t generation; /* generation of that address space */
	uint16_t kernel_count, user_count;
	uint32_t flags;
	const uint64_t *ips; /* kernel_count, then user_count; innermost first */
};

struct stacks *stacks_new(size_t max_bytes);
void stacks_set_limit(struct stacks *stacks, size_t max_bytes); /* call before the first stack */
void stacks_free(struct stacks *stacks);

/*
 * Return the id of a stack, created if new. `stack->ips` is as sampled by the kernel, with context
 * markers. 0 if empty or no room.
 */
uint32_t stacks_add(struct stacks *stacks, uint32_t pid, uint32_t generation,
		    const struct record_stack *stack);

/*
 * As stacks_add(), with the user half from the unwinder and its `flags`. If the unwinder stopped
 * with fewer frames than the sample has, the frames of the sample are used.
 */
uint32_t stacks_add_unwound(struct stacks *stacks, uint32_t pid, uint32_t generation,
			    const struct record_stack *stack, const uint64_t *user_ips,
			    uint16_t user_count, uint32_t flags);
/*
 * Add a stack whose user half is pending. Its id shows the frames of the sample
 * (STACK_USER_PENDING) until stacks_resolve() makes it an alias of the whole stack.
 */
uint32_t stacks_add_pending(struct stacks *stacks, uint32_t pid, uint32_t generation,
			    const struct record_stack *stack);
void stacks_resolve(struct stacks *stacks, uint32_t id, const uint64_t *user_ips,
		    uint16_t user_count, uint32_t flags);

/* Note that a row shows the stack; first_row: the oldest existing row. */
void stacks_note_row(struct stacks *stacks, uint32_t id, uint64_t row, uint64_t first_row);
/* Called before an eviction. Must call stacks_hold() for each stack in use that has no row yet. */
typedef void stacks_holders_fn(void *ctx, struct stacks *stacks);
void stacks_set_holders(struct stacks *stacks, stacks_holders_fn *holders, void *ctx);
void stacks_hold(struct stacks *stacks, uint32_t id);

/* False: no such id, or evicted. The ips are borrowed until the next stack is added. */
bool stacks_get(const struct stacks *stacks, uint32_t id, struct stack *out);
uint32_t stacks_count(const struct stacks *stacks); /* stacks stored now */
size_t stacks_bytes(const struct stacks *stacks);
uint64_t stacks_refused(const struct stacks *stacks); /* not stored for lack of room */
uint64_t stacks_evicted(const struct stacks *stacks);
uint64_t stacks_evicted_shown(const struct stacks *stacks); /* evicted while a row showed them */

#endif
