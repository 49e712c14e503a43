#include "engine/helper/worker_timeout.h"

#include "engine/helper/process_state.h"

#include <time.h>

#define LOOK_MS 100 /* interval of the checks after the first second */

/* Return the CPU time; 0: unknown. */
static uint64_t cpu_ns_of(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) < 0)
		return 0;
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

void worker_timeout_begin(struct worker_timeout *worker_timeout, pid_t pid, bool recorded)
{
	worker_timeout->pid = pid;
	worker_timeout->recorded = recorded;
	worker_timeout->asked_ns = clock_now_ns();
	worker_timeout->asked_cpu_ns = cpu_ns_of(pid);
}

bool worker_timeout_allows(bool recorded, uint64_t wall_ns, uint64_t cpu_ns, char state)
{
	if (wall_ns < WORKER_TIMEOUT_NS)
		return true;
	if (cpu_ns >= (recorded ? WORKER_TIMEOUT_CPU_RECORDED_NS : WORKER_TIMEOUT_CPU_NS))
		return false;
	if ((!recorded || !state) &&
	    wall_ns >= (state == 'R' ? WORKER_TIMEOUT_TURN_NS : WORKER_TIMEOUT_MAX_NS))
		return false;
	/* Waiting for a CPU or for a disk; 0: unknown. */
	return state == 'R' || state == 'D' || state == 0;
}

bool worker_timeout_lasts(const struct worker_timeout *worker_timeout)
{
	uint64_t wall_ns = clock_now_ns() - worker_timeout->asked_ns;

	if (wall_ns < WORKER_TIMEOUT_NS)
		return true;
	return worker_timeout_allows(worker_timeout->recorded, wall_ns,
				     cpu_ns_of(worker_timeout->pid) - worker_timeout->asked_cpu_ns,
				     process_state(worker_timeout->pid));
}

int worker_timeout_wait_ms(const struct worker_timeout *worker_timeout)
{
	uint64_t wall_ns = clock_now_ns() - worker_timeout->asked_ns;

	if (wall_ns >= WORKER_TIMEOUT_NS)
		return LOOK_MS;
	return (int)((WORKER_TIMEOUT_NS - wall_ns) / NS_PER_MS) + 1;
}
