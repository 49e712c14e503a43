/*
 * job_queue - runs slow engine queries on a thread of its own.
 *
 * The caller owns each struct job. From job_submit() until job_is_done() returns true, the job is
 * pending: everything that `run` writes belongs to the job thread. A pending job cannot be
 * submitted again, so no result is lost. Jobs run one at a time, in order of submission. Create the
 * queue before the engine, so that the engine excludes the job thread from tracing. UI thread only,
 * except `run`.
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
	/* Private to job_queue.c. */
	struct job_queue *job_queue; /* NULL: never submitted */
	struct job *next;
	bool pending, done;
};

int job_queue_new(struct job_queue **job_queue, struct err *err);
/* Cancel all jobs first. Can wait forever for the running job: see shutdown.h. NULL is allowed. */
void job_queue_free(struct job_queue *job_queue);

/* Readable after a job has finished, until job_queue_seen(). */
int job_queue_fd(const struct job_queue *job_queue);
void job_queue_seen(struct job_queue *job_queue);

/* No-op while the job is pending. job_queue NULL: run the job now, on the calling thread. */
void job_submit(struct job *job, struct job_queue *job_queue);
/* True from job_submit() until job_is_done() has returned true: do not touch `ctx` meanwhile. */
bool job_is_pending(const struct job *job);
/* True once per job_submit(), after the job has run. */
bool job_is_done(struct job *job);
/*
 * Discard the result. Afterwards the job neither runs nor will run. Waits for the job if it is
 * running; can block forever, see shutdown.h.
 */
void job_cancel(struct job *job);

/*
 * Return the interval to the next query after one that took cost_ns of CPU time: 20 * cost_ns (5 %
 * of a CPU), at most 0.5 s, but at least every_ns.
 */
uint64_t job_every_ns(uint64_t cost_ns, uint64_t every_ns);

#endif
