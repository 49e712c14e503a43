#include "engine/process/file_unchanged.h"

#include "engine/base/clock.h"

#include <sys/stat.h>
#include <time.h>

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

/*
 * By the clock of the file system, which is not that of calls, and goes by ticks: what was
 * written just after the call may bear the time of the tick before it. Who is interrupted between
 * the two clocks takes the call to be older than it is, and not younger.
 */
bool file_age_changed(int fd, uint64_t since_ns)
{
	struct timespec wall, tick;
	uint64_t age_ns, now_ns;
	struct stat st;

	if (fstat(fd, &st) || clock_gettime(CLOCK_REALTIME, &wall) ||
	    clock_getres(CLOCK_REALTIME_COARSE, &tick))
		return true;
	now_ns = clock_now_ns();
	age_ns = now_ns > since_ns ? now_ns - since_ns : 0;
	return ns_of(&st.st_ctim) + ns_of(&tick) + age_ns >= ns_of(&wall);
}
