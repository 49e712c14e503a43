/*
 * deferred_close - closes descriptors whose release is slow, without waiting for it.
 *
 * The kernel detaches a program or the last event from a tracepoint only after it has waited for
 * every CPU: 20 to 50 ms each, one after the other, even at process exit. While stxtop runs,
 * threads do this (bpf_plan.h, perf_closer.h). At its end a shell or a script waits, so the kernel
 * gets the descriptors: they are sent into a socket that is sent into itself. The kernel finds this
 * cycle unreachable and collects it (unix(7)), from Linux 6.9 on in a kernel thread; older kernels
 * block here.
 */
#ifndef PERF_DEFERRED_CLOSE_H
#define PERF_DEFERRED_CLOSE_H

#include <stddef.h>

/*
 * Close descriptors. The objects behind them live on for a while. Release other references, such as
 * mappings, first. Any thread.
 */
void deferred_close(const int *fds, size_t count);

#endif
