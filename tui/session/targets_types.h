/* targets_types - who is watched; see targets.h for what is done with it. UI thread only. */
#ifndef SESSION_TARGETS_TYPES_H
#define SESSION_TARGETS_TYPES_H

#include "engine/process/target.h"
#include "tui/session/owner_terms.h"

#include <stdbool.h>

struct targets {
	struct target now; /* asked for, or in force; numbers of who ended stay in it */
	struct target before; /* with `asked`: in force until then */
	bool asked; /* the engine has not said whether it can be */
	struct str doing; /* with `asked`, for people: "pid 42 is watched too" */
	uint64_t looked_ns;
	bool *ended; /* of each pid, then of each tid of `now` */
	size_t next; /* whom to look at next */
	size_t living; /* of them, at the last look */
	size_t stopped; /* processes among the first ones that stand still */
	struct owner_operands owners; /* of the filter, at the last look ... */
	struct str *folders; /* ... of groups, "" where that is not known; gone ones: ... */
	bool *gone;
	uint64_t owners_version; /* of the session's filter */
};

#endif
