/*
 * filter_owners - whose threads a part of a filter is about. Private to engine/filter/.
 *
 * The users and cgroups of a kernel_filter, as filter_pushdown.h treats its other sides: cut by
 * `and`, united by `or`. Users are a set that stays exact. Of cgroups, whoever asks the
 * kernel may have to let others through (bpf_predicates.h), so they never are.
 */
#ifndef FILTER_FILTER_OWNERS_H
#define FILTER_FILTER_OWNERS_H

#include "engine/filter/filter_pushdown_types.h"
#include "engine/filter/filter_tree.h"

/* The side of one test into an empty half. */
void filter_owners_of_test(struct filter_pushdown *half, const struct filter *filter,
			   const struct filter_node *node, bool negate);

/* Into the first; the second stays. False: no user is in both. */
bool filter_owners_and(struct filter_pushdown *a, const struct filter_pushdown *b);
void filter_owners_or(struct filter_pushdown *a, const struct filter_pushdown *b);

/* Whether they differ, of users alone: cgroups are never exact. */
bool filter_owners_same(const struct kernel_filter *a, const struct kernel_filter *b);

/* "uid in {0, 33} && cgroup == "/a"", or nothing. */
void filter_owners_text(struct str *out, const struct kernel_filter *filter);

#endif
