/*
 * referenced_args - arguments that are descriptors and paths, from the forms of the calls.
 */
#ifndef DECODE_REFERENCED_ARGS_H
#define DECODE_REFERENCED_ARGS_H

#include "engine/decode/syscalls.h"
#include "engine/fds/referenced_objects.h"

/* Return an array of *count entries, indexed by call number; release with free(). */
struct referenced_arg *referenced_shapes_make(const struct syscalls *syscalls, size_t *count);

#endif
