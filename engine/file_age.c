#include "engine/file_age.h"

#include "engine/base/clock.h"

#include <sys/stat.h>
#include <time.h>

/* By the clock of the file system, which is not that of calls. */
bool file_age_changed(int fd, uint64_t since_ns)
{
	uint64_t now_ns = clock_now_ns(), wall_ns;
	struct timespec wall;
	struct stat st;

	if (fstat(fd, &st) || clock_gettime(CLOCK_REALTIME, &wall))
		return true;
	wall_ns = (uint64_t)wall.tv_sec * NS_PER_S + (uint64_t)wall.tv_nsec;
	wall_ns -= now_ns > since_ns ? now_ns - since_ns : 0;
	return (uint64_t)st.st_ctim.tv_sec * NS_PER_S + (uint64_t)st.st_ctim.tv_nsec >= wall_ns;
}
