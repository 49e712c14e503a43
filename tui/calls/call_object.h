/*
 * call_object - the object of a call: a futex or a file descriptor.
 *
 * Two calls of one process on the same object are related. Constant tables; any thread.
 */
#ifndef CALLS_CALL_OBJECT_H
#define CALLS_CALL_OBJECT_H

#include "engine/base/str.h"
#include "engine/engine.h"

enum call_object_kind { OBJECT_NONE, OBJECT_FUTEX, OBJECT_FD };

struct call_object {
	enum call_object_kind kind;
	uint32_t pid; /* process that the address or descriptor belongs to */
	uint64_t value; /* futex address or descriptor */
};

/* Return the object; OBJECT_NONE if the call has none or its arguments are unknown. */
struct call_object call_object(const struct syscalls *syscalls, const struct call *call);
/* True if the call uses this object. Always false for OBJECT_NONE. */
bool call_object_is(const struct call_object *object, const struct syscalls *syscalls,
		    const struct call *call);
/* Append "futex 0x55f1bbdbe0a0" or "file descriptor 3". */
void call_object_text(const struct call_object *object, struct str *out);

#endif
