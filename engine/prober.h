/*
 * prober - finds out, as long as something is recorded, what nobody can ask a recording for:
 * what descriptors and futexes are, who holds the locks that threads wait for.
 *
 * A thread of its own, ten times a second; what others find out because somebody looks comes
 * here too. Each file that the recorder begins is told what is known by then.
 */
#ifndef ENGINE_PROBER_H
#define ENGINE_PROBER_H

#include "engine/base/err.h"

struct engine;
struct prober;

/* Before the source, which leaves its thread out; does nothing before prober_begin(). */
int prober_new(struct prober **prober, struct engine *engine, struct err *err);
/* Before anything that the engine has is freed. NULL is fine. */
void prober_free(struct prober *prober);

/* All that it looks at is there. */
void prober_begin(struct prober *prober);
/* Another round, for who ends a recording: may take some milliseconds. */
void prober_look(struct prober *prober);

#endif
