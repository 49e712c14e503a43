/*
 * background - a thread for what waits for a disk, so that the interface does not.
 *
 * One thing at a time. It is started before the engine, which then leaves it out of what it
 * watches, as all threads of this program. UI thread only.
 */
#ifndef TUI_BACKGROUND_H
#define TUI_BACKGROUND_H

#include "engine/base/err.h"

#include <stdbool.h>

struct background;

int background_new(struct background **background, struct err *err);
/* Waits for the end of what runs. NULL is fine. */
void background_free(struct background *background);

/* Runs work(ctx) there; false: something else still runs. NULL: at once and here. */
bool background_run(struct background *background, void (*work)(void *ctx), void *ctx);

#endif
