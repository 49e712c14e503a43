/*
 * collector - the thread that moves records from the source to the model.
 *
 * It alone touches the source between begin and its end. It feeds in slices, so
 * that nobody waits long for the model's lock, and steps aside for readers that
 * announced themselves with collector_lock(). Other threads ask it for things
 * (a filter, a pause, the end) through a mailbox; a descriptor that the source waits
 * for too wakes it. A lossless reader and it wait for each other: see
 * collector_read().
 */
#ifndef COLLECTOR_COLLECTOR_H
#define COLLECTOR_COLLECTOR_H

#include "engine/base/err.h"
#include "engine/collector/playhead.h"
#include "engine/collector/rates.h"
#include "engine/filter/filter.h"
#include "engine/model/model.h"
#include "engine/recorder/flight.h"
#include "engine/recorder/recorder.h"
#include "engine/source/source.h"
#include "engine/stack/spaces.h"

#include <sys/types.h>

struct collector;

struct collector_options {
	struct model *model; /* borrowed */
	struct spaces *spaces; /* borrowed */
	struct rates *rates; /* borrowed; under the model's lock. NULL: nobody wants rates */
	struct fds *fds; /* borrowed; NULL: nobody asks what descriptors are */
	bool fds_first; /* what they change by is collected whatever the filter says */
	bool lossless; /* collector_read() gets everything */
	bool interactive;
	bool recorded; /* the source is a recording */
	uint64_t max_calls; /* end after so many matched calls; 0: no limit */
	struct filter *filter; /* in force from the start; a reference is taken */
	struct recorder *recorder; /* borrowed; NULL: nothing is ever recorded */
	struct flight *flight; /* the same; NULL: nothing is kept for later */
	/* The totals should be taken, as ended processes pile up in them; NULL: nobody does. */
	void (*untaken)(void *ctx);
	void *untaken_ctx;
	/* A recording ends when that is asked for, not with the collection: more is found out. */
	bool recording_lasts;
};

/* Starts the thread, which waits for begin: its tid must be known to the source. */
int collector_new(struct collector **collector, const struct collector_options *options,
		  struct err *err);
/* Ends the thread without waiting for a reader, and closes the source. NULL is fine. */
void collector_free(struct collector *collector);

/* For the source's wait(): readable when somebody has asked for something. */
int collector_wake_fd(const struct collector *collector);

/* Before collector_begin(): what of a recording is read, and how fast; otherwise all of it. */
void collector_set_span(struct collector *collector, uint64_t from_ns, uint64_t until_ns,
			double speed);
/* Takes the source, which has been started. */
void collector_begin(struct collector *collector, struct source *source);

/* -- Requests: any thread, at once ---------------------------------------- */

void collector_set_filter(struct collector *collector, struct filter *filter);
/* A copy is taken. */
void collector_set_target(struct collector *collector, const struct target *target);
void collector_set_running(struct collector *collector, bool running);
void collector_zero(struct collector *collector);
/* Other tracepoints, see event_list.h; told by events_version. */
void collector_set_events(struct collector *collector, const char *list);
void collector_set_user_stacks(struct collector *collector, uint32_t pid);
/* The recorder was opened: it is given what comes from now on; or no more. recorder_begin() */
void collector_set_recording(struct collector *collector, bool recording, uint64_t from_ns);
/* See play.h. A copy is taken. */
void collector_play_ask(struct collector *collector, const struct playhead_requests *requests);
void collector_play_status(struct collector *collector, struct play_status *status);
size_t collector_play_density(struct collector *collector, uint64_t from_ns, uint64_t until_ns,
			      uint32_t *records, size_t count);
bool collector_is_lossless(const struct collector *collector);
/* Drain once more and end; collector_wait_end() waits for that. */
void collector_stop(struct collector *collector);
void collector_wait_end(struct collector *collector);

/* -- Looking --------------------------------------------------------------- */

/* CLOCK_MONOTONIC; a recording's present is its newest record. */
uint64_t collector_now(const struct collector *collector);
/* What is live is not collected any more: what is in flight is not known from now on. */
bool collector_has_ended(const struct collector *collector);

/* The model's lock for a reader: the collector makes way. */
void collector_lock(struct collector *collector);
void collector_unlock(struct collector *collector);
/*
 * Between two of many holds, unlocked: a mutex goes to whoever asks first, which would be the same
 * reader again. The collector has its turn, and readers that want the lock once.
 */
void collector_make_way(struct collector *collector);

/*
 * These have ended, though no record says so: unless they did something since. Takes the array;
 * one of before that was not looked at yet is dropped.
 */
struct exit_detector_task;
void collector_end_tasks(struct collector *collector, struct exit_detector_task *tasks,
			 size_t count);

/* Locked: whether a call passes the filter in force; now_ns is for calls in flight. */
bool collector_matches(const struct collector *collector, const struct call *call, uint64_t now_ns);

/* Locked: whether that filter asks for names of functions, which may come later. */
bool collector_asks_stacks(const struct collector *collector);

/* Takes the model's lock, and what was counted: see model_take_totals(). */
void collector_take_totals(struct collector *collector, struct model_taken *taken);

struct collector_status {
	struct source_status source;
	bool running, finished, filter_pending;
	uint32_t filter_version; /* changes when totals start over */
	bool target_pending;
	char error[ERR_TEXT_BYTES];
	uint32_t events_version; /* changes when other tracepoints were set */
	char events_error[ERR_TEXT_BYTES]; /* why they were not; empty: they were */
	char target_error[ERR_TEXT_BYTES]; /* why the last one is not in force; empty: it is */
};
void collector_status(struct collector *collector, struct collector_status *status);

/*
 * The lossless reader, one thread: up to max calls in order. Waits up to
 * timeout_ms; 0: none came; -ENODATA: the collector ended and all was read.
 */
int collector_read(struct collector *collector, struct call *calls, size_t max, int timeout_ms);

#endif
