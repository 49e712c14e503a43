/*
 * guard_process - forks a process that outlives stxtop and cleans up after it.
 *
 * SIGKILL and the OOM killer end a program without notice. A guard detects the end of stxtop by a
 * closed pipe or socket and cleans up. So the guard must survive when stxtop is killed. It has its
 * own session and blocks all signals. It has another name and command line, because killall(1) and
 * pkill(1) select by name. It stays in the cgroup of stxtop, so that a service, a session or a
 * container ends as a whole: a kill of that cgroup kills the guard too. It has only the descriptors
 * that it is given; its standard descriptors are /dev/null.
 */
#ifndef BASE_GUARD_PROCESS_H
#define BASE_GUARD_PROCESS_H

#include <stddef.h>
#include <sys/types.h>

/* In the guard, the given descriptors are numbered from here, in the given order. */
#define GUARD_PROCESS_FD 3
#define GUARD_PROCESS_FDS_MAX 4

/*
 * Fork a guard that calls run() and exits when run() returns. run() must not allocate, because
 * other threads may be running at the fork. The name has at most 15 bytes. Return the pid, or
 * -errno.
 */
pid_t guard_process_fork(const char *name, const int *fds, size_t fd_count, void (*run)(void *ctx),
			 void *ctx);

/*
 * Wait for the guard to exit, after the caller has requested the exit. A stopped guard is continued
 * first. A guard that does not exit within 100 ms is killed.
 */
void guard_process_join(pid_t pid);

#endif
