#include "engine/process/proc_stack.h"

#include "engine/base/mem.h"

#include <asm/perf_regs.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(PROC_STACK_REGS == PERF_REG_X86_64_MAX, "all registers but those for vectors");

uint32_t proc_stack_parse(uint64_t *ips, uint32_t max, const char *text,
			  const struct kernel_names *names)
{
	uint32_t count = 0;
	uint64_t address;
	size_t len;

	/* Format: "[<0>] name+0x3c/0x70 [module]" */
	while (count < max && (text = strstr(text, "[<"))) {
		text += strcspn(text, "]\n");
		if (strncmp(text, "] ", 2))
			continue;
		text += 2;
		len = strcspn(text, "+\n");
		if (text[len] != '+')
			continue;
		address = kernel_names_find(names, text, len);
		if (address)
			ips[count++] = address + strtoull(text + len + 1, NULL, 16);
		text += len;
	}
	return count;
}

/*
 * Store the known registers in the order of perf. Use the result of wants->regs only if its sp and
 * pc match: then all registers are from the same moment.
 */
static void take_regs(struct proc_stack *read, uint32_t tid, uint64_t sp, uint64_t pc,
		      const struct proc_stack_wants *wants)
{
	uint64_t regs[PROC_STACK_REGS], mask = 0;
	const uint64_t reported = 1ULL << PERF_REG_X86_SP | 1ULL << PERF_REG_X86_IP;
	unsigned int count = 0;

	if (!wants->regs || !wants->regs(wants->regs_ctx, tid, regs, &mask) ||
	    (mask & reported) != reported || regs[PERF_REG_X86_SP] != sp ||
	    regs[PERF_REG_X86_IP] != pc)
		mask = reported;
	regs[PERF_REG_X86_SP] = sp;
	regs[PERF_REG_X86_IP] = pc;
	for (unsigned int i = 0; i < PROC_STACK_REGS; i++)
		if (mask >> i & 1)
			read->regs[count++] = regs[i];
	read->stack.user_regs = read->regs;
	read->stack.user_regs_mask = mask & ((1ULL << PROC_STACK_REGS) - 1);
}

struct proc_stack *proc_stack_make(const struct proc_probe_task *task, const char *kernel_half,
				   const unsigned char *memory,
				   const struct proc_stack_wants *wants)
{
	struct proc_stack *read = mem_zalloc(1, sizeof(*read) + task->memory_bytes);
	struct record_stack *stack = &read->stack;
	uint64_t sp = task->call.sp, pc = task->call.pc;

	stack->ips = read->ips;
	stack->kernel_denied = task->stack_denied;
	if (task->stack_bytes) {
		read->ips[0] = PERF_CONTEXT_KERNEL;
		stack->count = proc_stack_parse(read->ips + 1, PROC_STACK_FRAMES, kernel_half,
						wants->names);
		stack->cut = stack->count == PROC_STACK_FRAMES ? STACK_CUT_KERNEL : 0;
		stack->count += stack->count > 0;
	}
	if (pc && sp) {
		read->ips[stack->count++] = PERF_CONTEXT_USER;
		read->ips[stack->count++] = pc;
		stack->cut |= STACK_CUT_USER; /* only unwinding finds the callers of pc */
		stack->user_stack_bytes = task->memory_bytes;
		memcpy(read->bytes, memory, task->memory_bytes);
	}
	if (stack->user_stack_bytes) {
		take_regs(read, task->stat.tid, sp, pc, wants);
		stack->user_stack = read->bytes;
	}
	if (stack->count)
		return read;
	free(read);
	return NULL;
}
