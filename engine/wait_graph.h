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

/* Begin a new file of the recorder: write all findings again. 0: no file. */
void wait_graph_begin_file(struct wait_graph *watch, uint32_t file);
/* Scan for a recording: write new findings, return none. */
void wait_graph_look(struct engine *engine);

#endif
