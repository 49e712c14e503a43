/*
 * proc_probe - what threads there are and what each of them does, in a reader's process.
 *
 * READER_TASKS of reader_wire.h. It is asked for all threads of request.pid, those behind the last
 * answer with PROC_PROBE_ON; with PROC_PROBE_ONE for the thread request.tid (pid 0: it finds out of
 * which process that is); with PROC_PROBE_OWNERS for the processes in the payload, uint32_t each,
 * and only whose they are, with PROC_PROBE_NAMES also their stat lines. With PROC_PROBE_STACKS also
 * where each one waits: the kernel's half as text, and request.length bytes of memory from its
 * stack pointer on, as far as they are present and in the same mapping. An answer is
 * proc_probe_task after proc_probe_task.
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
};

struct proc_probe_call {
	uint32_t nr;
	uint64_t args[6], sp, pc;
};

/* Followed by its control group, the kernel's half of its stack and its memory, padded to 8. */
struct proc_probe_task {
	uint64_t time_ns; /* just before it was read */
	uint64_t call_ns; /* just after its call was */
	uint32_t pid;
	uint32_t uid, ns_pid;
	bool has_stat, has_owner, has_call;
	bool denied; /* its call may not be read */
	bool stack_denied; /* the kernel's half */
	struct proc_stat stat;
	struct proc_probe_call call;
	uint32_t cgroup_bytes, stack_bytes, memory_bytes;
};

reader_handle_fn proc_probe_handle;

/* "202 0x… … sp pc" of /proc/PID/task/TID/syscall: true and filled if a call is in flight. */
bool proc_probe_parse_call(struct proc_probe_call *call, const char *text);

/* The next of an answer, and what follows it; NULL: there is none. */
const struct proc_probe_task *proc_probe_next(const struct reader_result *answer, size_t *at,
					      const char **cgroup, const char **stack,
					      const unsigned char **memory);

#endif
