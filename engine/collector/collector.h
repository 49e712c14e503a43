/*
 * collector - the thread that moves records from the source to the model.
 *
 * Between collector_begin() and the end, only this thread uses the source. It feeds the model in
 * slices, so that no reader waits long for the model's lock, and yields to readers that announced
 * themselves with collector_lock(). Other threads send requests (a filter, a pause, the end)
 * through a mailbox; a descriptor that the source also waits for wakes the collector. A lossless
 * reader and the collector wait for each other: see collector_read().
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
	struct rates *rates; /* borrowed; under the model's lock. NULL: no rates */
	struct fds *fds; /* borrowed; NULL: no tracking of descriptors */
	bool fds_first; /* collect calls that change descriptors whatever the filter is */
	bool lossless; /* collector_read() returns every call */
	bool interactive;
	bool recorded; /* the source is a recording */
	uint64_t max_calls; /* end after this many matched calls; 0: no limit */
	struct filter *filter; /* initial filter; takes a reference */
	struct recorder *recorder; /* borrowed; NULL: never records */
	struct flight *flight; /* borrowed; NULL: no flight recorder */
	/*
	 * Called on the collector's thread when totals of many ended processes have accumulated:
	 * take the totals. NULL: they are never taken.
	 */
	void (*untaken)(void *ctx);
	void *untaken_ctx;
	/* End the recording on request, not when collection ends: observations still follow. */
	bool recording_lasts;
};

/* Start the thread, which waits for collector_begin(): the source must know its tid first. */
int collector_new(struct collector **collector, const struct collector_options *options,
		  struct err *err);
/* End the thread without waiting for a reader, and close the source. NULL is allowed. */
void collector_free(struct collector *collector);

/*
 * Collector's thread, in a drain: release the model's lock before a wait. The collector takes it
 * again for the next record. ctx: the collector. See source_options.
 */
void collector_before_wait(void *ctx);

/* Return a descriptor for wait() of the source: readable when a request is in the mailbox. */
int collector_wake_fd(const struct collector *collector);

/*
 * Call before collector_begin(). Set the span of a recording and the speed; default: the whole
 * recording.
 */
void collector_set_span(struct collector *collector, uint64_t from_ns, uint64_t until_ns,
			double speed);
/* Takes ownership of the source, which has been started. */
void collector_begin(struct collector *collector, struct source *source);

/* -- Requests: any thread, return at once --------------------------------- */

void collector_set_filter(struct collector *collector, struct filter *filter);
/* Copies the target. */
void collector_set_target(struct collector *collector, const struct target *target);
void collector_set_running(struct collector *collector, bool running);
void collector_zero(struct collector *collector);
/* Set the tracepoints of -E, see event_list.h. The result is in events_version and events_error. */
void collector_set_events(struct collector *collector, const char *list);
void collector_set_user_stacks(struct collector *collector, uint32_t pid);
/* Start or stop passing records to the recorder, which is open. from_ns: see recorder_begin(). */
void collector_set_recording(struct collector *collector, bool recording, uint64_t from_ns);
/* See play.h. Copies the requests. */
void collector_play_ask(struct collector *collector, const struct playhead_requests *requests);
void collector_play_status(struct collector *collector, struct play_status *status);
size_t collector_play_density(struct collector *collector, uint64_t from_ns, uint64_t until_ns,
			      uint32_t *records, size_t count);
bool collector_is_lossless(const struct collector *collector);
/* Request one last drain and the end; collector_wait_end() waits for it. */
void collector_stop(struct collector *collector);
void collector_wait_end(struct collector *collector);

/* -- Queries --------------------------------------------------------------- */

/*
 * Return the present: CLOCK_MONOTONIC or, after the end of a live collection, the time of its end.
 * For a recording: the time of its present.
 */
uint64_t collector_now(const struct collector *collector);
/* True if a live collection has ended: the state of calls in flight is unknown from then on. */
bool collector_has_ended(const struct collector *collector);

/* Take the model's lock for a reader; the collector yields. */
void collector_lock(struct collector *collector);
void collector_unlock(struct collector *collector);
/*
 * Let the collector and occasional readers take the lock. Call unlocked, between two of many short
 * holds: a mutex goes to the first thread that locks it, which would be the same reader again.
 */
void collector_make_way(struct collector *collector);

/*
 * Report tasks that ended without an exit record. A task with activity since the scan is skipped.
 * Takes ownership of the array, which replaces an earlier array that is still unread.
 */
struct exit_detector_task;
void collector_end_tasks(struct collector *collector, struct exit_detector_task *tasks,
			 size_t count);

/* Locked: true if a call passes the filter in force; now_ns is for calls in flight. */
bool collector_matches(const struct collector *collector, const struct call *call, uint64_t now_ns);

/* Locked: true if the filter in force needs function names, which may be resolved later. */
bool collector_asks_stacks(const struct collector *collector);
/* Locked: true if that filter needs names of descriptors or memory, which may be read later. */
bool collector_asks_memory(const struct collector *collector);

/* Move the totals to *taken, see model_take_totals(). Takes the model's lock. */
void collector_take_totals(struct collector *collector, struct model_taken *taken);

struct collector_status {
	struct source_status source;
	bool running, finished, filter_pending;
	uint32_t filter_version; /* changes when totals start over */
	bool target_pending;
	char error[ERR_TEXT_BYTES];
	uint32_t events_version; /* changes after each request for tracepoints */
	char events_error[ERR_TEXT_BYTES]; /* why the last request failed; empty: it succeeded */
	char target_error[ERR_TEXT_BYTES]; /* why the last target failed; empty: it is in force */
};
void collector_status(struct collector *collector, struct collector_status *status);

/*
 * The lossless reader, one thread: read up to max calls in order. Wait up to timeout_ms. Return the
 * count; 0: timeout; -ENODATA: the collector has ended and all calls were read. The calls and the
 * memory behind their pointers stay valid until the next read.
 */
int collector_read(struct collector *collector, struct call *calls, size_t max, int timeout_ms);

#endif
