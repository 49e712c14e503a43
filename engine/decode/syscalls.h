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
#include "engine/record/kernel_filter.h"
#include "engine/record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call_form;
struct call_numbers;
struct kernel_structs;

/* What an argument is, as far as its declaration says; forms (form.h) know more. */
enum arg_kind {
	ARG_INT, /* signed, of `bytes` */
	ARG_UNSIGNED, /* unsigned decimal */
	ARG_HEX, /* flags, masks, what is of no known type */
	ARG_POINTER,
	ARG_PATH, /* const char * that names a file */
	ARG_STRING, /* const char * */
	ARG_FD,
	ARG_DIR_FD, /* AT_FDCWD */
	ARG_MODE, /* octal */
	ARG_SIZE,
	ARG_PID,
	ARG_SIGNAL,
	ARG_ID, /* uid_t, gid_t: unsigned, but all ones is -1 */
	ARG_NONE,
};

struct syscall_arg {
	char name[24];
	char type[48]; /* as the kernel writes it; "" unknown */
	uint8_t kind; /* enum arg_kind */
	uint8_t bytes; /* 2, 4 or 8 */
	uint8_t kernel_struct; /* its number in kernel_structs.h where no form shows it; 0: none */
};

struct syscall_info {
	const char *name; /* "openat"; never NULL */
	uint32_t nr;
	uint8_t arg_count; /* SYSCALL_ARGS with names arg0… when nothing is known */
	bool known_args;
	bool no_return; /* exit, exit_group */
	uint32_t classes; /* bits of enum syscall_class */
	struct syscall_arg args[SYSCALL_ARGS];
	const struct call_form *form; /* how it is shown; NULL: by its arguments' kinds */
};

/* strace's %classes. */
/* clang-format off */
#define SYSCALL_CLASSES(X)                                                                  \
	X(FILE, "file") X(DESC, "desc") X(NETWORK, "network") X(NET, "net")                 \
	X(PROCESS, "process") X(SIGNAL, "signal") X(MEMORY, "memory") X(IPC, "ipc")         \
	X(STAT, "stat") X(LSTAT, "lstat") X(FSTAT, "fstat") X(STATFS, "statfs")             \
	X(FSTATFS, "fstatfs") X(CREDS, "creds") X(CLOCK, "clock") X(PURE, "pure")           \
	X(SCHED, "sched") X(STAT_LIKE, "%stat") X(STATFS_LIKE, "%statfs")
/* clang-format on */

enum syscall_class {
#define X(id, name) SYSCALL_CLASS_##id,
	SYSCALL_CLASSES(X)
#undef X
		SYSCALL_CLASS_COUNT
};

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
