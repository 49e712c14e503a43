/*
 * filter_pushdown - what the kernel can test of a part of a filter. Private to engine/filter/.
 *
 * Every node of the tree gets a half: which syscalls, which tasks, which processes not
 * and, by programs, which users (filter_owners.h). It takes at least what the node
 * takes. `not` goes down to the tests by De Morgan; `and` cuts, `or` unites; where the
 * result is no such box it is made larger and no longer called exact.
 */
#ifndef FILTER_FILTER_PUSHDOWN_H
#define FILTER_FILTER_PUSHDOWN_H

#include "engine/filter/filter_pushdown_types.h"
#include "engine/filter/filter_tree.h"

/* The half of the node at `index`; the caller releases it. */
void filter_pushdown_split(struct filter_pushdown *half, const struct filter *filter,
			   uint32_t index, bool negate, enum filter_kernel by);
void filter_pushdown_release(struct filter_pushdown *half);
void filter_pushdown_copy(struct filter_pushdown *to, const struct filter_pushdown *from);

/* a becomes what both take; b is used up. */
void filter_pushdown_and(struct filter_pushdown *a, struct filter_pushdown *b);

bool filter_pushdown_same(const struct filter_pushdown *a, const struct filter_pushdown *b);
bool filter_pushdown_any_task(const struct kernel_filter *kernel);

#endif
