/* results - return values of system calls inside the kernel. Part of stxtop.bpf.c. */
#ifndef BPF_RESULTS_H
#define BPF_RESULTS_H

#include <linux/bpf.h> /* first: libbpf's headers need its types */

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

/* Results of an interrupted call that may be restarted (include/linux/errno.h of the kernel). */
#define RESTARTSYS (-512)
#define RESTARTNOINTR (-513)
#define RESTARTNOHAND (-514)
#define RESTART_RESTARTBLOCK (-516)

static __always_inline bool failed(long ret)
{
	return (unsigned long)ret >= (unsigned long)-4095L;
}

static __always_inline bool restarts(long ret)
{
	return ret == RESTARTSYS || ret == RESTARTNOINTR || ret == RESTARTNOHAND ||
	       ret == RESTART_RESTARTBLOCK;
}

#endif
