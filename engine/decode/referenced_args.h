/*
 * referenced_args - which arguments are descriptors and paths, as the forms of calls say.
 */
#ifndef DECODE_REFERENCED_ARGS_H
#define DECODE_REFERENCED_ARGS_H

#include "engine/decode/syscalls.h"
#include "engine/fds/referenced_objects.h"

/* By number, *count of them; to be freed with free(). */
struct referenced_arg *referenced_shapes_make(const struct syscalls *syscalls, size_t *count);

#endif
