/*
 * job_queue - what takes long to ask the engine for, on a thread of its own.
 *
 * Whoever asks has a struct job: what its `run` makes is the thread's while it is on its way,
 * and the asker's again when job_is_done() said so, once. Until then the job is pending and
 * is not sent again, so no answer is lost whatever the order of calls. One runs at a time, the
 * first sent first. The thread is started before the engine, which then leaves it out of what it
 * watches.
 * All but `run` is called by the UI thread.
 */
#ifndef BASE_JOB_QUEUE_H
#define BASE_JOB_QUEUE_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct job_queue;

struct job {
	void (*run)(void *ctx);
	void *ctx;
	/* For job_queue.c only. */
	struct job_queue *job_queue; /* NULL: it was never sent */
	struct job *next;
	bool pending, done;
};

int job_queue_new(struct job_queue **job_queue, struct err *err);
/*
 * All must have been recalled. Waits for the one that runs, which may take for ever: see
 * shutdown.h. NULL is fine.
 */
void job_queue_free(struct job_queue *job_queue);

/* Readable when one came back; job_queue_seen() makes it unreadable again. */
int job_queue_fd(const struct job_queue *job_queue);
void job_queue_seen(struct job_queue *job_queue);

/* No effect while the job is pending. jobs NULL: run it now, on the calling thread. */
void job_submit(struct job *job, struct job_queue *job_queue);
/* True from job_submit() until job_is_done() has returned true: `ctx` must not be touched. */
bool job_is_pending(const struct job *job);
/* True once after each job_submit(), when the answer is there. */
bool job_is_done(struct job *job);
/*
 * At the end: what it makes is for nobody. It never runs, or has ended; that may take for ever, see
 * shutdown.h.
 */
void job_cancel(struct job *job);

/*
 * How long after an answer that took so much processor time the next one is asked for: every_ns at
 * least, and so seldom that it costs a twentieth of a CPU, but no table waits longer than half a
 * second for its turn.
 */
uint64_t job_every_ns(uint64_t cost_ns, uint64_t every_ns);

#endif
