/*
 * syscall_events - the few system calls that a filter wants, and the tracepoints of each.
 *
 * What is at raw_syscalls:sys_enter happens at every call of the machine, wanted or not:
 * a perf event there that keeps nothing costs a call 0.9 of itself, a BPF program 1.1.
 * syscalls:sys_enter_NAME costs the others 0.25, as much for one name as for all, since the
 * kernel looks into a bitmap first (dd with one byte a call, Linux 6.18). But each name takes
 * a millisecond to begin and a tenth of a second to end, so this is for a few. Any thread.
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
	const char *name; /* of its tracepoints, after sys_enter_ and sys_exit_ */
	uint64_t enter_id, exit_id; /* of these */
};

/*
 * Behind those that are wanted, what tells how a call goes on that returned to be restarted:
 * restart_syscall, where one of them may be restarted by it. Nobody asked for its calls.
 */
struct syscall_events {
	struct syscall_event calls[SYSCALL_EVENTS_MAX + 1];
	size_t count;
	size_t wanted;
};

/*
 * The calls that the filter wants; false, and none, where it does not say, where they are
 * too many, or where one has no tracepoints that tell all of it. name: see source.h; NULL: of
 * no call. Reads small files of tracefs.
 */
bool syscall_events_find(struct syscall_events *calls, const struct kernel_filter *filter,
			 syscall_event_fn *name);

/* The id of sys_HALF_NAME, half being "enter" or "exit"; 0: there is none. */
uint64_t syscall_events_id(const char *half, const char *name);

/* "all calls", "2 calls", "no calls": at which ones something is. */
void syscall_events_say(char *out, size_t out_bytes, bool all, size_t count);

#endif
