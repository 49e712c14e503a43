#include "engine/process/file_unchanged.h"

#include "engine/base/clock.h"

#include <sys/stat.h>
#include <time.h>

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

/*
 * File times use the coarse clock of the file system, which advances by ticks. A write just after
 * the call may therefore carry the time of the previous tick. If this thread is preempted between
 * the two clock reads, the call appears older: an unchanged file can count as changed.
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
