/*
 * target_filters - users and control groups by which a command line says whom to watch.
 *
 * Both may change while a thread runs, so they become a part of the filter, which asks at
 * every call. Reads name services and the mounted hierarchies: before the interface, and when
 * somebody has typed one.
 */
#ifndef FILTER_TARGET_FILTERS_H
#define FILTER_TARGET_FILTERS_H

#include "engine/base/err.h"
#include "engine/base/str.h"

#include <stdbool.h>

/* "www-data,33": adds "uid in {33, 33}". -EINVAL with a sentence about the one that is wrong. */
int target_users(const char *list, struct str *expression, struct err *err);

/*
 * "/a,nginx.service,/sys/fs/cgroup/b": adds "cgroup in {"/a", "nginx.service", "/b"}". Each has
 * to be there in some hierarchy. -EINVAL, -ENOENT.
 */
int target_cgroups(const char *list, struct str *expression, struct err *err);

/* The same without what is around the list: "33, 33", "\"/a\"", "\"nginx.service\"". */
int target_user_operands(const char *list, struct str *operands, struct err *err);
int target_cgroup_operands(const char *list, struct str *operands, struct err *err);

/*
 * The folder of a control group that the word means, the first one that is found; false: there is
 * none, or its name is not to be had. May look through all folders of all hierarchies.
 */
bool target_cgroup_folder(const char *word, struct str *folder);

#endif
