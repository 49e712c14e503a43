/*
 * syscall_events - the few system calls that a filter selects, and their tracepoints.
 *
 * An event at raw_syscalls:sys_enter runs at every call of the machine. Even if its filter drops
 * the call, it adds 90 % to the time of a call; a BPF program adds 110 %. Events at
 * syscalls:sys_enter_NAME add 25 % to all other calls, for any number of names: the kernel tests a
 * bitmap first. Measured with dd, one byte per call, on Linux 6.18. But each name takes 1 ms to
 * enable and 100 ms to disable, so only a few are used. Any thread.
 */
#ifndef PERF_SYSCALL_EVENTS_H
#define PERF_SYSCALL_EVENTS_H

#include "engine/record/kernel_filter.h"
#include "engine/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYSCALL_EVENTS_MAX 16

struct syscall_event {
	uint32_t nr;
	const char *name; /* the name in its tracepoints, after sys_enter_ and sys_exit_ */
	uint64_t enter_id, exit_id; /* of these tracepoints */
};

/*
 * The wanted calls, followed by restart_syscall if it may resume one of them. Its records only show
 * how such a call continues: the filter does not want calls of restart_syscall.
 */
struct syscall_events {
	struct syscall_event calls[SYSCALL_EVENTS_MAX + 1];
	size_t count;
	size_t wanted;
};

/*
 * Find the calls that the filter selects, from small files of tracefs. False, with no calls, if the
 * filter does not select by number, selects too many, or selects a call without complete
 * tracepoints. name: see source.h; NULL: no call has tracepoints.
 */
bool syscall_events_find(struct syscall_events *calls, const struct kernel_filter *filter,
			 syscall_event_fn *name);

/* Return the id of sys_HALF_NAME, half being "enter" or "exit"; 0 if there is none. */
uint64_t syscall_events_id(const char *half, const char *name);

/* Describe the traced calls: "all calls", "2 calls", "no calls". */
void syscall_events_say(char *out, size_t out_bytes, bool all, size_t count);

#endif
