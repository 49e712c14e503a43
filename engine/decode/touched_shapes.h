/*
 * touched_shapes - which arguments are descriptors and paths, as the forms of calls say.
 */
#ifndef DECODE_TOUCHED_SHAPES_H
#define DECODE_TOUCHED_SHAPES_H

#include "engine/decode/syscalls.h"
#include "engine/model/touched.h"

/* By number, *count of them; to be freed with free(). */
struct touched_shape *touched_shapes_make(const struct syscalls *syscalls, size_t *count);

#endif
