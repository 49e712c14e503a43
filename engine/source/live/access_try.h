/*
 * access_try - opens what a row of the access table speaks of, as the sources would, and
 * closes it again. Any thread.
 */
#ifndef LIVE_ACCESS_TRY_H
#define LIVE_ACCESS_TRY_H

#include "engine/base/err.h"
#include "engine/source/live/access_types.h"

/*
 * 0, or -errno with a sentence that says what was tried and what came of it: -EPERM or -EACCES
 * if it was the kernel that refused, -ENOSYS if a sandbox did in its place.
 */
int access_try(enum access_id id, struct err *err);

#endif
