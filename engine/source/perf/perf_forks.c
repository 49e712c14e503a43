#include "engine/source/perf/perf_forks.h"

#include "engine/base/mem.h"
#include "engine/process/proc_stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* False if the thread has exited or /proc hides it. */
static bool read_thread(uint32_t tid, struct proc_stat *stat)
{
	char path[32];

	/* /proc/TID/stat would have the sums of the process. */
	snprintf(path, sizeof(path), "/proc/%u/task/%u/stat", tid, tid);
	return proc_stat_read(stat, AT_FDCWD, path);
}

static bool may_fork(const struct proc_stat *stat)
{
	return stat->state == 'R' || stat->state == 'D';
}

/* Return PERF_FORK_CPU_NS in ticks, plus one, as both readings are rounded. */
static uint64_t ticks_of_fork(void)
{
	return PERF_FORK_CPU_NS * (uint64_t)sysconf(_SC_CLK_TCK) / NS_PER_S + 1;
}

void perf_forks_release(struct perf_forks *forks)
{
	free(forks->forks);
	*forks = (struct perf_forks)PERF_FORKS_INIT;
}

void perf_forks_note(struct perf_forks *forks, uint32_t tid)
{
	struct proc_stat stat;

	if (!read_thread(tid, &stat) || !may_fork(&stat))
		return;
	forks->forks = mem_grow(forks->forks, &forks->capacity, forks->count + 1,
				sizeof(*forks->forks));
	forks->forks[forks->count++] = (struct perf_fork){ tid, stat.started, stat.cpu_ticks };
}

bool perf_forks_pending(struct perf_forks *forks)
{
	uint64_t most = ticks_of_fork();
	struct proc_stat stat;
	size_t kept = 0;

	for (size_t i = 0; i < forks->count; i++) {
		const struct perf_fork *fork = &forks->forks[i];

		if (read_thread(fork->tid, &stat) && stat.started == fork->started &&
		    may_fork(&stat) && stat.cpu_ticks - fork->cpu_ticks < most)
			forks->forks[kept++] = *fork;
	}
	forks->count = kept;
	return kept > 0;
}
