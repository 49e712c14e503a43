/*
 * worker_timeout - the time limit of a worker for one request.
 *
 * The limit is one second if the worker spent that second computing, or hangs: it is stopped, or
 * sleeps in a wait that may never end. A worker that could not run, because the machine is busy or
 * the disk slow, gets more time; otherwise a file would be blamed for the load of other tasks. The
 * CPU clock of the process (clock_getcpuclockid(3)) and /proc/PID/stat distinguish these cases. For
 * a recording, a worker that does not hang is limited by CPU time alone, so that the result does
 * not depend on the load of the machine. Any thread.
 */
#ifndef HELPER_WORKER_TIMEOUT_H
#define HELPER_WORKER_TIMEOUT_H

#include "engine/base/clock.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define WORKER_TIMEOUT_NS NS_PER_S
#define WORKER_TIMEOUT_CPU_NS (800 * NS_PER_MS) /* counts as one second of computing */
#define WORKER_TIMEOUT_MAX_NS (5 * NS_PER_S)
#define WORKER_TIMEOUT_TURN_NS (30 * NS_PER_S) /* limit if runnable with little CPU time */
#define WORKER_TIMEOUT_CPU_RECORDED_NS (5 * NS_PER_S)

struct worker_timeout {
	pid_t pid;
	bool recorded; /* the request concerns a recording */
	uint64_t asked_ns, asked_cpu_ns;
};

/* Call just before sending the request. */
void worker_timeout_begin(struct worker_timeout *worker_timeout, pid_t pid, bool recorded);
/* True if a reply can still come. */
bool worker_timeout_lasts(const struct worker_timeout *worker_timeout);
/* Return the longest useful wait before the next check. */
int worker_timeout_wait_ms(const struct worker_timeout *worker_timeout);

/* Apply the rule to given times since the request; state as in /proc/PID/stat, 0: unknown. */
bool worker_timeout_allows(bool recorded, uint64_t wall_ns, uint64_t cpu_ns, char state);

#endif
