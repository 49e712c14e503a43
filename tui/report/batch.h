/*
 * batch - a run without the interface: lines as calls finish, then the summary.
 *
 * Ends when COMMAND or all the targets have ended, after -n or --for, on SIGINT,
 * SIGTERM or SIGHUP, or when its reader went away; what was seen until then is
 * written in every case. Main thread.
 */
#ifndef REPORT_BATCH_H
#define REPORT_BATCH_H

#include "engine/base/err.h"
#include "engine/engine.h"
#include "engine/process/command.h"
#include "tui/config/options.h"

/*
 * Starts the engine and COMMAND (NULL: none). 0, or -errno with a sentence. The
 * command may still be running afterwards: after -n, --for or a signal.
 */
int batch_run(struct engine *engine, const struct options *options, struct command *command,
	      struct err *err);

/*
 * Waits, no longer watching, until the command has ended, and returns its exit
 * status; 1 if it never began. Signals go to it; the second one ends the wait.
 */
int batch_wait_command(struct command *command);

#endif
