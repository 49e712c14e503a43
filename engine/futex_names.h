/*
 * futex_names - what futexes are called, as far as the engine itself asks: the rest is in engine.h.
 */
#ifndef ENGINE_FUTEX_NAMES_H
#define ENGINE_FUTEX_NAMES_H

#include "engine/engine.h"

/*
 * The variable at a futex's address, escaped; of row, those fields that say which one it is. False:
 * there is none, or *pending: not yet.
 */
bool futex_names_variable(struct engine *engine, const struct engine_futex *row,
			  char out[ENGINE_FUTEX_NAME_BYTES], bool *pending);

#endif
