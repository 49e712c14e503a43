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

#define CONT_GUARD_MAX 64

struct cont_guard;

/* Forks; threads may be running. */
int cont_guard_new(struct cont_guard **cont_guard, struct err *err);
/*
 * Continues what is held, and ends it. Where it does not answer it is killed, so what is held is
 * better let go before. NULL is fine.
 */
void cont_guard_free(struct cont_guard *cont_guard);
pid_t cont_guard_pid(const struct cont_guard *cont_guard);

/*
 * Before the process is stopped: from then on it is continued in the end. The caller keeps its
 * pidfd. 0 or -errno: then nothing must be stopped.
 */
int cont_guard_hold(struct cont_guard *cont_guard, uint32_t pid, int pidfd);
/* It goes on already. */
void cont_guard_drop(struct cont_guard *cont_guard, uint32_t pid);

#endif
