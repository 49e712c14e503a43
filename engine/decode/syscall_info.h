/*
 * syscall_info - name, arguments and classes of one system call.
 *
 * Owned by the table of syscalls_load() and constant after it; any thread.
 */
#ifndef DECODE_SYSCALL_INFO_H
#define DECODE_SYSCALL_INFO_H

#include "engine/record/record.h"

#include <stdbool.h>
#include <stdint.h>

struct call_form;

/* Type of an argument by its declaration; forms (form.h) are more specific. */
enum arg_kind {
	ARG_INT, /* signed, of `bytes` */
	ARG_UNSIGNED, /* unsigned decimal */
	ARG_HEX, /* flags, masks, unknown types */
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
	char type[48]; /* as the kernel declares it; "": unknown */
	uint8_t kind; /* enum arg_kind */
	uint8_t bytes; /* 2, 4 or 8 */
	uint8_t kernel_struct; /* number in kernel_structs.h if no form shows it; 0: none */
};

struct syscall_info {
	const char *name; /* "openat"; never NULL */
	uint32_t nr;
	uint8_t arg_count; /* if unknown: SYSCALL_ARGS, and the names are arg0… */
	bool known_args;
	bool no_return; /* exit, exit_group */
	uint32_t classes; /* bits of enum syscall_class */
	struct syscall_arg args[SYSCALL_ARGS];
	const struct call_form *form; /* how it is shown; NULL: by argument kinds */
};

/* The %classes of strace. */
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

#endif
