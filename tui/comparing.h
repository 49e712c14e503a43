/*
 * comparing - reads two recordings, one after the other, and writes what changed (--against).
 */
#ifndef TUI_COMPARING_H
#define TUI_COMPARING_H

#include "tui/options.h"

/* The engine is a new one for the first of them. 0, or -errno with a sentence. */
int comparing_run(struct engine *engine, const struct options *options, struct err *err);

#endif
