/*
 * futex_wakes - recent wakes on one futex, and counts by waker.
 *
 * Part of futexes.h. Owned and locked by the model.
 */
#ifndef TASKS_FUTEX_WAKES_H
#define TASKS_FUTEX_WAKES_H

#include "engine/tasks/futex_table.h"
#include "engine/tasks/tasks.h"

/* Add the wake call in which the task is; it can wake up to `wakes` threads of this futex. */
void futex_wake_begin(struct futex *futex, const struct task *task, uint32_t wakes);
/*
 * Account the return of a wake call that woke `woken` threads of at most `limit`. Waiters already
 * attributed to the wake are subtracted.
 */
void futex_wake_end(struct futex *futex, const struct call *call, uint64_t now_ns, uint32_t limit,
		    uint32_t woken);
/* Return the wake that can have ended this wait by end_ns (the last entered one). NULL: none. */
struct futex_wake *futex_wake_for(struct futex *futex, const struct call *call, uint64_t end_ns);
/* Count thread `tid` as the waker of one wait on this futex. */
void futex_waker_count(struct futex *futex, const struct tasks *tasks, uint32_t tid);

#endif
