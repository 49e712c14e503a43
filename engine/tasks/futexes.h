/*
 * futexes - what threads did on futexes: waits, who ended them, who waits now.
 *
 * Fed by the model with each futex call when it is entered and when it is over,
 * whether the filter lets it through or not: one thread's wait is another's wake. A
 * requeue moves waiters to another futex: there they are woken, while the wait
 * counts where it began. A few hash look-ups a call; a new futex allocates, other
 * calls do not. Owned and locked by the model.
 */
#ifndef TASKS_FUTEXES_H
#define TASKS_FUTEXES_H

#include "engine/record/futex_op.h"
#include "engine/tasks/futex_pending.h"
#include "engine/tasks/futex_table.h"
#include "engine/tasks/tasks.h"

struct futexes;

/* A thread inside a call that waits. */
struct futex_waiter {
	uint32_t tid;
	uint64_t enter_ns; /* of the call */
	struct futex *origin; /* where the call said it would wait */
	struct futex *at; /* where it waits now */
	struct futex_waiter *prev, *next; /* at the same futex; next alone: free */
};

struct futexes *futexes_new(struct tasks *tasks); /* borrowed */
void futexes_free(struct futexes *futexes);

/* The task's call, which has just been entered or was found in flight, is on a futex. */
void futexes_enter(struct futexes *futexes, const struct task *task);
/*
 * Puts the waker into a wait that is over, if nobody saw who woke it, but another thread's
 * wake on the same futex overlaps it, or it waited for the end of a thread that is at
 * its end; says whether it did. Before futexes_done().
 */
bool futexes_infer_waker(const struct futexes *futexes, struct call *call, uint64_t now_ns);
/* A futex call is over. */
void futexes_done(struct futexes *futexes, const struct call *call, uint64_t now_ns);

/*
 * A futex call that is over goes into sums, and nothing else is made of it: for an object that
 * counts what matches a filter, beside one that knows all.
 */
void futexes_count(struct futexes *futexes, const struct call *call);

/* The same where it is not to be counted: nobody waits in it any more. */
void futexes_leave(struct futexes *futexes, const struct call *call);

/* Calls in flight were forgotten without an end: so are their waiters. */
void futexes_forget(struct futexes *futexes);
/* Sums start over; who waits stays known. */
void futexes_zero(struct futexes *futexes);

/* -- Looking ----------------------------------------------------------------- */

const struct futex_table *futexes_table(const struct futexes *futexes);
/* Whether its sums are of this time: otherwise they are all zero by now. */
bool futexes_is_current(const struct futexes *futexes, const struct futex *futex);
/* The process still has the address space in which the futex is. */
bool futexes_is_alive(const struct futexes *futexes, const struct futex *futex);
/* Whether the waiter is in that call still. */
const struct task *futexes_waiting_task(const struct futexes *futexes,
					const struct futex_waiter *waiter);

/*
 * The task waits on a futex that is no lock's, has for IDLE_NS, and nobody woke or waited there
 * meanwhile.
 */
bool futexes_is_idle(const struct futexes *futexes, const struct task *task, uint64_t now_ns);

/* -- What is mapped there -------------------------------------------------------- */

/* Takes up to max questions that nobody answered yet, of one kind. */
size_t futexes_ask(struct futexes *futexes, bool shared, struct futex_pending_entry *questions,
		   size_t max);
void futexes_answer(struct futexes *futexes, const struct futex_pending_entry *question,
		    const struct futex_answer *answer);

size_t futexes_bytes(const struct futexes *futexes); /* of memory, estimated; histograms too */

#endif
