/* targets_types - data of the watched tasks; targets.h has the functions. UI thread only. */
#ifndef SESSION_TARGETS_TYPES_H
#define SESSION_TARGETS_TYPES_H

#include "engine/process/target.h"
#include "tui/session/owner_terms.h"

#include <stdbool.h>

struct targets {
	struct target now; /* requested or in force; includes ids of ended tasks */
	struct target before; /* with `asked`: in force before the request */
	bool asked; /* the result from the engine is pending */
	struct str doing; /* with `asked`, for the message: "pid 42 is watched too" */
	uint64_t looked_ns;
	bool *ended; /* for each pid, then each tid of `now` */
	size_t next; /* index of the next task to check */
	size_t living; /* number of tasks alive at the last check */
	size_t stopped; /* stopped processes among the first ones of `now` */
	struct owner_operands owners; /* from the filter, at the last look */
	struct str *folders; /* of cgroups, "" if unknown; `gone`: removed ones */
	bool *gone;
	uint64_t owners_version; /* filter_version of the session */
};

#endif
