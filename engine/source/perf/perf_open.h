/*
 * perf_open - perf_event_open(2) with the attributes that all events here share.
 *
 * Every event samples the same leading fields, but for those of PERF_BARE_SAMPLE, so that
 * one ring can hold all of them (perf_decode.c relies on it). Any thread.
 */
#ifndef PERF_PERF_OPEN_H
#define PERF_PERF_OPEN_H

#include "engine/base/err.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* What an event is for; perf_decode knows its records by this. */
enum perf_kind {
	PERF_KIND_SIDEBAND, /* a dummy that carries names, mappings, births and deaths */
	PERF_KIND_ENTER, /* raw_syscalls:sys_enter */
	PERF_KIND_EXIT, /* raw_syscalls:sys_exit */
	PERF_KIND_SWITCH, /* sched:sched_switch with the stack of who leaves the CPU */
	PERF_KIND_WAKING, /* sched:sched_waking with the stack of the waker */
	/* like SWITCH, with the user's registers and stack, see perf_user_stacks.h */
	PERF_KIND_USER_STACK,
	PERF_KIND_USER_STACK_WAKING, /* like WAKING, the same */
	PERF_KIND_BARE_WAKING, /* like WAKING, without a stack, see perf_stack_limit.h */
	PERF_KIND_RUNNING, /* the CPU's clock, with the stack of who is in the kernel */
	PERF_KIND_EVENT, /* another tracepoint, see perf_tracepoints.h */
	PERF_KIND_COUNT
};

/* In every sample first, and at the end of every other record (sample_id_all). */
#define PERF_COMMON_SAMPLE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)
#define PERF_COMMON_BYTES 32

/*
 * Enters and exits carry less where that is enough: the kernel's writing of pid, tid and CPU
 * is a sixth of what watching a call costs. The ring tells the CPU and common_pid the
 * thread, whose process is known. All samples begin with the id, all others end with it.
 */
#define PERF_BARE_SAMPLE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME)
#define PERF_BARE_BYTES 16

/* What unwinding takes: PERF_REG_X86_AX to SS and R8 to R15, all but segments nobody uses. */
#define PERF_USER_REGS 0xff0fffULL

/* Disabled, CLOCK_MONOTONIC, half-full wake-ups. */
void perf_attr_side(struct perf_event_attr *attr);
void perf_attr_tracepoint(struct perf_event_attr *attr, uint64_t id, bool raw, bool callchain);
/* The same for enters and exits, with PERF_BARE_SAMPLE instead of PERF_COMMON_SAMPLE. */
void perf_attr_bare(struct perf_event_attr *attr, uint64_t id);

/* Every so many nanoseconds that somebody is in the kernel on the CPU, with a callchain. */
void perf_attr_clock(struct perf_event_attr *attr, uint64_t period_ns);

/* tid -1: all tasks. A descriptor or -errno. */
int perf_event_new(const struct perf_event_attr *attr, int32_t tid, uint32_t cpu);

/* Whether it is the kernel that answers, and not a sandbox in its place. */
bool perf_event_reaches_kernel(void);

/*
 * The sentence for a failed perf_event_open: `what` names what was to be watched,
 * system tells whether it was everything (which needs more permission). Returns code.
 */
int perf_event_error(int code, const char *what, bool system, struct err *err);

/* kernel.perf_event_paranoid, or 2 where it cannot be read. */
int perf_paranoid(void);

#endif
