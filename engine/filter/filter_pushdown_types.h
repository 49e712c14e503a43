/*
 * filter_pushdown_types - the pushdown of a filter with its exactness. Private to engine/filter/.
 *
 * filter_pushdown_split() creates it; its caller releases it. Any thread.
 */
#ifndef FILTER_FILTER_PUSHDOWN_TYPES_H
#define FILTER_FILTER_PUSHDOWN_TYPES_H

#include "engine/filter/filter.h"
#include "engine/record/kernel_filter.h"

#include <stdbool.h>

struct filter_pushdown {
	enum filter_kernel by;
	struct kernel_filter kernel; /* lists sorted, without duplicates */
	bool rest; /* with by_syscall: SYSCALL_NR_MAX and higher numbers pass too */
	bool exact; /* passes exactly those finished calls that match */
	bool by_result; /* tests the duration or the result */
};

#endif
