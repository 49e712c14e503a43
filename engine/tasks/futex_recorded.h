/*
 * futex_recorded - what memory futexes are in, as a recording tells of processes that cannot be
 * asked.
 *
 * It is taken when it was found out: who is held for the waker of a thread in another process
 * depends on that. Owned and locked by the model.
 */
#ifndef TASKS_FUTEX_RECORDED_H
#define TASKS_FUTEX_RECORDED_H

#include "engine/record/observations.h"
#include "engine/tasks/futexes.h"

struct futex_recorded {
	struct observations *observations; /* borrowed; NULL: nobody tells anything */
	size_t cursor;
	uint64_t from_ns; /* what was before is not fed; 0: all is */
};

void futex_recorded_start_over(struct futex_recorded *recorded, uint64_t from_ns);

/* Everything up to then was fed. */
void futex_recorded_settle(struct futex_recorded *recorded, struct futexes *futexes,
			   const struct tasks *tasks, uint64_t until_ns);

/* What is known of a futex, as it is told. False: nothing, or its process has other memory now. */
bool futex_recorded_describe(const struct futex *futex, const struct tasks *tasks,
			     struct observation *observation);

#endif
