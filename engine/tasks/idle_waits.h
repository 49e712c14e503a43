/*
 * idle_waits - waits that nothing seems to end: those of threads that wait for work.
 *
 * A guess, for tables that may leave them out. A call is idle once it has lasted IDLE_NS in a
 * wait for events, for time, for a signal, or on a futex that is no lock's. Pure functions.
 */
#ifndef TASKS_IDLE_WAITS_H
#define TASKS_IDLE_WAITS_H

#include "engine/record/call.h"
#include "engine/record/futex_op.h"

#define IDLE_NS 10000000000ULL

/* A wait for events, for time or for a signal, which says by itself that there is no work. */
bool idle_is_kind(uint32_t nr);

/*
 * Whether the wait is one for a lock: it inherits priority, or expects 2 ("locked, with
 * waiters": mutexes of glibc, musl and Rust) or the kernel's FUTEX_WAITERS in the word. Waits for
 * conditions, semaphores and ends of threads expect other values.
 */
bool idle_futex_is_lock(const struct futex_op *op);

#endif
