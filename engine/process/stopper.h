/*
 * stopper - stops processes with SIGSTOP for inspection, and continues them.
 *
 * A process is identified by a pidfd, opened before the check that its pid was not reused. A
 * stopped process is continued on resume, when the stopper is freed, and when stxtop exits or is
 * killed. In the last two cases, the guard sends SIGCONT. The kernel sends it too, if the user of
 * stxtop is root or the user of the process. This works even if all processes of stxtop are killed.
 * Processes whose stop would also stop stxtop or the machine are refused: stxtop itself, its
 * ancestors, pid 1, kernel threads. One thread at a time.
 */
#ifndef PROCESS_STOPPER_H
#define PROCESS_STOPPER_H

#include "engine/base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define STOPPER_MAX 16

struct stopper;

/* Fork the guard. */
int stopper_new(struct stopper **stopper, struct err *err);
/* Continue all stopped processes. NULL is allowed. */
void stopper_free(struct stopper *stopper);
/* Return the pid of the guard, which only waits. */
pid_t stopper_cont_guard_pid(const struct stopper *stopper);

/*
 * Stop the process that had this pid at at_ns (CLOCK_MONOTONIC). On failure, a message with the
 * reason: it has exited, is already stopped, or must not be stopped.
 */
int stopper_stop(struct stopper *stopper, uint32_t pid, uint64_t at_ns, struct err *err);
/* Copy the pids of the stopped processes, in the order of their stops. Return the count. */
size_t stopper_stopped(const struct stopper *stopper, uint32_t pids[STOPPER_MAX]);
void stopper_resume(struct stopper *stopper);

#endif
