/*
 * prober - while recording, resolves what cannot be resolved from the file later: names of
 * descriptors and futexes, and owners of contended locks. Also requests the late reads for which
 * filters wait.
 *
 * Its thread runs ten times a second. While nothing is recorded and the filter needs no late reads,
 * it runs once a second. Observations that the interface causes are recorded too. Each file that
 * the recorder begins receives the observations known by then.
 */
#ifndef ENGINE_PROBER_H
#define ENGINE_PROBER_H

#include "engine/base/err.h"

struct engine;
struct prober;

/* Create before the source, which excludes the prober's thread. Idle until prober_begin(). */
int prober_new(struct prober **prober, struct engine *engine, struct err *err);
/* Call before any member of the engine is freed. NULL is allowed. */
void prober_free(struct prober *prober);

/*
 * Start the rounds, once all members of the engine that the prober uses are set. Call it again when
 * a recording is requested or the filter changes. NULL is allowed.
 */
void prober_begin(struct prober *prober);
/* Run one more round before a recording ends; can take a few milliseconds. */
void prober_look(struct prober *prober);

#endif
