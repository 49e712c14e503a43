/*
 * syscalls - names, numbers, arguments and classes of the system calls of this machine.
 *
 * Numbers and names come from a table made from the UAPI headers. Argument names and C types come
 * from tracefs events/syscalls/sys_enter_NAME/format if readable, else from the prototypes of
 * form.h. Immutable after syscalls_load(); any thread.
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

/* tracefs: directory of events/; NULL: without it, fewer arguments are known. Never fails. */
struct syscalls *syscalls_load(const char *tracefs);
/* As syscalls_load(), for any machine; tracefs, if not NULL, is that of the same machine. */
struct syscalls *syscalls_load_of(const struct call_numbers *numbers, const char *tracefs);
void syscalls_free(struct syscalls *syscalls);

/*
 * Never NULL; the pointer is stable. An unknown number has the name "syscall_0x3e7", as in strace.
 * Numbers that no kernel has (SYSCALL_NR_MAX and above) share "syscall_other".
 */
const struct syscall_info *syscalls_info(const struct syscalls *syscalls, uint32_t nr);
/*
 * Append the name of a call number. Numbers that share "syscall_other" are shown as numbers, except
 * "syscall_0xffff+": sources clip larger and negative numbers to 0xffff.
 */
void syscalls_add_name(struct str *out, const struct syscalls *syscalls, uint32_t nr);
bool syscalls_exists(const struct syscalls *syscalls, uint32_t nr); /* the number has a name */
int syscalls_number(const struct syscalls *syscalls, const char *name, size_t len); /* -1: none */
/* Return the nearest name by edit distance, or NULL if none is near. */
const char *syscalls_nearest(const struct syscalls *syscalls, const char *name, size_t len);
bool syscalls_class(const struct syscalls *syscalls, const char *name, size_t len,
		    struct kernel_filter *into);
/*
 * True if the target of a pointer without a form is input: it is declared const, or the name of the
 * call contains "set". Else the target is output of the call.
 */
bool syscall_arg_is_given(const struct syscall_info *info, unsigned index);
const char *syscall_class_name(size_t index); /* "file"; NULL past the last */
/* Return the name of a call in tracepoints, after "sys_enter_"; NULL: it has no name. */
const char *syscalls_event_name(uint32_t nr);
/* Return the structs that only the BTF of the kernel describes. Never NULL. */
struct kernel_structs *syscalls_kernel_structs(const struct syscalls *syscalls);
uint32_t syscalls_count(const struct syscalls *syscalls); /* one past the highest number */

/* errno.h in both directions, including restart codes (512 is ERESTARTSYS). */
const char *errno_name(int number); /* "ENOENT" or NULL */
const char *errno_text(int number); /* "No such file or directory" or NULL */
bool errno_is_restart(int number); /* the kernel restarts the call, or the program gets EINTR */
const char *errno_name_at(size_t index); /* all names in order, NULL past the last */
int errno_number(const char *name, size_t len); /* or -1 */

#endif
