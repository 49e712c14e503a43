/*
 * wait_graph - state between two scans for lock owners and deadlocks.
 *
 * Lives as long as the engine; engine.h has the queries.
 */
#ifndef ENGINE_WAIT_GRAPH_H
#define ENGINE_WAIT_GRAPH_H

#include <stdint.h>

struct engine;
struct wait_graph;

struct wait_graph *wait_graph_new(void);
void wait_graph_free(struct wait_graph *watch);

/* Write all findings again, to a new file of the recorder; 0: no file. */
void wait_graph_begin_file(struct wait_graph *watch, uint32_t file);
/* Scan on behalf of a recording only. */
void wait_graph_look(struct engine *engine);

#endif
