/*
 * stopper - stops processes with SIGSTOP, for somebody to look at them, and lets them go on.
 *
 * A process is known by a pidfd, opened before it is made sure that its number is not another
 * one's by now. What is stopped goes on when it is resumed, when the stopper is freed, and when
 * this program is gone, however it ended: by the guard, and by the kernel itself where this
 * user is root or that of the process, so also where all processes of this program are killed.
 * What would stop this program or the machine with it is refused: the program itself, what it was
 * started from, pid 1, kernel threads. One thread at a time.
 */
#ifndef PROCESS_STOPPER_H
#define PROCESS_STOPPER_H

#include "engine/base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define STOPPER_MAX 16

struct stopper;

/* Forks the guard. */
int stopper_new(struct stopper **stopper, struct err *err);
/* All go on. NULL is fine. */
void stopper_free(struct stopper *stopper);
/* A process of this program that does nothing but wait. */
pid_t stopper_cont_guard_pid(const struct stopper *stopper);

/*
 * Stops the process that was there at at_ns (CLOCK_MONOTONIC) and had that number. A sentence
 * why not: it has ended, stands still already, may not be stopped.
 */
int stopper_stop(struct stopper *stopper, uint32_t pid, uint64_t at_ns, struct err *err);
/* Those it holds, in the order in which they were stopped. */
size_t stopper_stopped(const struct stopper *stopper, uint32_t pids[STOPPER_MAX]);
void stopper_resume(struct stopper *stopper);

#endif
