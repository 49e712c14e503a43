/*
 * command - a program that stxtop starts and follows from its execve on.
 *
 * The child is forked first and waits on a pipe, so that probes can be opened
 * on it; command_go() lets it exec. Nothing of the child's own set-up is to be
 * shown: a source drops its calls up to the execve. One thread at a time.
 */
#ifndef PROCESS_COMMAND_H
#define PROCESS_COMMAND_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <sys/types.h>

struct command;

struct command_options {
	char *const *argv; /* NULL-terminated; argv[0] is searched in PATH */
	int input_fd; /* becomes fd 0; -1: keep */
	int output_fd; /* becomes fds 1 and 2; -1: keep */
};

/*
 * -ENOENT/-EACCES with a sentence where argv[0] is not there or not executable (found
 * before anything is forked).
 */
int command_new(struct command **command, const struct command_options *options, struct err *err);
pid_t command_pid(const struct command *command);

/* Lets it exec. If execve fails, its -errno and a sentence come back here. */
int command_go(struct command *command, struct err *err);

/* A descriptor that becomes readable when the child has ended; -1 before go. */
int command_fd(const struct command *command);
/* Without blocking: true once it has ended; then *status is an exit status as a shell's. */
bool command_ended(struct command *command, int *status);
/* Sends a signal; nothing happens once it has ended. */
void command_signal(struct command *command, int signal);
/* Does not kill a command that runs; one that never ran is ended. */
void command_free(struct command *command);

#endif
