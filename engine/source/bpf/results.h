/*
 * results - what the kernel returns from a call. Part of stxtop.bpf.c.
 */
#ifndef BPF_RESULTS_H
#define BPF_RESULTS_H

#include <linux/bpf.h> /* first: libbpf's headers need its types */

#include <bpf/bpf_helpers.h>
#include <stdbool.h>

/* Results of a call that is to be restarted, or not (include/linux/errno.h of the kernel). */
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
