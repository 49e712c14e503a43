/* targets_types - data of the watched tasks; targets.h has the functions. UI thread only. */
#ifndef SESSION_TARGETS_TYPES_H
#define SESSION_TARGETS_TYPES_H

#include "engine/process/target.h"
#include "tui/session/owner_terms.h"

#include <stdbool.h>

struct targets {
	struct target now; /* target requested or in force; includes ids of ended tasks */
	struct target before; /* with `asked`: target in force before the request */
	bool asked; /* the result from the engine is pending */
	struct str doing; /* with `asked`, for the message: "pid 42 is watched too" */
	uint64_t looked_ns;
	bool *ended; /* for each pid, then each tid of `now` */
	size_t next; /* index of the next task to check */
	size_t living; /* number of tasks alive at the last check */
	size_t stopped; /* number of stopped processes, see target_stopped() */
	struct owner_operands owners; /* users and cgroups in the filter, at the last look */
	struct str *folders; /* by owner: folder of a cgroup, or ""; `gone`: it was removed */
	bool *gone;
	uint64_t owners_version; /* session.filter_version of `owners` */
};

#endif
