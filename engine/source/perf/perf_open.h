/*
 * perf_open - perf_event_open(2) with the attributes that all events share.
 *
 * Every sample begins with PERF_COMMON_SAMPLE or PERF_BARE_SAMPLE, so that perf_decode.c can read
 * all events from one ring. Any thread.
 */
#ifndef PERF_PERF_OPEN_H
#define PERF_PERF_OPEN_H

#include "engine/base/err.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* Purpose of an event; decides how perf_decode decodes its records. */
enum perf_kind {
	PERF_KIND_SIDEBAND, /* dummy event: COMM, MMAP2, FORK and EXIT records */
	PERF_KIND_ENTER, /* raw_syscalls:sys_enter */
	PERF_KIND_EXIT, /* raw_syscalls:sys_exit */
	PERF_KIND_SWITCH, /* sched:sched_switch with the stack of the task switched out */
	PERF_KIND_WAKING, /* sched:sched_waking with the stack of the waker */
	/* like SWITCH, with user registers and user stack, see perf_user_stacks.h */
	PERF_KIND_USER_STACK,
	PERF_KIND_USER_STACK_WAKING, /* like WAKING, with user registers and user stack */
	PERF_KIND_BARE_WAKING, /* like WAKING, without a stack, see perf_stack_limit.h */
	PERF_KIND_RUNNING, /* CPU clock, with the stack of a task that runs in the kernel */
	PERF_KIND_MOVE, /* cgroup:cgroup_attach_task, see perf_moves.h */
	PERF_KIND_EVENT, /* another tracepoint (-E), see perf_tracepoints.h */
	PERF_KIND_COUNT
};

/* Fields at the start of every sample and at the end of every other record (sample_id_all). */
#define PERF_COMMON_SAMPLE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)
#define PERF_COMMON_BYTES 32

/*
 * Enters and exits carry fewer fields where possible: writing pid, tid and CPU is a sixth of the
 * cost of tracing a call. The ring implies the CPU, and common_pid the thread, whose process is
 * known. All samples begin with the id, all other records end with it.
 */
#define PERF_BARE_SAMPLE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME)
#define PERF_BARE_BYTES 16

/* Registers for unwinding: PERF_REG_X86_AX to SS and R8 to R15, without the segments DS to GS. */
#define PERF_USER_REGS 0xff0fffULL

/* Fill in the attributes of an event: disabled, CLOCK_MONOTONIC, wakeups by watermark. */
void perf_attr_side(struct perf_event_attr *attr);
void perf_attr_tracepoint(struct perf_event_attr *attr, uint64_t id, bool raw, bool callchain);
/* perf_attr_tracepoint() for enters and exits: PERF_BARE_SAMPLE instead of PERF_COMMON_SAMPLE. */
void perf_attr_bare(struct perf_event_attr *attr, uint64_t id);

/* Sample the callchain every period_ns while the CPU is in the kernel and not idle. */
void perf_attr_clock(struct perf_event_attr *attr, uint64_t period_ns);

/* Open an event. tid -1: all tasks. Return a descriptor or -errno. */
int perf_event_new(const struct perf_event_attr *attr, int32_t tid, uint32_t cpu);

/* True if calls of perf_event_open(2) reach the kernel, false if a seccomp filter rejects them. */
bool perf_event_reaches_kernel(void);

/*
 * Set the message for a failed perf_event_open and return `code`. what: the target. system: the
 * target is the whole system, which needs more permission.
 */
int perf_event_error(int code, const char *what, bool system, struct err *err);

/* Return kernel.perf_event_paranoid; 2 if it is not readable. */
int perf_paranoid(void);
/* Return kernel.perf_event_max_stack; PERF_MAX_STACK_DEPTH if it cannot be read. */
uint32_t perf_max_stack(void);

#endif
