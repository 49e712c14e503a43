/*
 * perf_singles - events for a few system calls alone.
 *
 * With raw_syscalls:sys_enter, a condition on the number is tested at every call of the
 * machine, after its record was made: a call that nobody wants costs as much as 0.9 of itself
 * (dd with one byte a call, Linux 6.18). syscalls:sys_enter_NAME costs the others 0.1, as the
 * kernel looks into a bitmap first. But each call wanted needs events of its own on each
 * CPU, so this pays for a few. Their records have the layout of struct
 * syscall_trace_enter and syscall_trace_exit (include/trace/syscall.h of the kernel): the
 * number, then as many arguments as the call has, or the result.
 * The source's thread; prepare may be on another one.
 */
#ifndef SOURCE_PERF_SINGLES_H
#define SOURCE_PERF_SINGLES_H

#include "engine/filter/kernel_filter.h"
#include "engine/source/perf_decode.h"
#include "engine/source/perf_probes.h"
#include "engine/source/source.h"

#define PERF_SINGLES_MAX 16 /* more cost more than a condition */

struct perf_singles {
	struct perf_recipe recipes[PERF_SINGLES_MAX];
	size_t count; /* 0: raw_syscalls it is */
};

/* Whether the filter is about few enough calls, as far as it tells. */
bool perf_singles_suit(const struct kernel_filter *filter);

/*
 * The events for the calls that the filter wants; count is 0 if these are too many, or one of
 * them has no events that tell all of it. name: of a call's events, see source.h.
 */
void perf_singles_prepare(struct perf_singles *singles, const struct kernel_filter *filter,
			  syscall_event_fn *name, struct perf_decode *decode);

#endif
