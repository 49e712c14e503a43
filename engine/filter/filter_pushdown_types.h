/*
 * filter_pushdown_types - the half of a filter that the kernel can test. Private to engine/filter/.
 *
 * filter_pushdown_split() makes it, whoever asked for it releases it. Any thread.
 */
#ifndef FILTER_FILTER_PUSHDOWN_TYPES_H
#define FILTER_FILTER_PUSHDOWN_TYPES_H

#include "engine/filter/filter.h"
#include "engine/record/kernel_filter.h"

#include <stdbool.h>

struct filter_pushdown {
	enum filter_kernel by;
	struct kernel_filter kernel; /* lists sorted, nothing twice */
	bool rest; /* with by_syscall: numbers from SYSCALL_NR_MAX on, too */
	bool exact; /* of calls that have returned */
	bool by_result; /* something of how they returned is tested */
};

#endif
