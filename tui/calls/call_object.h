/*
 * call_object - what a call is about: a futex, or a file descriptor. Two calls of one process
 * on the same one belong together. Constant tables; any thread.
 */
#ifndef CALLS_CALL_OBJECT_H
#define CALLS_CALL_OBJECT_H

#include "engine/base/str.h"
#include "engine/engine.h"

enum call_object_kind { OBJECT_NONE, OBJECT_FUTEX, OBJECT_FD };

struct call_object {
	enum call_object_kind kind;
	uint32_t pid; /* in whose memory or table */
	uint64_t value; /* address or number */
};

/* OBJECT_NONE where the call has neither, or its arguments are not known. */
struct call_object call_object(const struct syscalls *syscalls, const struct call *call);
/* False for OBJECT_NONE. */
bool call_object_is(const struct call_object *object, const struct syscalls *syscalls,
		    const struct call *call);
/* "futex 0x55f1bbdbe0a0", "file descriptor 3", appended. */
void call_object_text(const struct call_object *object, struct str *out);

#endif
