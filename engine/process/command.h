/*
 * command - a program that stxtop starts and traces, beginning with its execve.
 *
 * The child is forked first and waits on a pipe, so that events can be opened on it. command_go()
 * lets the child exec. The source drops calls of the child before the execve, as they belong to its
 * set-up. One thread at a time.
 */
#ifndef PROCESS_COMMAND_H
#define PROCESS_COMMAND_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <sys/types.h>

struct command;

struct command_options {
	char *const *argv; /* NULL-terminated; argv[0] is searched in PATH */
	int input_fd; /* becomes fd 0; -1: inherit */
	int output_fd; /* becomes fds 1 and 2; -1: inherit */
};

/*
 * Fork the child. -ENOENT or -EACCES with a message if argv[0] is missing or not executable; both
 * are detected before the fork.
 */
int command_new(struct command **command, const struct command_options *options, struct err *err);
pid_t command_pid(const struct command *command);

/* Let the child exec. If execve fails, return its -errno with a message. */
int command_go(struct command *command, struct err *err);

/* A descriptor that becomes readable when the child has exited; -1 before command_go(). */
int command_fd(const struct command *command);
/* True once the child has exited; *status is then an exit status as in a shell. Never blocks. */
bool command_ended(struct command *command, int *status);
/* Send a signal; no effect after the child has exited. */
void command_signal(struct command *command, int signal);
/* Leave a running command running; end a child that never reached execve. */
void command_free(struct command *command);

#endif
