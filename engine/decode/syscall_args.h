/*
 * syscall_args - what the arguments of a call are, from how the kernel declares them.
 *
 * Reads the `field:` lines of tracefs' events/syscalls/sys_enter_NAME/format
 * (Documentation/trace/events.rst, "Event formats") and the prototypes of
 * form.h. The text is bounded and may be anything. Any thread.
 */
#ifndef DECODE_SYSCALL_ARGS_H
#define DECODE_SYSCALL_ARGS_H

#include "engine/decode/syscall_info.h"

#include <stddef.h>

/*
 * The number of arguments in a format file of `len` bytes (no NUL needed), or -1
 * when it is none; args beyond that number are untouched.
 */
int syscall_args_from_format(const char *text, size_t len, struct syscall_arg args[SYSCALL_ARGS]);

/* The same for "TYPE name, TYPE name"; "" has none. */
int syscall_args_from_prototype(const char *text, struct syscall_arg args[SYSCALL_ARGS]);

/* Sets kind and bytes of arg from its name and type, as the call `syscall` uses them. */
void syscall_arg_classify(struct syscall_arg *arg, const char *syscall, unsigned index);

#endif
