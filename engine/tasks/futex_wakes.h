/*
 * futex_wakes - who wakes on one futex: the wakes of just now, and how often whom.
 *
 * A part of futexes.h, which see; owned and locked by the model.
 */
#ifndef TASKS_FUTEX_WAKES_H
#define TASKS_FUTEX_WAKES_H

#include "engine/tasks/futex_table.h"
#include "engine/tasks/tasks.h"

/* The task's call in flight may wake so many here. */
void futex_wake_begin(struct futex *futex, const struct task *task, uint32_t wakes);
/* `limit` is what it was allowed to wake, `woken` what it did: those taken stay accounted for. */
void futex_wake_end(struct futex *futex, const struct call *call, uint64_t now_ns, uint32_t limit,
		    uint32_t woken);
/* Of those that may have woken it before end_ns the one that was entered last; or NULL. */
struct futex_wake *futex_wake_for(struct futex *futex, const struct call *call, uint64_t end_ns);
/* This thread ended a wait here. */
void futex_waker_count(struct futex *futex, const struct tasks *tasks, uint32_t tid);

#endif
