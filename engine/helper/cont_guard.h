/*
 * cont_guard - a small process that lets stopped processes go on when this one is gone.
 *
 * It holds their pidfds, which nobody else's number can take the place of, and waits. When the
 * socket to it closes, however this program ended, it sends each of them SIGCONT and
 * ends: a guard_process. Where that is killed with this program, stopper.h's sockets are left.
 * One thread at a time.
 */
#ifndef HELPER_CONT_GUARD_H
#define HELPER_CONT_GUARD_H

#include "engine/base/err.h"

#include <stdint.h>
#include <sys/types.h>

#define KEEPER_MAX 64

struct keeper;

/* Forks; threads may be running. */
int keeper_new(struct keeper **keeper, struct err *err);
/*
 * Continues what is held, and ends it. Where it does not answer it is killed, so what is held is
 * better let go before. NULL is fine.
 */
void keeper_free(struct keeper *keeper);
pid_t keeper_pid(const struct keeper *keeper);

/*
 * Before the process is stopped: from then on it is continued in the end. The caller keeps its
 * pidfd. 0 or -errno: then nothing must be stopped.
 */
int keeper_hold(struct keeper *keeper, uint32_t pid, int pidfd);
/* It goes on already. */
void keeper_drop(struct keeper *keeper, uint32_t pid);

#endif
