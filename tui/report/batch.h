/*
 * batch - runs without the interface: prints calls as they finish, then the summary.
 *
 * The run ends when COMMAND or all targets have exited, after -n or --for, on SIGINT, SIGTERM or
 * SIGHUP, or when the reader of the output closes its end. The calls collected until then are
 * written in every case. Main thread.
 */
#ifndef REPORT_BATCH_H
#define REPORT_BATCH_H

#include "engine/base/err.h"
#include "engine/engine.h"
#include "engine/process/command.h"
#include "tui/config/options.h"

/*
 * Start the engine and COMMAND (NULL: none) and run to the end. 0, or -errno with a message. The
 * command can still be running on return: after -n, --for or a signal.
 */
int batch_run(struct engine *engine, const struct options *options, struct command *command,
	      struct err *err);

/*
 * Wait, no longer tracing, until the command exits. Return its exit status; 1 if it never started.
 * Signals are forwarded to the command; the second one ends the wait with 128 + its number.
 */
int batch_wait_command(struct command *command);

#endif
