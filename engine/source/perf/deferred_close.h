/*
 * deferred_close - closes descriptors whose release is slow, without waiting for it.
 *
 * Before the kernel detaches a program or the last event from a tracepoint, it waits for every CPU.
 * This takes 20 to 50 ms per descriptor, one after the other, even at process exit. While stxtop
 * runs, threads close such descriptors (bpf_plan.h, perf_closer.h). When stxtop exits, a shell or
 * script waits for it. So the descriptors are sent into a socket, and that socket is sent into
 * itself. The kernel collects this unreachable cycle (unix(7)), since Linux 6.9 in a kernel thread;
 * older kernels block the caller.
 */
#ifndef PERF_DEFERRED_CLOSE_H
#define PERF_DEFERRED_CLOSE_H

#include <stddef.h>

/*
 * Close descriptors. The kernel releases their objects a little later. Release other references,
 * such as mappings, first. Any thread.
 */
void deferred_close(const int *fds, size_t count);

#endif
