/*
 * wait_graph - the engine's memory between two looks at who waits for whom.
 *
 * Made and freed with the engine; what it is asked is in engine.h.
 */
#ifndef ENGINE_WAIT_GRAPH_H
#define ENGINE_WAIT_GRAPH_H

#include <stdint.h>

struct engine;
struct futex_watch;

struct futex_watch *futex_watch_new(void);
void futex_watch_free(struct futex_watch *watch);

/* What is found from now on is told to that file of the recorder, all of it; 0: there is none. */
void futex_watch_begin_file(struct futex_watch *watch, uint32_t file);
/* A look that nobody but a recording asked for. */
void futex_watch_look(struct engine *engine);

#endif
