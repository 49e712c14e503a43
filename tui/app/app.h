/*
 * app - the interactive program: terminal, keys, panes and the loop that joins them.
 *
 * UI thread only; there is one app at a time. Nothing slow happens on its
 * thread: the engine is started on another one while the first frame is shown.
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

/* In place of a status: the person wants it all to begin again, by an exec of this program. */
#define APP_AGAIN (-1)

/*
 * Takes over the terminal, starts the engine and COMMAND (NULL: none), runs until
 * the person leaves, and restores the terminal. Returns the exit status of the
 * program; when it is 1 because something failed, err says what, otherwise
 * err->text is empty, or says what of the settings could not be saved: they are only where
 * the person left with a key. Frees nothing of what it is given; where ending->stuck, all of it
 * may be in use still.
 */
int app_run(struct engine *engine, const struct options *options, struct command *command,
	    struct bindings *bindings, struct settings *settings, struct shutdown *shutdown,
	    struct err *err);

#endif
