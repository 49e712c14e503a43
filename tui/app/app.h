/*
 * app - the interactive program: terminal, keys, panes and their event loop.
 *
 * UI thread only; one app at a time. The UI thread does no slow work: another thread starts the
 * engine while the first frame is shown.
 */
#ifndef APP_APP_H
#define APP_APP_H

#include "engine/base/err.h"

struct engine;
struct options;
struct command;
struct bindings;
struct shutdown;
struct settings;

/* Returned instead of an exit status: the user wants a restart, by an exec of this program. */
#define APP_AGAIN (-1)

/*
 * Take over the terminal, start the engine and COMMAND (NULL: none), run until the user quits, and
 * restore the terminal. Return the exit status of the program, or APP_AGAIN.
 *
 * If the status is 1 because of a failure, err has the reason. Otherwise err->text is empty, or
 * says which settings could not be saved. Settings are saved only if the user quits with a key.
 * Frees none of its arguments. If shutdown->stuck, all of them can still be in use.
 */
int app_run(struct engine *engine, const struct options *options, struct command *command,
	    struct bindings *bindings, struct settings *settings, struct shutdown *shutdown,
	    struct err *err);

#endif
