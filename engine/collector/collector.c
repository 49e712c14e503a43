#include "engine/collector/collector.h"

#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/collector/collector_private.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/*
 * Time under the model's lock between two checks for waiting readers. With more threads than the
 * CPU caches hold, a record takes ten times as long, so the bound is not a number of records.
 */
#define SLICE_NS (300 * NS_PER_US)
#define RECORDS_PER_CLOCK 128
#define REFILL_CALLS 4096
#define REFILL_NS (10 * NS_PER_MS)
/* A record adds at most two calls (LOST_EXIT and ORPHAN) and a gap. So does each queued record. */
#define ROOM_PER_RECORD (4 * (PREFETCH_QUEUE_DEPTH + 1))
#define WAIT_MS_INTERACTIVE 20
#define WAIT_MS_BATCH 10
/* Number of drains without records after which the waits get longer. */
#define QUIET_DRAINS 20
#define WAIT_MS_QUIET 200
#define PRIORITY (-20)
/* The status of the source is text for display, so updates can be rare. */
#define STATUS_EVERY_NS (100 * NS_PER_MS)
/* Limit of lookups of sleeping threads in /proc: each takes 20 us, in a reader process. */
#define SLEEPERS_EVERY_NS (100 * NS_PER_MS)
#define SLEEPERS_AT_ONCE 16
#define STATUS_QUIET_NS (500 * NS_PER_MS)
/* With more ended processes in the untaken totals, no query took them for long: call `untaken`. */
#define UNTAKEN_MAX (TOTALS_ENDED_PROCESSES / 2)
/* Interval of checks for function names that a filter needs: they can arrive without any record. */
#define NAMES_EVERY_MS 50

/* -- Feeding ------------------------------------------------------------------- */

void collector_lock_model(struct collector *c)
{
	if (c->locked)
		return;
	model_lock(c->model);
	c->locked = true;
	c->room = 0;
	c->slice = 0;
	c->slice_ns = clock_now_ns() + SLICE_NS;
}

void collector_unlock_model(struct collector *c)
{
	if (!c->locked)
		return;
	model_unlock(c->model);
	c->locked = false;
}

void collector_before_wait(void *ctx)
{
	collector_unlock_model(ctx);
}

/*
 * A mutex goes to the first thread that locks it after the unlock, which would be this thread
 * again. Stay away until the announced readers have had the lock, or for half a millisecond.
 */
static void make_way(struct collector *c)
{
	for (int i = 0; i < 10 && atomic_load(&c->waiting); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 50 * 1000 }, NULL);
}

static void emit_reader(struct collector *c)
{
	pthread_mutex_lock(&c->mutex);
	c->fills++;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->mutex);
}

/*
 * Wait while the history is full of calls that the reader has not read; the records stay in the
 * rings. The model's lock is held on entry and on return.
 *
 * Wait only while there are unread calls: a reader that has read all calls waits for the collector.
 * Without unread calls, all room is reserved for calls that wait for their restart, one in each of
 * many threads. End the oldest of these calls early.
 */
static void wait_for_room(struct collector *c)
{
	for (;;) {
		uint64_t reads;

		pthread_mutex_lock(&c->mutex);
		reads = c->reads;
		pthread_mutex_unlock(&c->mutex);
		if (model_room(c->model) >= ROOM_PER_RECORD)
			return;
		if (!history_is_held(model_history(c->model))) {
			prefetch_queue_flush(&c->prefetch_queue);
			model_settle_early(c->model, ROOM_PER_RECORD);
			continue;
		}
		collector_unlock_model(c);
		emit_reader(c);
		pthread_mutex_lock(&c->mutex);
		while (c->reads == reads && !c->abandoned)
			pthread_cond_wait(&c->changed, &c->mutex);
		if (c->abandoned) {
			pthread_mutex_unlock(&c->mutex);
			collector_lock_model(c);
			history_unhold(model_history(c->model));
			return;
		}
		pthread_mutex_unlock(&c->mutex);
		collector_lock_model(c);
	}
}

/*
 * Reserve room for a record. model_room() takes longer than feeding a record, so it is called again
 * only when the room that it last returned is used up.
 */
static void take_room(struct collector *c)
{
	if (c->room < ROOM_PER_RECORD) {
		if (model_room(c->model) < ROOM_PER_RECORD)
			wait_for_room(c);
		c->room = model_room(c->model);
	}
	c->room -= c->room < ROOM_PER_RECORD ? c->room : ROOM_PER_RECORD;
}

static bool concerns_spaces(enum record_kind kind)
{
	switch (kind) {
	case RECORD_MAP:
	case RECORD_FORK:
	case RECORD_COMM:
	case RECORD_TASK:
	case RECORD_TASK_EXIT:
		return true;
	default:
		return false;
	}
}

static bool limit_reached(const struct collector *c)
{
	struct model_status status;

	model_status(c->model, &status);
	return status.calls_matched + status.events_matched >= c->max_calls;
}

/* Pass a record to the flight recorder. Call it locked, before the model gets the record. */
static void store_record(struct collector *c, const struct record *record)
{
	if (flight_is_due(c->flight)) {
		prefetch_queue_flush(&c->prefetch_queue);
		flight_begin(c->flight, record->time_ns);
	}
	flight_take(c->flight, record);
}

void collector_feed(struct collector *c, const struct record *record)
{
	if (c->recorded)
		collector_play_tick(c, record);
	if (c->recorder && recorder_is_on(c->recorder))
		recorder_take(c->recorder, record);
	collector_lock_model(c);
	if (c->lossless)
		take_room(c);
	if (c->flight && flight_is_on(c->flight))
		store_record(c, record);
	if (concerns_spaces(record->kind)) {
		prefetch_queue_flush(&c->prefetch_queue);
		spaces_feed(c->spaces, record);
	}
	prefetch_queue_feed(&c->prefetch_queue, record);
	if (c->max_calls) {
		prefetch_queue_flush(&c->prefetch_queue);
		c->full = limit_reached(c);
	}
	if (++c->slice % RECORDS_PER_CLOCK == 0 && clock_now_ns() >= c->slice_ns) {
		collector_unlock_model(c);
		make_way(c);
	}
}

static void take_record(void *ctx, const struct record *record)
{
	struct collector *c = ctx;
	struct record gone;

	if (c->full)
		return;
	if (c->recorded) {
		if (!task_limit_admit(&c->task_limit, record))
			return;
		while (task_limit_next_evicted(&c->task_limit, record->time_ns, &gone))
			collector_feed(c, &gone);
	}
	collector_feed(c, record);
}

void collector_note_error(struct collector *c, const struct err *err)
{
	pthread_mutex_lock(&c->mutex);
	if (!c->status.error[0])
		memcpy(c->status.error, err->text, sizeof(c->status.error));
	pthread_mutex_unlock(&c->mutex);
}

/*
 * Return the present of the source. For a recording: the time that the source reports, or the last
 * tick. So the result does not depend on where reading stopped.
 */
static uint64_t source_now(struct collector *c, uint64_t now_ns)
{
	uint64_t reported_ns = source_delivered_ns(c->source);
	if (!c->recorded)
		return now_ns;
	return reported_ns ? reported_ns : c->tick_ns;
}

/* Locked. Store the time of the end: calls in flight age only up to it, as in a recording. */
static void note_end(struct collector *c, uint64_t now_ns)
{
	struct model_status status;

	model_status(c->model, &status);
	atomic_store(&c->ended_ns, now_ns > status.last_record_ns ? now_ns : status.last_record_ns);
}

/* Locked. Store threads whose call may be held before sys_enter; return their number. */
static size_t take_sleepers(struct collector *c, uint64_t now_ns, uint32_t *tids)
{
	if (!c->source->ops->look_up || now_ns < c->sleepers_ns + SLEEPERS_EVERY_NS)
		return 0;
	c->sleepers_ns = now_ns;
	return model_sleepers(c->model, now_ns, tids, SLEEPERS_AT_ONCE);
}

int collector_drain(struct collector *c, bool last)
{
	uint32_t sleepers[SLEEPERS_AT_ONCE];
	struct err err = { .text = "" };
	uint64_t now_ns = clock_now_ns();
	int rc = source_drain(c->source, take_record, c, &err);
	size_t untaken, sleeping;

	collector_lock_model(c);
	if (c->lossless && model_room(c->model) < ROOM_PER_RECORD)
		wait_for_room(c);
	prefetch_queue_flush(&c->prefetch_queue);
	now_ns = source_now(c, now_ns);
	model_settle(c->model, last ? UINT64_MAX : now_ns);
	if (last)
		note_end(c, now_ns);
	if (c->recorder && recorder_is_on(c->recorder))
		recorder_drained(c->recorder, now_ns);
	if (c->flight && flight_is_on(c->flight))
		flight_drained(c->flight, now_ns);
	if (c->rates)
		rates_tick(c->rates, c->model, now_ns);
	untaken = model_untaken(c->model);
	sleeping = take_sleepers(c, now_ns, sleepers);
	collector_unlock_model(c);
	if (sleeping)
		source_look_up(c->source, sleepers, sleeping);
	if (untaken > UNTAKEN_MAX && c->untaken)
		c->untaken(c->untaken_ctx);
	if (c->lossless)
		emit_reader(c);
	if (rc < 0)
		collector_note_error(c, &err);
	return rc;
}

/* -- The loop ----------------------------------------------------------------------- */

bool collector_refill(struct collector *c)
{
	bool more;

	collector_lock_model(c);
	more = model_refill(c->model, REFILL_CALLS);
	collector_unlock_model(c);
	make_way(c);
	return more;
}

/*
 * Refill the totals of a pending filter, which are shown only when complete. The rings must not
 * fill up between two drains. Draining takes time too, so the refill gets only REFILL_NS.
 */
static bool refill_for(struct collector *c)
{
	uint64_t until_ns = clock_now_ns() + REFILL_NS;
	bool more;

	do
		more = collector_refill(c);
	while (more && clock_now_ns() < until_ns);
	return more;
}

/* Evicted tasks do not damage the data; mention them in the status note. */
static void note_task_limit(const struct collector *c, struct source_status *status)
{
	size_t len = strlen(status->note);

	if (c->task_limit.evicted)
		snprintf(status->note + len, sizeof(status->note) - len,
			 "%smore than %zu threads at the same time: %" PRIu64 " were evicted",
			 len ? "; " : "", TASK_LIMIT_MAX, c->task_limit.evicted);
	len = strlen(status->note);
	if (c->task_limit.rejected)
		snprintf(status->note + len, sizeof(status->note) - len,
			 "%s%" PRIu64 " records were rejected: impossible tid or time",
			 len ? "; " : "", c->task_limit.rejected);
	status->damaged |= c->task_limit.rejected != 0;
}

static bool is_quiet(const struct collector *c)
{
	return c->interactive && c->quiet_drains >= QUIET_DRAINS;
}

bool collector_publish(struct collector *c)
{
	uint64_t now_ns = clock_now_ns();
	struct source_status status;

	if (c->status_ns &&
	    now_ns < c->status_ns + (is_quiet(c) ? STATUS_QUIET_NS : STATUS_EVERY_NS))
		return false;
	c->status_ns = now_ns;
	source_status(c->source, &status);
	note_task_limit(c, &status);
	pthread_mutex_lock(&c->mutex);
	c->status.source = status;
	pthread_mutex_unlock(&c->mutex);
	return status.finished;
}

bool collector_should_stop(struct collector *c)
{
	bool stop;

	pthread_mutex_lock(&c->mutex);
	stop = c->stop_wanted;
	pthread_mutex_unlock(&c->mutex);
	return stop;
}

/*
 * Raise the priority of a live collector. Among thousands of runnable threads it would run only
 * every few seconds, and the rings would lose records. Without permission, the priority stays.
 */
static void go_before_others(const struct collector *c)
{
	const struct sched_param lowest = { .sched_priority = sched_get_priority_min(SCHED_RR) };
	bool live = !c->status.source.from_ns;

	if (!live)
		return;
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* only this thread */
	/*
	 * A nice value counts only within the session's autogroup or the cgroup. With it alone, a
	 * third of all records was lost at a load of 40. Child threads do not inherit the policy.
	 */
	if (c->interactive)
		sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest);
}

static int wait_ms(const struct collector *c)
{
	if (!c->interactive)
		return WAIT_MS_BATCH;
	return is_quiet(c) ? WAIT_MS_QUIET : WAIT_MS_INTERACTIVE;
}

static void collect(struct collector *c)
{
	if (c->source->ops->play) {
		collector_play(c);
		return;
	}

	uint64_t generation = 0;
	bool refilling = false;

	for (;;) {
		struct model_status status;
		bool stop;

		collector_read_mail(c);
		stop = collector_should_stop(c);
		if (!stop && source_wait(c->source, refilling ? 0 : wait_ms(c)) < 0)
			stop = true;
		if (stop) {
			/* Disable events first: on a busy machine, a drain would never end. */
			source_set_running(c->source, false, NULL);
			collector_drain(c, true);
			return;
		}
		if (collector_drain(c, false) < 0 || c->full || collector_publish(c)) {
			source_set_running(c->source, false, NULL);
			collector_drain(c, true);
			return;
		}
		collector_lock_model(c);
		model_status(c->model, &status);
		collector_unlock_model(c);
		c->quiet_drains = status.generation == generation ? c->quiet_drains + 1 : 0;
		generation = status.generation;
		refilling = status.refilling && refill_for(c);
	}
}

/* Serve requests after the end: the collected calls can still be filtered and zeroed. */
static void serve_until_freed(struct collector *c)
{
	struct model_status status = { .refilling = true };

	for (;;) {
		struct timespec deadline;
		bool mail;

		pthread_mutex_lock(&c->mutex);
		while (!c->abandoned && !collector_has_mail(c) && !status.refilling) {
			if (!status.pending_match) {
				pthread_cond_wait(&c->changed, &c->mutex);
				continue;
			}
			/* The arrival of names is not signalled: check again. */
			deadline = collector_deadline(NAMES_EVERY_MS);
			if (pthread_cond_timedwait(&c->changed, &c->mutex, &deadline))
				break;
		}
		mail = collector_has_mail(c);
		if (c->abandoned) {
			pthread_mutex_unlock(&c->mutex);
			return;
		}
		pthread_mutex_unlock(&c->mutex);
		if (mail)
			collector_read_mail(c);
		collector_lock_model(c);
		model_status(c->model, &status);
		collector_unlock_model(c);
		if (status.refilling)
			status.refilling = collector_refill(c);
	}
}

/* End the flight recorder: a file that is being written gets no more records. */
static void end_flight(struct collector *c)
{
	if (!c->flight)
		return;
	collector_lock_model(c);
	flight_end(c->flight);
	collector_unlock_model(c);
}

static void *collector_main(void *arg)
{
	struct collector *c = arg;
	bool collects;

	pthread_setname_np(pthread_self(), "collector");
	pthread_mutex_lock(&c->mutex);
	while (!c->begun && !c->stop_wanted)
		pthread_cond_wait(&c->changed, &c->mutex);
	collects = c->begun;
	pthread_mutex_unlock(&c->mutex);

	if (collects) {
		collector_publish(c);
		go_before_others(c);
		collect(c);
		if (!c->recording_lasts)
			collector_switch_recording(c, false, 0);
		end_flight(c);
		c->status_ns = 0;
		collector_publish(c);
	}
	pthread_mutex_lock(&c->mutex);
	c->ended = true;
	c->status.finished = true;
	c->status.running = false;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->mutex);
	serve_until_freed(c);
	return NULL;
}

/* -- For the engine -------------------------------------------------------------- */

int collector_new(struct collector **collector, const struct collector_options *options,
		  struct err *err)
{
	struct collector *c = mem_zalloc(1, sizeof(*c));
	pthread_condattr_t monotonic;
	sigset_t all, old;
	int rc;

	c->model = options->model;
	prefetch_queue_init(&c->prefetch_queue, c->model);
	c->spaces = options->spaces;
	c->rates = options->rates;
	c->lossless = options->lossless;
	c->interactive = options->interactive;
	c->recorded = options->recorded;
	c->max_calls = options->max_calls;
	c->fds = options->fds;
	c->recorder = options->recorder;
	c->flight = options->flight;
	c->recording_lasts = options->recording_lasts;
	c->untaken = options->untaken;
	c->untaken_ctx = options->untaken_ctx;
	c->fds_first = options->fds_first;
	c->status.source.name = "";
	if (c->recorded)
		task_limit_init(&c->task_limit, TASK_LIMIT_MAX);
	playhead_init(&c->head, PLAY_FROM_START, PLAY_TO_END, PLAY_UNLIMITED);
	c->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->wake_fd < 0) {
		rc = errno;
		free(c);
		return err_set(err, -rc, "cannot start the collector thread: %s", strerror(rc));
	}
	lock_init(&c->mutex);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&c->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	collector_put_match(c, match_new(options->filter));
	if (c->lossless) {
		c->read_seq = history_end(model_history(c->model));
		c->held_seq = c->read_seq;
		history_hold(model_history(c->model), c->read_seq);
	}

	/* Signals go to the thread that owns the terminal. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&c->thread, NULL, collector_main, c);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		match_free(c->match);
		pthread_cond_destroy(&c->changed);
		pthread_mutex_destroy(&c->mutex);
		close(c->wake_fd);
		task_limit_release(&c->task_limit);
		free(c);
		return err_set(err, -rc, "cannot start the collector thread: %s", strerror(rc));
	}
	*collector = c;
	return 0;
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->mutex);
	c->stop_wanted = true;
	c->abandoned = true;
	pthread_cond_broadcast(&c->changed);
	eventfd_write(c->wake_fd, 1);
	pthread_mutex_unlock(&c->mutex);
	pthread_join(c->thread, NULL);
	source_close(c->source);
	filter_free(c->filter_wanted);
	free(c->events_wanted);
	free(c->gone);
	target_release(&c->target_wanted);
	match_free(c->match);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->mutex);
	close(c->wake_fd);
	task_limit_release(&c->task_limit);
	free(c);
}

uint64_t collector_now(const struct collector *c)
{
	uint64_t ended_ns = atomic_load(&c->ended_ns);

	if (c->recorded)
		return atomic_load(&c->recorded_ns);
	return ended_ns ? ended_ns : clock_now_ns();
}

bool collector_has_ended(const struct collector *c)
{
	return atomic_load(&c->ended_ns) != 0;
}

void collector_begin(struct collector *c, struct source *source)
{
	struct source_status status;

	source_status(source, &status);
	pthread_mutex_lock(&c->mutex);
	c->source = source;
	atomic_store(&c->recorded_ns, status.until_ns);
	collector_play_begin(c);
	c->begun = true;
	c->status.running = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->mutex);
}
