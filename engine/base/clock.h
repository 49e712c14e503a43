/*
 * clock - CLOCK_MONOTONIC of the kernel in nanoseconds, the one clock of every record.
 *
 * In a time namespace (time_namespaces(7)) this program's own CLOCK_MONOTONIC is ahead of that or
 * behind it; perf events, BPF programs and what runs elsewhere know nothing of it. Any thread.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_US 1000ULL
#define NS_PER_MS 1000000ULL
#define NS_PER_S 1000000000ULL

/* Reads how far away this time namespace is; before there are threads. */
void clock_begin(void);
uint64_t clock_now_ns(void);
/* A moment of that clock for pthread_cond_timedwait(3), which waits by this namespace's. */
struct timespec clock_deadline(uint64_t at_ns);
/* The processor time of this thread: what something costs, however busy the machine is. */
uint64_t clock_thread_ns(void);

#endif
