/*
 * proc_stack - where a thread waits that is blocked already, without stopping it.
 *
 * The kernel's half is from /proc/PID/task/TID/stack (root only), the user's half
 * is the memory above its stack pointer, to be unwound: a reader's process read both, see
 * proc_probe.h. Any thread.
 */
#ifndef PROCESS_PROC_STACK_H
#define PROCESS_PROC_STACK_H

#include "engine/process/kernel_names.h"
#include "engine/process/proc_probe.h"
#include "engine/record/record.h"

#define PROC_STACK_FRAMES 64
#define PROC_STACK_REGS 24 /* PERF_REG_X86_64_MAX */

/*
 * Registers of a blocked thread, of which /proc tells two: false where nobody knows more.
 * regs[PERF_REG_X86_*], with a bit in *mask for each that is known.
 */
typedef bool blocked_regs_fn(void *ctx, uint32_t tid, uint64_t regs[PROC_STACK_REGS],
			     uint64_t *mask);

/* What is read, and by what. */
struct proc_stack_wants {
	const struct kernel_names *names; /* borrowed; NULL: stacks are not wanted at all */
	uint32_t stack_bytes; /* of the user's; 0: none */
	blocked_regs_fn *regs; /* NULL: sp and pc are all that is known */
	void *regs_ctx;
};

struct proc_stack {
	struct record_stack stack; /* points into the rest */
	uint64_t ips[PROC_STACK_FRAMES + 3]; /* and two context markers and the user's pc */
	uint64_t regs[PROC_STACK_REGS];
	unsigned char bytes[];
};

/* Of what was read of a thread that is in a call. NULL: nothing is known; free(). */
struct proc_stack *proc_stack_make(const struct proc_probe_task *task, const char *kernel_half,
				   const unsigned char *memory,
				   const struct proc_stack_wants *wants);

/* The text of that file as addresses, innermost first; at most max. Names unknown are left out. */
uint32_t proc_stack_parse(uint64_t *ips, uint32_t max, const char *text,
			  const struct kernel_names *names);

#endif
