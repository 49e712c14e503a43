/*
 * stack_bytes - what a call points to on its own stack, from a sample of that stack.
 *
 * A thread that waits in a call was sampled with the bytes above its stack pointer: what its
 * arguments point to among those is as it was given, since who called does not run. Pure.
 */
#ifndef LATE_STACK_BYTES_H
#define LATE_STACK_BYTES_H

#include "engine/record/call.h"
#include "engine/record/capture.h"

#include <stddef.h>

#define STACK_BYTES_EACH 512 /* from where an argument points to */
#define STACK_BYTES_ROOM (SYSCALL_ARGS * (sizeof(struct capture_chunk) + STACK_BYTES_EACH + 8))

/* Chunks in the format of capture.h; how many bytes of them. */
size_t stack_bytes_take(const struct call *call, const struct record_stack *stack,
			unsigned char chunks[STACK_BYTES_ROOM]);

#endif
