/*
 * target_filters - users and cgroups of the target, as filter expressions.
 *
 * A thread can change both while it runs, so they become a term of the filter, which tests them at
 * every call. The functions read name services and mounted hierarchies and may block. They are
 * called before the interface starts, and when the user has typed a list.
 */
#ifndef FILTER_TARGET_FILTERS_H
#define FILTER_TARGET_FILTERS_H

#include "engine/base/err.h"
#include "engine/base/str.h"

#include <stdbool.h>

/* "www-data,33": append "uid in {33, 33}". -EINVAL with the reason for the first wrong user. */
int target_users(const char *list, struct str *expression, struct err *err);

/*
 * "/a,nginx.service,/sys/fs/cgroup/b": append "cgroup in {"/a", "nginx.service", "/b"}". Each
 * cgroup must exist in at least one hierarchy. -EINVAL, -ENOENT.
 */
int target_cgroups(const char *list, struct str *expression, struct err *err);

/* As above, but only the elements of the list: "33, 33", "\"/a\", \"nginx.service\"". */
int target_user_operands(const char *list, struct str *operands, struct err *err);
int target_cgroup_operands(const char *list, struct str *operands, struct err *err);

/*
 * Append the directory of the cgroup that the word means, in the first hierarchy that has it.
 * False: none, or its path is unreadable. Can scan all directories of all hierarchies.
 */
bool target_cgroup_folder(const char *word, struct str *folder);

#endif
