/*
 * futex_recorded - mappings of futexes from the observations of a recording.
 *
 * The processes of a recording cannot be read. Each observation is applied at the time at which it
 * was made, because inferring a waker in another process needs the mapping. Owned and locked by the
 * model.
 */
#ifndef TASKS_FUTEX_RECORDED_H
#define TASKS_FUTEX_RECORDED_H

#include "engine/record/observations.h"
#include "engine/tasks/futexes.h"

struct futex_recorded {
	struct observations *observations; /* borrowed; NULL: none */
	size_t cursor;
	uint64_t from_ns; /* records are fed from this time; 0: from the start of the recording */
};

void futex_recorded_start_over(struct futex_recorded *recorded, uint64_t from_ns);

/* Apply the observations up to until_ns. All records up to then have been fed. */
void futex_recorded_settle(struct futex_recorded *recorded, struct futexes *futexes,
			   const struct tasks *tasks, uint64_t until_ns);

/*
 * Convert the mapping of a futex to an observation. False: the mapping is unknown, or the process
 * has a new address space.
 */
bool futex_recorded_describe(const struct futex *futex, const struct tasks *tasks,
			     struct observation *observation);

#endif
