/*
 * proc_probe - lists threads and what each of them does; runs in a reader process.
 *
 * Implements READER_TASKS of reader_wire.h. Without flags, the reply lists all threads of
 * request.pid. Flags:
 * - PROC_PROBE_ON: continue after the previous reply.
 * - PROC_PROBE_ONE: only thread request.tid; pid 0: look up its process.
 * - PROC_PROBE_OWNERS: only the owners of the processes in the payload (uint32_t each).
 * - PROC_PROBE_UNENTERED: of the threads in the payload (uint32_t each), those that seccomp or a
 *   tracer holds before sys_enter.
 * - PROC_PROBE_NAMES: with PROC_PROBE_OWNERS, also their stat lines.
 * - PROC_PROBE_STACKS: also the stack of each thread: the kernel part as text, and up to
 *   request.length bytes of memory upwards from its stack pointer. The memory ends at the first
 *   absent page or at the end of the mapping.
 *
 * A reply is a sequence of struct proc_probe_task.
 */
#ifndef PROCESS_PROC_PROBE_H
#define PROCESS_PROC_PROBE_H

#include "engine/helper/reader_wire.h"
#include "engine/process/proc_stat.h"

enum {
	PROC_PROBE_ON = 1 << 0,
	PROC_PROBE_ONE = 1 << 1,
	PROC_PROBE_OWNERS = 1 << 2,
	PROC_PROBE_STACKS = 1 << 3,
	PROC_PROBE_NAMES = 1 << 4,
	PROC_PROBE_UNENTERED = 1 << 5,
};

struct proc_probe_call {
	uint32_t nr;
	uint64_t args[6], sp, pc;
};

/* Followed by the cgroup, the kernel part of the stack and the memory, each padded to 8 bytes. */
struct proc_probe_task {
	uint64_t time_ns; /* just before the task was read */
	uint64_t call_ns; /* just after its call was read */
	uint32_t pid;
	uint32_t uid, ns_pid;
	bool has_stat, has_owner, has_call;
	bool denied; /* no permission to read its call */
	bool stack_denied; /* no permission to read the kernel part of its stack */
	struct proc_stat stat;
	struct proc_probe_call call;
	uint32_t cgroup_bytes, stack_bytes, memory_bytes;
};

reader_handle_fn proc_probe_handle;

/* Parse "202 0x… … sp pc" of /proc/PID/task/TID/syscall. True, with *call set, if in a call. */
bool proc_probe_parse_call(struct proc_probe_call *call, const char *text);

/* Return the next task of a reply with the data that follows it; NULL: the end. */
const struct proc_probe_task *proc_probe_next(const struct reader_result *answer, size_t *at,
					      const char **cgroup, const char **stack,
					      const unsigned char **memory);

#endif
