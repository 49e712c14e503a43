/*
 * futex_names - names of futexes, for callers inside the engine; engine.h has the public ones.
 */
#ifndef ENGINE_FUTEX_NAMES_H
#define ENGINE_FUTEX_NAMES_H

#include "engine/engine.h"

/*
 * Write the escaped name of the variable at a futex's address. Only the identifying fields of `row`
 * are used. False: no name; *pending: it can still get one.
 */
bool futex_names_variable(struct engine *engine, const struct engine_futex *row,
			  char out[ENGINE_FUTEX_NAME_BYTES], bool *pending);

#endif
