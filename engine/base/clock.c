#include "engine/base/clock.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* This namespace's CLOCK_MONOTONIC minus the kernel's; constant once there are threads. */
static int64_t offset_ns;

static uint64_t read_clock(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * True if timens_offsets describes the namespace of this process. The file shows the offsets of
 * future children, which differ after unshare(2) until the next exec.
 */
static bool has_own_offsets(void)
{
	char own[64] = "", children[64] = "";

	return readlink("/proc/self/ns/time", own, sizeof(own) - 1) > 0 &&
	       readlink("/proc/self/ns/time_for_children", children, sizeof(children) - 1) > 0 &&
	       !strcmp(own, children);
}

void clock_begin(void)
{
	FILE *file = has_own_offsets() ? fopen("/proc/self/timens_offsets", "re") : NULL;
	int64_t seconds, nanoseconds;

	if (!file)
		return;
	if (fscanf(file, "monotonic %" SCNd64 " %" SCNd64, &seconds, &nanoseconds) == 2)
		offset_ns = seconds * (int64_t)NS_PER_S + nanoseconds;
	fclose(file);
}

uint64_t clock_now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC) - (uint64_t)offset_ns;
}

struct timespec clock_deadline(uint64_t at_ns)
{
	at_ns += (uint64_t)offset_ns;
	return (struct timespec){ (time_t)(at_ns / NS_PER_S), (long)(at_ns % NS_PER_S) };
}

uint64_t clock_thread_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
