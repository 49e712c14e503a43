/*
 * pipe_drain - keeps the writers of a pipe alive after stxtop has ended.
 *
 * A write to a pipe without a reader kills the writer (SIGPIPE). The descendants of a command can
 * outlive stxtop, which reads their output. So a guard_process holds the read end, reads nothing
 * while stxtop runs, and afterwards discards the output until the last writer has closed the pipe.
 */
#ifndef APP_PIPE_DRAIN_H
#define APP_PIPE_DRAIN_H

#include <stdbool.h>

/*
 * Fork the guard. Return a descriptor, or -errno. The guard reads the pipe once that descriptor is
 * closed, at the latest when stxtop ends; until then, the caller reads. Call before the fork of any
 * process that stays and inherits descriptors.
 */
int pipe_drain_new(int pipe_fd);

/* True if a process can still write to the pipe; `pipe_fd` is the read end. */
bool pipe_drain_is_needed(int pipe_fd);

#endif
