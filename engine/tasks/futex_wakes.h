/*
 * futex_wakes - recent wakes on one futex, and counts by waker.
 *
 * Part of futexes.h. Owned and locked by the model.
 */
#ifndef TASKS_FUTEX_WAKES_H
#define TASKS_FUTEX_WAKES_H

#include "engine/tasks/futex_table.h"
#include "engine/tasks/tasks.h"

/* The call in flight of the task may wake up to `wakes` threads here. */
void futex_wake_begin(struct futex *futex, const struct task *task, uint32_t wakes);
/*
 * The wake returned. `limit`: threads it was allowed to wake. `woken`: threads it woke. Waiters
 * already attributed to it are subtracted.
 */
void futex_wake_end(struct futex *futex, const struct call *call, uint64_t now_ns, uint32_t limit,
		    uint32_t woken);
/* Return the wake that may have ended this wait by end_ns, the last one entered. NULL: none. */
struct futex_wake *futex_wake_for(struct futex *futex, const struct call *call, uint64_t end_ns);
/* Count a wait on this futex that the thread ended. */
void futex_waker_count(struct futex *futex, const struct tasks *tasks, uint32_t tid);

#endif
