/*
 * clock - CLOCK_MONOTONIC of the kernel in nanoseconds, the clock of all records.
 *
 * In a time namespace (time_namespaces(7)), CLOCK_MONOTONIC of stxtop has an offset to the kernel's
 * clock. Perf events, BPF programs and other namespaces lack this offset: clock_now_ns() subtracts
 * it. Any thread.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_US 1000ULL
#define NS_PER_MS 1000000ULL
#define NS_PER_S 1000000000ULL

/* Read the offset of this time namespace. Call it before threads are created. */
void clock_begin(void);
uint64_t clock_now_ns(void);
/* Convert a time of this clock to the clock of the namespace, for pthread_cond_timedwait(3). */
struct timespec clock_deadline(uint64_t at_ns);
/* Return the CPU time of this thread: the cost of work, independent of machine load. */
uint64_t clock_thread_ns(void);

#endif
