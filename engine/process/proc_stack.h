/*
 * proc_stack - the stack of a thread that is already blocked, without stopping it.
 *
 * The kernel part is from /proc/PID/task/TID/stack (root only). The user part is unwound from the
 * memory above the stack pointer. A reader process reads both, see proc_probe.h. Any thread.
 */
#ifndef PROCESS_PROC_STACK_H
#define PROCESS_PROC_STACK_H

#include "engine/process/kernel_names.h"
#include "engine/process/proc_probe.h"
#include "engine/record/record.h"

#define PROC_STACK_FRAMES 64
#define PROC_STACK_REGS 24 /* PERF_REG_X86_64_MAX */

/*
 * Look up the registers of a blocked thread; /proc shows only sp and pc. Fill regs[PERF_REG_X86_*]
 * and set a bit in *mask for each known register. False: no further registers are known.
 */
typedef bool blocked_regs_fn(void *ctx, uint32_t tid, uint64_t regs[PROC_STACK_REGS],
			     uint64_t *mask);

/* Which parts to read, and the sources for them. */
struct proc_stack_wants {
	const struct kernel_names *names; /* borrowed; NULL: read no stacks */
	uint32_t stack_bytes; /* bytes of user stack memory to read; 0: none */
	blocked_regs_fn *regs; /* NULL: only sp and pc are known */
	void *regs_ctx;
};

struct proc_stack {
	struct record_stack stack; /* points into the following members */
	uint64_t ips[PROC_STACK_FRAMES + 3]; /* plus two context markers and the user pc */
	uint64_t regs[PROC_STACK_REGS];
	unsigned char bytes[];
};

/*
 * From a reader's reply, build the stack of a thread that is in a call. NULL: no stack known.
 * Release with free().
 */
struct proc_stack *proc_stack_make(const struct proc_probe_task *task, const char *kernel_half,
				   const unsigned char *memory,
				   const struct proc_stack_wants *wants);

/*
 * Convert the text of /proc/PID/task/TID/stack to addresses, innermost first, at most `max`.
 * Unknown names are omitted.
 */
uint32_t proc_stack_parse(uint64_t *ips, uint32_t max, const char *text,
			  const struct kernel_names *names);

#endif
