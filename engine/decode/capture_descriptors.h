/*
 * capture_descriptors - the calls after which a source is to tell what a descriptor is.
 *
 * Those whose arguments do not say it: a path may have links in it, a pipe has a number of its
 * own. What a call's name alone says, as of eventfd(2), is not here. Constant data; any thread.
 */
#ifndef DECODE_CAPTURE_DESCRIPTORS_H
#define DECODE_CAPTURE_DESCRIPTORS_H

#include "engine/decode/capture_specials.h"

/* NULL past the last. */
const struct capture_special *capture_descriptor_at(size_t index);

#endif
