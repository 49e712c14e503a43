/*
 * access_try - opens what a row of the access table stands for, as the sources do, and closes it
 * again. Any thread.
 */
#ifndef LIVE_ACCESS_TRY_H
#define LIVE_ACCESS_TRY_H

#include "engine/base/err.h"
#include "engine/source/live/access_types.h"

/*
 * Return 0, or -errno with a message that states the attempt and its result. -EPERM or -EACCES if
 * the kernel refused, -ENOSYS if a sandbox did.
 */
int access_try(enum access_id id, struct err *err);

#endif
