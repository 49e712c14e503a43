/*
 * text - a call as a line in strace's notation, with its stack below.
 *
 *	12.345678 (  0.412 ms) nginx/4242 openat(AT_FDCWD, 0x55d0, O_RDONLY|O_CLOEXEC) = 3
 *
 * The time is in seconds since tracing began. A call in flight shows its age and "= ? <in flight>";
 * unknown values are "?". Any thread.
 */
#ifndef EXPORT_TEXT_H
#define EXPORT_TEXT_H

#include "engine/decode/call_text.h"
#include "engine/stack/symbols.h"

struct text_options {
	const struct syscalls *syscalls; /* borrowed */
	struct call_text_options call;
	uint64_t started_ns; /* CLOCK_MONOTONIC */
};

/* Add the seconds since tracing began, in at least nine columns. */
void text_add_time(struct str *out, const struct text_options *options, uint64_t time_ns);

/* Add a line with its newline. comm is escaped. A CALL_GAP gets its own form of line. */
void text_add_call(struct str *out, const struct text_options *options, const struct call *call,
		   const char *comm);

/* Add a line per frame, innermost first: " > futex_wait+0x1a ([kernel])". */
void text_add_stack(struct str *out, const struct frame *frames, size_t count);

#endif
