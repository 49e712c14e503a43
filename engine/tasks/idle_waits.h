/*
 * idle_waits - detects waits of threads that have no work.
 *
 * A guess, for tables that can hide idle waits. In an idle wait, which lasts at least IDLE_NS, the
 * thread waits for events, time or a signal, or on a futex that is not a lock. Pure functions.
 */
#ifndef TASKS_IDLE_WAITS_H
#define TASKS_IDLE_WAITS_H

#include "engine/record/call.h"
#include "engine/record/futex_op.h"

#define IDLE_NS 10000000000ULL

/* True for system calls that wait for events, for time or for a signal. */
bool idle_is_kind(uint32_t nr);

/*
 * True if the wait is for a lock: priority inheritance, an expected value of 2, or FUTEX_WAITERS in
 * the expected value. 2 means "locked, with waiters" in mutexes of glibc, musl and Rust. Waits for
 * conditions, semaphores and thread exits expect other values.
 */
bool idle_futex_is_lock(const struct futex_op *op);

#endif
