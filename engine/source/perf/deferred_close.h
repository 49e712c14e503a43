/*
 * deferred_close - descriptors that take long to close, and nobody waits for.
 *
 * The kernel takes a program or the last event from a tracepoint only after waiting for every
 * CPU, 20 to 50 ms for each, one after the other, also where the process just ends. While
 * stxtop runs that is for threads (bpf_plan.h, perf_closer.h); at its end, when a shell
 * or a script waits for it, it is left to the kernel's own threads: the descriptors are put into
 * a socket that holds itself, which the kernel finds to be nobody's and throws away (unix(7)).
 * From Linux 6.9 a thread of the kernel does that; before, it takes its time here.
 */
#ifndef PERF_DEFERRED_CLOSE_H
#define PERF_DEFERRED_CLOSE_H

#include <stddef.h>

/*
 * Closes them: at once, but what they stand for goes on for a while. What else holds that, as a
 * mapping, must be gone before. Any thread.
 */
void deferred_close(const int *fds, size_t count);

#endif
