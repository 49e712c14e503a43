/*
 * wait_graph - the engine's memory between two looks at who waits for whom.
 *
 * Made and freed with the engine; what it is asked is in engine.h.
 */
#ifndef ENGINE_WAIT_GRAPH_H
#define ENGINE_WAIT_GRAPH_H

#include <stdint.h>

struct engine;
struct wait_graph;

struct wait_graph *wait_graph_new(void);
void wait_graph_free(struct wait_graph *watch);

/* What is found from now on is told to that file of the recorder, all of it; 0: there is none. */
void wait_graph_begin_file(struct wait_graph *watch, uint32_t file);
/* A look that nobody but a recording asked for. */
void wait_graph_look(struct engine *engine);

#endif
