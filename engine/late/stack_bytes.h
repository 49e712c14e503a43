/*
 * stack_bytes - extracts from a stack sample the data on the thread's stack that a call points to.
 *
 * The stack sample of a thread that waits in a call has the bytes above the stack pointer. The data
 * there has not changed since the call, as the thread does not run meanwhile. Pure.
 */
#ifndef LATE_STACK_BYTES_H
#define LATE_STACK_BYTES_H

#include "engine/record/call.h"
#include "engine/record/capture.h"

#include <stddef.h>

#define STACK_BYTES_EACH 512 /* maximum bytes per argument, from its address up */
#define STACK_BYTES_ROOM (SYSCALL_ARGS * (sizeof(struct capture_chunk) + STACK_BYTES_EACH + 8))

/* Write chunks in the format of capture.h; return their total size in bytes. */
size_t stack_bytes_take(const struct call *call, const struct record_stack *stack,
			unsigned char chunks[STACK_BYTES_ROOM]);

#endif
