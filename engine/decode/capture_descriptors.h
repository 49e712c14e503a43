/*
 * capture_descriptors - calls after which a source reports what a descriptor refers to.
 *
 * Lists calls whose arguments do not identify the file: a path can contain symbolic links, a pipe
 * has an inode number. Calls whose name identifies the descriptor, such as eventfd(2), are omitted.
 * Constant data; any thread.
 */
#ifndef DECODE_CAPTURE_DESCRIPTORS_H
#define DECODE_CAPTURE_DESCRIPTORS_H

#include "engine/decode/capture_specials.h"

/* Return an entry by index from 0; NULL past the last. */
const struct capture_special *capture_descriptor_at(size_t index);

#endif
