/*
 * job_queue - what takes long to ask the engine for, on a thread of its own.
 *
 * Whoever asks has a struct errand: what its `run` makes is the thread's while it is on its way,
 * and the asker's again when errand_is_back() said so, once. Until then the errand is pending and
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

struct errands;

struct errand {
	void (*run)(void *ctx);
	void *ctx;
	/* For job_queue.c only. */
	struct errands *errands; /* NULL: it was never sent */
	struct errand *next;
	bool away, back;
};

int errands_new(struct errands **errands, struct err *err);
/*
 * All must have been recalled. Waits for the one that runs, which may take for ever: see
 * shutdown.h. NULL is fine.
 */
void errands_free(struct errands *errands);

/* Readable when one came back; errands_seen() makes it unreadable again. */
int errands_fd(const struct errands *errands);
void errands_seen(struct errands *errands);

/* No effect while the errand is pending. errands NULL: run it now, on the calling thread. */
void errand_send(struct errand *errand, struct errands *errands);
/* True from errand_send() until errand_is_back() has returned true: `ctx` must not be touched. */
bool errand_is_pending(const struct errand *errand);
/* True once after each errand_send(), when the answer is there. */
bool errand_is_back(struct errand *errand);
/*
 * At the end: what it makes is for nobody. It never runs, or has ended; that may take for ever, see
 * shutdown.h.
 */
void errand_recall(struct errand *errand);

/*
 * How long after an answer that took so much processor time the next one is asked for: every_ns at
 * least, and so seldom that it costs a twentieth of a CPU, but no table waits longer than half a
 * second for its turn.
 */
uint64_t errand_every_ns(uint64_t cost_ns, uint64_t every_ns);

#endif
