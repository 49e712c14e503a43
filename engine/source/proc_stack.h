/*
 * proc_stack - where a thread waits that is blocked already, without stopping it.
 *
 * The kernel's half is from /proc/PID/task/TID/stack (root only), the user's half
 * is the memory above its stack pointer, to be unwound. Some ten microseconds each. Any
 * thread.
 */
#ifndef SOURCE_PROC_STACK_H
#define SOURCE_PROC_STACK_H

#include "engine/model/record.h"
#include "engine/source/kernel_names.h"

#define PROC_STACK_FRAMES 64

struct proc_stack {
	struct record_stack stack; /* points into the rest */
	uint64_t ips[PROC_STACK_FRAMES + 3]; /* and two context markers and the user's pc */
	uint64_t regs[2];
	unsigned char bytes[];
};

/* task_dir_fd: /proc/PID/task. bytes: of user stack, 0 none. NULL: nothing is known; free(). */
struct proc_stack *proc_stack_read(int task_dir_fd, uint32_t tid, uint64_t sp, uint64_t pc,
				   const struct kernel_names *names, uint32_t bytes);

/* The text of that file as addresses, innermost first; at most max. Names unknown are left out. */
uint32_t proc_stack_parse(uint64_t *ips, uint32_t max, const char *text,
			  const struct kernel_names *names);

#endif
