/*
 * stack_bytes - extracts the data that a call points to on its own stack from a stack sample.
 *
 * The sample of a thread that waits in a call has the bytes above the stack pointer. Arguments that
 * point into them are still as the caller passed them, as the caller does not run meanwhile. Pure.
 */
#ifndef LATE_STACK_BYTES_H
#define LATE_STACK_BYTES_H

#include "engine/record/call.h"
#include "engine/record/capture.h"

#include <stddef.h>

#define STACK_BYTES_EACH 512 /* from the address in an argument */
#define STACK_BYTES_ROOM (SYSCALL_ARGS * (sizeof(struct capture_chunk) + STACK_BYTES_EACH + 8))

/* Write chunks in the format of capture.h; return their total size in bytes. */
size_t stack_bytes_take(const struct call *call, const struct record_stack *stack,
			unsigned char chunks[STACK_BYTES_ROOM]);

#endif
