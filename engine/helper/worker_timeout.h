/*
 * worker_timeout - how long a worker may take over one question.
 *
 * One second, if it spent that second computing, or hangs: it was stopped, or waits for
 * something that need not come. A worker that could not run, because the machine is busy
 * or its disk slow, is waited for longer, or a file would be blamed for what others do.
 * Clocks of processes tell which (clock_getcpuclockid(3)), and /proc/PID/stat. For a recording,
 * which says the same however busy the machine is, only what it computes counts. Any thread.
 */
#ifndef HELPER_WORKER_TIMEOUT_H
#define HELPER_WORKER_TIMEOUT_H

#include "engine/base/clock.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define WORKER_TIMEOUT_NS NS_PER_S
#define WORKER_TIMEOUT_CPU_NS (800 * NS_PER_MS) /* of that second: it computed all the time */
#define WORKER_TIMEOUT_MAX_NS (5 * NS_PER_S)
#define WORKER_TIMEOUT_TURN_NS (30 * NS_PER_S) /* for a processor, of which it had little */
#define WORKER_TIMEOUT_CPU_RECORDED_NS (5 * NS_PER_S)

struct worker_timeout {
	pid_t pid;
	bool recorded; /* it is about a recording */
	uint64_t asked_ns, asked_cpu_ns;
};

/* The question is about to be asked. */
void worker_timeout_begin(struct worker_timeout *worker_timeout, pid_t pid, bool recorded);
/* Whether an answer may still come. */
bool worker_timeout_lasts(const struct worker_timeout *worker_timeout);
/* How long to wait until it is worth to look again, at most. */
int worker_timeout_wait_ms(const struct worker_timeout *worker_timeout);

/* The rule alone: since the question was asked, and the state of /proc/PID/stat, 0: unknown. */
bool worker_timeout_allows(bool recorded, uint64_t wall_ns, uint64_t cpu_ns, char state);

#endif
