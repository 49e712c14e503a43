/*
 * late_thread - reads what calls pointed to for those who look at them, and keeps it a while.
 *
 * Who looks asks and goes on; the answers are there a moment later (late_thread_version()
 * changes), or who writes lines waits for them, within a budget of its own. Any thread.
 */
#ifndef LATE_LATE_THREAD_H
#define LATE_LATE_THREAD_H

#include "engine/base/err.h"
#include "engine/late/late_bytes.h"
#include "engine/record/observation.h"

struct late_thread;

/* Takes `late`, also on failure. */
int late_thread_new(struct late_thread **thread, struct late_bytes *late, struct err *err);
/* Waits for the read that is under way, if any. NULL is fine. */
void late_thread_free(struct late_thread *thread);

/* Is told of all that is read, on that thread. Before anything is asked for. */
void late_thread_set_observer(struct late_thread *thread, observation_fn *observer, void *ctx);

/*
 * known: chunks that there are. What is kept or waits already is not asked for again; where
 * thousands wait, the oldest are forgotten, and seldom this one.
 */
void late_thread_ask(struct late_thread *thread, const struct call *call,
		     const struct late_memory *memory, const void *known, size_t known_len);
/* Appends what was read of the call; false: nothing is known yet. */
bool late_thread_get(struct late_thread *thread, const struct call *call, struct str *chunks);
/* Until all that was asked for was read; false: not in that time. */
bool late_thread_wait(struct late_thread *thread, int timeout_ms);
/* Forgets what was asked for and not read: nobody waits for it any more. */
void late_thread_drop(struct late_thread *thread);
uint64_t late_thread_version(struct late_thread *thread);

size_t late_thread_bytes(struct late_thread *thread); /* of memory */

#endif
