/*
 * collector_private - what the thread and those who talk to it share.
 *
 * For collector.c and collector_requests.c only.
 */
#ifndef COLLECTOR_COLLECTOR_PRIVATE_H
#define COLLECTOR_COLLECTOR_PRIVATE_H

#include "engine/collector/collector.h"
#include "engine/collector/task_limit.h"
#include "engine/filter/match.h"
#include "engine/model/prefetch_queue.h"

#include <pthread.h>
#include <stdatomic.h>

struct collector {
	struct model *model;
	struct spaces *spaces;
	struct source *source;
	struct rates *rates;
	struct fds *fds; /* NULL: none */
	bool fds_first;
	struct recorder *recorder; /* NULL: none */
	struct flight *flight; /* NULL: none */
	bool recording_lasts;
	void (*untaken)(void *ctx); /* NULL: nobody takes totals */
	void *untaken_ctx;
	bool lossless;
	bool interactive;
	bool recorded; /* the source has a present of its own: */
	atomic_uint_least64_t recorded_ns;
	atomic_uint_least64_t ended_ns; /* when what is live was collected last; 0: it goes on */
	uint64_t max_calls;

	pthread_t thread;
	int wake_fd; /* an eventfd: there is mail */
	atomic_uint waiting; /* readers that want the model's lock now */

	/* The mailbox, and what others are told. */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool begun, stop_wanted, abandoned, zero_wanted;
	bool running_is_wanted, running_wanted;
	bool wants_user_stacks;
	uint32_t user_stack_pid; /* 0: nobody's stacks */
	bool recording_is_wanted, recording_wanted;
	uint64_t recording_from_ns; /* see recorder_begin() */
	struct playhead_requests play_wanted;
	struct play_status play;
	struct exit_detector_task *gone; /* owned; NULL: none */
	size_t gone_count;
	char *events_wanted; /* owned; NULL: nobody asked for others */
	bool target_is_wanted;
	struct target target_wanted; /* owned, with target_is_wanted */
	bool filter_is_wanted;
	struct filter *filter_wanted;
	struct collector_status status;
	/* Event counts: whoever waits notes the number first, then looks, then waits. */
	uint64_t fills; /* the history grew */
	uint64_t reads; /* the reader moved on */

	/* The model's lock. */
	struct match *match; /* NULL: no filter */
	uint64_t read_seq, held_seq; /* after a read, what it gave is held until the next */

	/* The collector's own. */
	struct prefetch_queue prefetch_queue; /* under the model's lock; empty between two drains */
	size_t room; /* so many calls the history is known to have room for */
	bool locked; /* it holds the model's lock */
	unsigned slice; /* records fed since it was locked ... */
	uint64_t slice_ns; /* ... which is long enough then */
	bool full; /* max_calls were matched */
	bool ended; /* nothing more comes from the source */
	uint64_t status_ns;
	unsigned quiet_drains; /* that brought nothing, one after the other */

	/* The same, of a recording. */
	struct playhead head;
	struct task_limit task_limit;
	uint64_t calls_from_ns; /* see source_play.h */
	uint64_t tick_ns; /* up to when calls were settled */
	uint64_t history_seq; /* the first call since it was read from the beginning */
	bool kept_out; /* a filter has kept calls out of the history since then */
};

/* For the condition, so long from now. */
struct timespec collector_deadline(int timeout_ms);

/* Under the mutex: whoever of the collector's waits, for mail or for records, goes on. */
void collector_wake(struct collector *c);

/* Under the mutex: whether somebody asked for something. */
static inline bool collector_has_mail(const struct collector *c)
{
	return c->filter_is_wanted || c->zero_wanted || c->running_is_wanted ||
	       c->wants_user_stacks || c->events_wanted || c->target_is_wanted ||
	       c->recording_is_wanted || c->play_wanted.wanted || c->gone;
}

/* -- collector.c: its own thread -- */

void collector_lock_model(struct collector *c); /* once; takes turns with readers */
void collector_unlock_model(struct collector *c);
/* -errno: the source has failed. `last`: what is held open has ended, too. */
int collector_drain(struct collector *c, bool last);
void collector_feed(struct collector *c, const struct record *record);
/* A sentence that stays until the end: the first one is the cause of the others. */
void collector_note_error(struct collector *c, const struct err *err);
bool collector_should_stop(struct collector *c);
/* What calls the filter may still let through; false: none. */
bool collector_refill(struct collector *c);
/* Now and then; true: the source has no more. */
bool collector_publish(struct collector *c);

/* -- collector_mail.c: the same -- */

/* Locked, or before there is another thread. It takes the match. */
void collector_put_match(struct collector *c, struct match *match);
void collector_switch_recording(struct collector *c, bool on, uint64_t from_ns);
void collector_read_mail(struct collector *c);

/* -- collector_play.c: the same, of a recording -- */

void collector_play_begin(struct collector *c); /* locked: whoever starts the collector */
void collector_play(struct collector *c);
void collector_play_tick(struct collector *c, const struct record *record);
void collector_play_mail(struct collector *c);
void collector_play_pause(struct collector *c, bool paused);
/* Another filter is in force: what is not in the history is read again. */
void collector_play_refilter(struct collector *c);

#endif
