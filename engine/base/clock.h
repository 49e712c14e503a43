/* clock - CLOCK_MONOTONIC in nanoseconds, the one clock of every record. Any thread. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_US 1000ULL
#define NS_PER_MS 1000000ULL
#define NS_PER_S 1000000000ULL

uint64_t clock_now_ns(void);
/* The processor time of this thread: what something costs, however busy the machine is. */
uint64_t clock_thread_ns(void);

#endif
