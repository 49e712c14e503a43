/*
 * filter_pushdown - pushdown of a part of a filter. Private to engine/filter/.
 *
 * Each node of the tree gets a pushdown: system calls, tasks, excluded processes and, for BPF
 * programs, task owners (filter_owners.h) and results. The pushdown is the product of these sets
 * and passes at least what the node matches. `not` is moved down to the tests by De Morgan; `and`
 * intersects, `or` unites. A result that is not a product is enlarged to one and marked inexact.
 */
#ifndef FILTER_FILTER_PUSHDOWN_H
#define FILTER_FILTER_PUSHDOWN_H

#include "engine/filter/filter_pushdown_types.h"
#include "engine/filter/filter_tree.h"

/* Compute the pushdown of the node at `index`, or of its negation; the caller releases it. */
void filter_pushdown_split(struct filter_pushdown *half, const struct filter *filter,
			   uint32_t index, bool negate, enum filter_kernel by);
void filter_pushdown_release(struct filter_pushdown *half);
void filter_pushdown_copy(struct filter_pushdown *to, const struct filter_pushdown *from);

/* Replace a by the intersection; consumes b. */
void filter_pushdown_and(struct filter_pushdown *a, struct filter_pushdown *b);

bool filter_pushdown_same(const struct filter_pushdown *a, const struct filter_pushdown *b);
bool filter_pushdown_any_task(const struct kernel_filter *kernel);

#endif
