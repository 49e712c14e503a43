#include "engine/helper/worker_timeout.h"

#include "engine/helper/process_state.h"

#include <time.h>

#define LOOK_MS 100 /* how often, once the first second is over */

/* 0 if it cannot be known. */
static uint64_t cpu_ns_of(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) < 0)
		return 0;
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

void patience_begin(struct patience *patience, pid_t pid, bool recorded)
{
	patience->pid = pid;
	patience->recorded = recorded;
	patience->asked_ns = clock_now_ns();
	patience->asked_cpu_ns = cpu_ns_of(pid);
}

bool patience_allows(bool recorded, uint64_t wall_ns, uint64_t cpu_ns, char state)
{
	if (wall_ns < PATIENCE_NS)
		return true;
	if (cpu_ns >= (recorded ? PATIENCE_CPU_RECORDED_NS : PATIENCE_CPU_NS))
		return false;
	if ((!recorded || !state) && wall_ns >= (state == 'R' ? PATIENCE_TURN_NS : PATIENCE_MAX_NS))
		return false;
	/* It waits for its turn, or for a disk. */
	return state == 'R' || state == 'D' || state == 0;
}

bool patience_lasts(const struct patience *patience)
{
	uint64_t wall_ns = clock_now_ns() - patience->asked_ns;

	if (wall_ns < PATIENCE_NS)
		return true;
	return patience_allows(patience->recorded, wall_ns,
			       cpu_ns_of(patience->pid) - patience->asked_cpu_ns,
			       process_state(patience->pid));
}

int patience_wait_ms(const struct patience *patience)
{
	uint64_t wall_ns = clock_now_ns() - patience->asked_ns;

	if (wall_ns >= PATIENCE_NS)
		return LOOK_MS;
	return (int)((PATIENCE_NS - wall_ns) / NS_PER_MS) + 1;
}
