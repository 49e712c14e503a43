/*
 * syscalls - names, numbers, arguments and classes of this machine's system calls.
 *
 * Numbers and names come from a table made from the UAPI headers; argument names
 * and C types from tracefs events/syscalls/sys_enter_NAME/format where it can
 * be read, and from a built-in table of the common ones where it cannot.
 * Immutable after syscalls_load(); any thread.
 */
#ifndef DECODE_SYSCALLS_H
#define DECODE_SYSCALLS_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "engine/decode/syscall_info.h"
#include "engine/record/kernel_filter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call_numbers;
struct kernel_structs;

struct syscalls;

/* tracefs: the folder that holds events/, or NULL. Never fails: knows less. */
struct syscalls *syscalls_load(const char *tracefs);
/* Of a machine that may be another one; tracefs is that of the same. */
struct syscalls *syscalls_load_of(const struct call_numbers *numbers, const char *tracefs);
void syscalls_free(struct syscalls *syscalls);

/*
 * Never NULL: an unknown number has the name "syscall_0x3e7", as strace has it, and numbers
 * that no kernel has (SYSCALL_NR_MAX and above) share "syscall_other". Stable pointer.
 */
const struct syscall_info *syscalls_info(const struct syscalls *syscalls, uint32_t nr);
/*
 * The name of one call's number: of those that share theirs with its own number, and of the one
 * that sources clip numbers to, below 0 too, as "syscall_0xffff+".
 */
void syscalls_add_name(struct str *out, const struct syscalls *syscalls, uint32_t nr);
bool syscalls_exists(const struct syscalls *syscalls, uint32_t nr); /* the number has a name */
int syscalls_number(const struct syscalls *syscalls, const char *name, size_t len); /* or -1 */
/* The nearest name by edit distance, or NULL if nothing is near. */
const char *syscalls_nearest(const struct syscalls *syscalls, const char *name, size_t len);
bool syscalls_class(const struct syscalls *syscalls, const char *name, size_t len,
		    struct kernel_filter *into);
/*
 * Whether what a pointer without a form leads to is there before the call: declared const, or of
 * one that sets something. Else it is what the call leaves there.
 */
bool syscall_arg_is_given(const struct syscall_info *info, unsigned index);
const char *syscall_class_name(size_t index); /* "file"; NULL past the last */
/* What its tracepoints are called after "sys_enter_"; NULL: the number has no name. */
const char *syscalls_event_name(uint32_t nr);
/* What arguments point to of which only the kernel knows more. Never NULL. */
struct kernel_structs *syscalls_kernel_structs(const struct syscalls *syscalls);
uint32_t syscalls_count(const struct syscalls *syscalls); /* one past the highest number */

/* errno.h in both directions, restart codes included (512 is ERESTARTSYS). */
const char *errno_name(int number); /* "ENOENT" or NULL */
const char *errno_text(int number); /* "No such file or directory" or NULL */
bool errno_is_restart(int number); /* the kernel restarts the call, or makes it EINTR */
const char *errno_name_at(size_t index); /* all names in order, NULL past the last */
int errno_number(const char *name, size_t len); /* or -1 */

#endif
