/*
 * engine_starter - starts the engine and then the command on a thread of its own.
 *
 * Opening events and reading /proc take longer than the first frame may. Until
 * it has finished nobody else may use the engine.
 */
#ifndef DIALOGS_ENGINE_STARTER_H
#define DIALOGS_ENGINE_STARTER_H

#include "engine/engine.h"
#include "engine/process/command.h"

#include <pthread.h>

struct counterpart;

struct engine_starter {
	pthread_t thread;
	struct engine *engine;
	struct command *command; /* NULL: none */
	struct counterpart *before; /* NULL: nothing is waited for first */
	struct engine_options options;
	int fd; /* becomes readable when it has finished */
	int cancel_fd; /* the engine looks at it while it starts */
	int rc; /* then: 0 or -errno, with err */
	bool joined;
	struct err err;
};

/*
 * before: first it must be open, so that what is live is not watched together with the threads that
 * read a recording; NULL: it need not.
 */
int engine_starter_begin(struct engine_starter *engine_starter, struct engine *engine,
			 const struct engine_options *options, struct command *command,
			 struct counterpart *before, struct err *err);
/* Waits for its end; then rc and err may be read. */
void engine_starter_end(struct engine_starter *engine_starter);

#endif
