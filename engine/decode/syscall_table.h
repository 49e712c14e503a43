/*
 * syscall_table - the system calls of this machine as the sources of the kernel list them.
 *
 * Numbers are literal, so that a build on older headers still knows newer calls.
 * Constant data; any thread.
 */
#ifndef DECODE_SYSCALL_TABLE_H
#define DECODE_SYSCALL_TABLE_H

#include "engine/decode/syscalls.h"

struct syscall_row {
	const char *name; /* NULL: no call has this number */
	uint32_t classes; /* bits of enum syscall_class */
	/* As the kernel declares it, "TYPE name, TYPE name"; NULL where it never was. */
	const char *prototype;
	enum arg_kind result; /* ARG_INT unless something else is said */
	bool no_return;
};

extern const struct syscall_row syscall_table[];
extern const uint32_t syscall_table_count; /* one past the highest number */

#endif
