/*
 * background - a thread for what waits for a disk, so that the interface does not.
 *
 * One thing at a time. It is started before the engine, which then leaves it out of what it
 * watches, as all threads of this program. UI thread only.
 */
#ifndef BASE_BACKGROUND_H
#define BASE_BACKGROUND_H

#include "engine/base/err.h"

#include <stdbool.h>

struct background;

int background_new(struct background **background, struct err *err);
/* Waits for the end of what runs. NULL is fine. */
void background_free(struct background *background);

/*
 * Runs work(ctx) there, which writes a file; false: something else still runs. NULL: at once and
 * here.
 */
bool background_run(struct background *background, void (*work)(void *ctx), void *ctx);
/* The same for what only looks: nobody misses it at the end of the program. */
bool background_look(struct background *background, void (*work)(void *ctx), void *ctx);
/* A file is being written. */
bool background_writes(struct background *background);

#endif
