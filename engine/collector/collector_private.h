/*
 * collector_private - the state that the collector's thread shares with its callers.
 *
 * For the collector*.c files only.
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
	void (*untaken)(void *ctx); /* NULL: the totals are never taken */
	void *untaken_ctx;
	bool lossless;
	bool interactive;
	bool recorded; /* the source is a recording; its present is: */
	atomic_uint_least64_t recorded_ns;
	atomic_uint_least64_t ended_ns; /* end of a live collection; 0: it continues */
	uint64_t max_calls;

	pthread_t thread;
	int wake_fd; /* eventfd: the mailbox has a request */
	atomic_uint waiting; /* readers that wait for the model's lock now */

	/* Protected by `mutex`: mailbox and published status. */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool begun, stop_wanted, abandoned, zero_wanted;
	bool running_is_wanted, running_wanted;
	bool wants_user_stacks;
	uint32_t user_stack_pid; /* 0: none */
	bool recording_is_wanted, recording_wanted;
	uint64_t recording_from_ns; /* see recorder_begin() */
	struct playhead_requests play_wanted;
	struct play_status play;
	struct exit_detector_task *gone; /* owned; NULL: none */
	size_t gone_count;
	char *events_wanted; /* owned; NULL: no request */
	bool target_is_wanted;
	struct target target_wanted; /* owned, if target_is_wanted */
	bool filter_is_wanted;
	struct filter *filter_wanted;
	struct collector_status status;
	/* Change counts. A waiter reads the count first, then checks its condition, then waits. */
	uint64_t fills; /* history grew */
	uint64_t reads; /* lossless reader advanced */

	/* Protected by the model's lock. */
	struct match *match; /* NULL: no filter */
	uint64_t read_seq, held_seq; /* held_seq and later calls are held until the next read */

	/* Collector's thread only. */
	struct prefetch_queue prefetch_queue; /* under the model's lock; empty between two drains */
	size_t room; /* the history has room for at least this many calls */
	bool locked; /* the collector holds the model's lock */
	unsigned slice; /* records fed since locking ... */
	uint64_t slice_ns; /* ... and the time to unlock */
	bool full; /* max_calls were matched */
	bool ended; /* the source has no more records */
	uint64_t status_ns;
	uint64_t sleepers_ns; /* time of the last lookup of sleepers (sleepers.h) */
	unsigned quiet_drains; /* consecutive drains without records */

	/* Collector's thread only, for a recording. */
	struct playhead head;
	struct task_limit task_limit;
	uint64_t calls_from_ns; /* see source_play.h */
	uint64_t tick_ns; /* calls are settled up to this time */
	uint64_t history_seq; /* sequence number of the first call since the last start over */
	bool kept_out; /* a filter may have dropped calls since the last start over */
};

/* Return the absolute deadline for `changed`, timeout_ms from now. */
struct timespec collector_deadline(int timeout_ms);

/* Under the mutex: wake the collector, whether it waits for requests or for records. */
void collector_wake(struct collector *c);

/* Under the mutex: true if the mailbox has a request. */
static inline bool collector_has_mail(const struct collector *c)
{
	return c->filter_is_wanted || c->zero_wanted || c->running_is_wanted ||
	       c->wants_user_stacks || c->events_wanted || c->target_is_wanted ||
	       c->recording_is_wanted || c->play_wanted.wanted || c->gone;
}

/* -- collector.c: the collector's thread -- */

void collector_lock_model(struct collector *c); /* no-op if locked */
void collector_unlock_model(struct collector *c);
/* -errno: the source failed. `last`: calls that wait for a restart are settled, too. */
int collector_drain(struct collector *c, bool last);
void collector_feed(struct collector *c, const struct record *record);
/* Store an error until the end. Only the first one is stored, as it causes the later ones. */
void collector_note_error(struct collector *c, const struct err *err);
bool collector_should_stop(struct collector *c);
/* Count a batch of the history's calls in the matched totals. False: all are counted. */
bool collector_refill(struct collector *c);
/* Publish the source's status at intervals. True: the source has no more records. */
bool collector_publish(struct collector *c);

/* -- collector_mail.c: the collector's thread -- */

/* Locked, or before there is another thread. Takes ownership of the match. */
void collector_put_match(struct collector *c, struct match *match);
void collector_switch_recording(struct collector *c, bool on, uint64_t from_ns);
void collector_read_mail(struct collector *c);

/* -- collector_play.c: the collector's thread, for a recording -- */

void collector_play_begin(struct collector *c); /* mutex held; on the starting thread */
void collector_play(struct collector *c);
void collector_play_tick(struct collector *c, const struct record *record);
void collector_play_mail(struct collector *c);
void collector_play_pause(struct collector *c, bool paused);
/* Call after a filter change: reads the span again if the history lacks some of its calls. */
void collector_play_refilter(struct collector *c);

#endif
