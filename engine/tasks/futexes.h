/*
 * futexes - waits and wakes per futex, current waiters, inferred wakers.
 *
 * The model feeds each futex call at its enter and at its end, whatever the filter is. A filter may
 * pass a wait and drop the wake that ended it. A requeue moves waiters to another futex, where
 * their wakers are counted. Their waits count at the first futex. A call costs a few hash lookups;
 * only a new futex or waker entry allocates. Owned and locked by the model.
 */
#ifndef TASKS_FUTEXES_H
#define TASKS_FUTEXES_H

#include "engine/record/futex_op.h"
#include "engine/tasks/futex_pending.h"
#include "engine/tasks/futex_table.h"
#include "engine/tasks/tasks.h"

struct futexes;

/* A thread in a futex call that waits. */
struct futex_waiter {
	uint32_t tid;
	uint64_t enter_ns; /* of the call */
	struct futex *origin; /* futex named by the call */
	struct futex *at; /* futex on which it waits now */
	/* neighbours in the list of `at`; the free list uses only `next` */
	struct futex_waiter *prev, *next;
};

struct futexes *futexes_new(struct tasks *tasks); /* borrowed */
void futexes_free(struct futexes *futexes);

/* The task entered a call, or was found in one. No-op unless it is a futex call. */
void futexes_enter(struct futexes *futexes, const struct task *task);
/*
 * Infer the waker of a finished wait that has no recorded waker. It is a thread whose wake on the
 * same futex overlaps the wait, or whose exit pthread_join() waited for. True if *call was changed.
 * Call before futexes_done().
 */
bool futexes_infer_waker(const struct futexes *futexes, struct call *call, uint64_t now_ns);
/* A futex call has ended. */
void futexes_done(struct futexes *futexes, const struct call *call, uint64_t now_ns);

/*
 * Count a finished futex call in the sums only. Use it for a struct futexes that counts only the
 * matching calls, while another one is fed all calls.
 */
void futexes_count(struct futexes *futexes, const struct call *call);

/* A futex call has ended, but is not counted: only remove its waiter. */
void futexes_leave(struct futexes *futexes, const struct call *call);

/* Remove the waiters of calls in flight that were discarded. */
void futexes_forget(struct futexes *futexes);
/* Reset the sums; the waiters stay. */
void futexes_zero(struct futexes *futexes);

/* -- Reading ----------------------------------------------------------------- */

const struct futex_table *futexes_table(const struct futexes *futexes);
/* False: the sums are of an earlier epoch and count as 0. */
bool futexes_is_current(const struct futexes *futexes, const struct futex *futex);
/* True if the process is alive and still has the address space of the futex. */
bool futexes_is_alive(const struct futexes *futexes, const struct futex *futex);
/* Return the task if it is still in the call of the waiter, else NULL. */
const struct task *futexes_waiting_task(const struct futexes *futexes,
					const struct futex_waiter *waiter);

/*
 * True if the task has waited for IDLE_NS on a futex that is not a lock. A wake call on that futex,
 * or the end of another wait there, restarts that time.
 */
bool futexes_is_idle(const struct futexes *futexes, const struct task *task, uint64_t now_ns);

/* -- Mappings -------------------------------------------------------------------- */

/* Take up to `max` private or shared futexes whose mapping is unknown. See futex_pending.h. */
size_t futexes_ask(struct futexes *futexes, bool shared, struct futex_pending_entry *questions,
		   size_t max);
void futexes_answer(struct futexes *futexes, const struct futex_pending_entry *question,
		    const struct futex_answer *answer);

size_t futexes_bytes(const struct futexes *futexes); /* estimate, includes histograms */

#endif
