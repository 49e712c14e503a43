/*
 * filter_owners - task owners in a pushdown. Private to engine/filter/.
 *
 * Users and cgroups of a kernel_filter are combined like its other parts (filter_pushdown.h):
 * intersected by `and`, united by `or`. The set of users stays exact. Cgroups are never exact,
 * since the kernel side can pass further tasks (bpf_predicates.h).
 */
#ifndef FILTER_FILTER_OWNERS_H
#define FILTER_FILTER_OWNERS_H

#include "engine/filter/filter_pushdown_types.h"
#include "engine/filter/filter_tree.h"

/* Set the owners of one test in an empty pushdown. */
void filter_owners_of_test(struct filter_pushdown *half, const struct filter *filter,
			   const struct filter_node *node, bool negate);

/* Combine b into a; b stays unchanged. False: no user is in both. */
bool filter_owners_and(struct filter_pushdown *a, const struct filter_pushdown *b);
void filter_owners_or(struct filter_pushdown *a, const struct filter_pushdown *b);

/* True if the users are equal. Cgroups are not compared: they are never exact. */
bool filter_owners_same(const struct kernel_filter *a, const struct kernel_filter *b);

/* Append "uid in {0, 33} && cgroup == "/a"", or nothing without owners. */
void filter_owners_text(struct str *out, const struct kernel_filter *filter);

#endif
