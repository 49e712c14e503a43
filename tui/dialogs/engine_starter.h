/*
 * engine_starter - starts the engine, then the command, on a thread of its own.
 *
 * To open events and read /proc takes longer than the user should wait for the first frame. Until
 * the thread has finished, no other thread may use the engine.
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
	struct counterpart *before; /* recording to wait for; NULL: none */
	struct engine_options options;
	int fd; /* readable when the thread has finished */
	int cancel_fd; /* the engine polls it while it starts */
	int rc; /* result when finished: 0 or -errno, with err */
	bool joined;
	struct err err;
};

/*
 * Start the thread. before: wait until this recording is open, so that live tracing excludes the
 * threads that read it; NULL: none. -errno if the thread cannot be created.
 */
int engine_starter_begin(struct engine_starter *engine_starter, struct engine *engine,
			 const struct engine_options *options, struct command *command,
			 struct counterpart *before, struct err *err);
/*
 * Cancel the start and wait for the thread; then rc and err are valid. No-op after the first call.
 */
void engine_starter_end(struct engine_starter *engine_starter);

#endif
