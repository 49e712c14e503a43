/*
 * target_owners - users and control groups by which a command line says whom to watch.
 *
 * Both may change while a thread runs, so they become a part of the filter, which asks at
 * every call. Reads name services and the mounted hierarchies: once, before the interface.
 */
#ifndef ENGINE_TARGET_OWNERS_H
#define ENGINE_TARGET_OWNERS_H

#include "engine/base/err.h"
#include "engine/base/str.h"

/* "www-data,33": adds "uid in {33, 33}". -EINVAL with a sentence about the one that is wrong. */
int target_users(const char *list, struct str *expression, struct err *err);

/*
 * "/a,nginx.service,/sys/fs/cgroup/b": adds "cgroup in {"/a", "nginx.service", "/b"}". Each has
 * to be there in some hierarchy. -EINVAL, -ENOENT.
 */
int target_cgroups(const char *list, struct str *expression, struct err *err);

#endif
