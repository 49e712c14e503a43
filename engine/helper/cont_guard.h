/*
 * cont_guard - a small process that continues stopped processes when stxtop is gone.
 *
 * It holds a pidfd of each stopped process, so that a reused pid is never signalled, and waits.
 * When its socket closes, however stxtop ended, it sends SIGCONT to each process and exits. It is a
 * guard_process. If the guard is killed together with stxtop, only the kernel continues the
 * processes: see stopper.h. One thread at a time.
 */
#ifndef HELPER_CONT_GUARD_H
#define HELPER_CONT_GUARD_H

#include "engine/base/err.h"

#include <stdint.h>
#include <sys/types.h>

#define CONT_GUARD_MAX 64

struct cont_guard;

/* Forks the guard; other threads may be running. */
int cont_guard_new(struct cont_guard **cont_guard, struct err *err);
/*
 * End the guard, which continues the held processes. A guard that hangs is killed and continues
 * none, so continue and drop all processes first. NULL is allowed.
 */
void cont_guard_free(struct cont_guard *cont_guard);
pid_t cont_guard_pid(const struct cont_guard *cont_guard);

/*
 * Call before stopping the process: from then on, the guard continues it when stxtop ends. The
 * caller still owns the pidfd. 0 or -errno; on error the process must not be stopped.
 */
int cont_guard_hold(struct cont_guard *cont_guard, uint32_t pid, int pidfd);
/* Release a process that the caller has continued. */
void cont_guard_drop(struct cont_guard *cont_guard, uint32_t pid);

#endif
