#include "engine/source/proc_stack.h"

#include "engine/base/mem.h"
#include "engine/source/proc_stat.h"

#include <asm/perf_regs.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

uint32_t proc_stack_parse(uint64_t *ips, uint32_t max, const char *text,
			  const struct kernel_names *names)
{
	uint32_t count = 0;
	uint64_t address;
	size_t len;

	/* "[<0>] name+0x3c/0x70 [module]" */
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

/* As much as is mapped there, up to `bytes`. */
static uint32_t read_user(uint32_t tid, uint64_t sp, unsigned char *to, uint32_t bytes)
{
	struct iovec local = { .iov_base = to };
	uintptr_t at = (uintptr_t)sp;
	struct iovec remote;
	uint32_t got = 0, step;

	/* A read that touches one unmapped page reads nothing of it: page by page at the end. */
	while (got < bytes) {
		step = got ? 4096 : bytes;
		if (step > bytes - got)
			step = bytes - got;
		local.iov_base = to + got;
		local.iov_len = step;
		remote = (struct iovec){ .iov_base = (void *)(at + got), .iov_len = step };
		ssize_t part = process_vm_readv((pid_t)tid, &local, 1, &remote, 1, 0);
		if (part <= 0)
			break;
		got += (uint32_t)part;
		if ((uint32_t)part < step)
			break;
	}
	return got & ~7u;
}

struct proc_stack *proc_stack_read(int task_dir_fd, uint32_t tid, uint64_t sp, uint64_t pc,
				   const struct kernel_names *names, uint32_t bytes)
{
	struct proc_stack *read = mem_zalloc(1, sizeof(*read) + bytes);
	struct record_stack *stack = &read->stack;
	char path[48], text[8192];

	stack->ips = read->ips;
	snprintf(path, sizeof(path), "%u/stack", tid);
	if (proc_read_at(task_dir_fd, path, text, sizeof(text)) > 0) {
		read->ips[0] = PERF_CONTEXT_KERNEL;
		stack->count = proc_stack_parse(read->ips + 1, PROC_STACK_FRAMES, text, names);
		stack->count += stack->count > 0;
	}
	if (pc && sp) {
		read->ips[stack->count++] = PERF_CONTEXT_USER;
		read->ips[stack->count++] = pc;
		read->regs[0] = sp;
		read->regs[1] = pc;
		stack->user_stack_bytes = read_user(tid, sp, read->bytes, bytes);
	}
	if (stack->user_stack_bytes) {
		stack->user_regs = read->regs;
		stack->user_regs_mask = 1ULL << PERF_REG_X86_SP | 1ULL << PERF_REG_X86_IP;
		stack->user_stack = read->bytes;
	}
	if (stack->count)
		return read;
	free(read);
	return NULL;
}
