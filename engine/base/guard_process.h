/*
 * guard_process - a forked process that outlives this one, to undo what it left behind.
 *
 * The kernel ends a program without a word: SIGKILL, the OOM killer. A guard waits for that end,
 * which a pipe or a socket tells it, and puts things right. So it must not end with the program:
 * it is in a session of its own, blocks all signals, has another name and command line (what
 * ends all of a name ends programs of that name), and, where this user may, is in the topmost
 * cgroup and no choice of the OOM killer. It has no descriptors but those that it is given, and
 * /dev/null as its standard ones.
 */
#ifndef BASE_GUARD_PROCESS_H
#define BASE_GUARD_PROCESS_H

#include <stddef.h>
#include <sys/types.h>

/* Descriptors given to it are these, in the order given. */
#define GUARD_PROCESS_FD 3
#define GUARD_PROCESS_FDS_MAX 4

/*
 * Forks; threads may be running, so run() must not allocate. The guard ends when it returns.
 * The name has at most 15 bytes. The pid, or -errno.
 */
pid_t guard_process_fork(const char *name, const int *fds, size_t fd_count, void (*run)(void *ctx),
			 void *ctx);

/*
 * Waits for its end, which the caller has asked for. A guard that was stopped is continued for
 * that; one that does not end within a moment is killed.
 */
void guard_process_join(pid_t pid);

#endif
