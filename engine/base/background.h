/*
 * background - a thread for disk I/O, so that the interface never blocks on a disk.
 *
 * Runs one piece of work at a time. Create the thread before the engine, which excludes the
 * existing threads of stxtop from tracing. UI thread only.
 */
#ifndef BASE_BACKGROUND_H
#define BASE_BACKGROUND_H

#include "engine/base/err.h"

#include <stdbool.h>

struct background;

int background_new(struct background **background, struct err *err);
/* Wait for the running work, then end the thread. NULL is allowed. */
void background_free(struct background *background);

/*
 * Run work(ctx), which writes a file, on the background thread. False: other work is still running.
 * background NULL: run it now, on the calling thread.
 */
bool background_run(struct background *background, void (*work)(void *ctx), void *ctx);
/* As background_run(), for work that only reads: stxtop can exit before the work ends. */
bool background_look(struct background *background, void (*work)(void *ctx), void *ctx);
/* True while work of background_run() is running. */
bool background_writes(struct background *background);

#endif
