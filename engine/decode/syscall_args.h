/*
 * syscall_args - parses the kernel declarations of the arguments of a call.
 *
 * Reads the `field:` lines of tracefs events/syscalls/sys_enter_NAME/format
 * (Documentation/trace/events.rst, "Event formats") and the prototypes of form.h. The text is
 * bounded and untrusted. Any thread.
 */
#ifndef DECODE_SYSCALL_ARGS_H
#define DECODE_SYSCALL_ARGS_H

#include "engine/decode/syscall_info.h"

#include <stddef.h>

/*
 * Return the number of arguments in a format file of `len` bytes (no NUL needed), or -1 if it is
 * not a format file. args beyond that number are untouched.
 */
int syscall_args_from_format(const char *text, size_t len, struct syscall_arg args[SYSCALL_ARGS]);

/* As syscall_args_from_format(), for "TYPE name, TYPE name"; "" has no arguments. */
int syscall_args_from_prototype(const char *text, struct syscall_arg args[SYSCALL_ARGS]);

/* Set kind and bytes of arg from its name and type in the call `syscall`. */
void syscall_arg_classify(struct syscall_arg *arg, const char *syscall, unsigned index);

#endif
