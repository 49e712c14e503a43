/*
 * unwind_bed - an unwinder with its worker, for stacks of this process.
 */
#ifndef UNIT_UNWIND_BED_H
#define UNIT_UNWIND_BED_H

#include "engine/stack/stacks.h"
#include "engine/stack/unwinder.h"
#include "tests/unit/symbol_fixture.h"

struct unwind_bed {
	struct fixture fixture;
	struct unwinder *unwinder;
	uint32_t pid; /* process of the stacks: this one, or a forked copy */
	/* The last reply. */
	uint64_t ips[STACK_FRAMES_MAX];
	uint16_t count;
	uint32_t flags;
	uint32_t replies; /* so far */
};

/* serve NULL: the real worker. */
void unwind_bed_open(struct unwind_bed *bed, void (*serve)(int socket_fd));
void unwind_bed_close(struct unwind_bed *bed);

/* Make a sample from a stack as the kernel reports it. */
void unwind_bed_prepare(struct unwind_bed *bed, const struct record_stack *stack,
			struct unwinder_sample *sample);
/* Have the worker unwind the stack, and wait for the reply. */
void unwind_bed_ask(struct unwind_bed *bed, const struct record_stack *stack);

#endif
