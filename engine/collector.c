#include "engine/collector.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Records fed between two looks at who waits: some 100 µs of the model's lock. */
#define SLICE_RECORDS 1024
#define REFILL_CALLS 4096
/* A record makes at most two calls (LOST_EXIT and ORPHAN) and a gap. */
#define ROOM_PER_RECORD 8
#define WAIT_MS_INTERACTIVE 20
#define WAIT_MS_BATCH 10
/* What the source says of itself is text for people: often enough. */
#define STATUS_EVERY_NS (100 * NS_PER_MS)

/* The user half of the filter, as the model calls it. Immutable while in force. */
struct match {
	struct filter *filter;
};

struct collector {
	struct model *model;
	struct spaces *spaces;
	struct source *source;
	struct rates *rates;
	bool lossless;
	bool interactive;
	bool recorded; /* the source has a present of its own */
	uint64_t max_calls;

	pthread_t thread;
	atomic_uint waiting; /* readers that want the model's lock now */

	/* The mailbox, and what others are told. */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool begun, stop_wanted, abandoned, zero_wanted;
	bool running_is_wanted, running_wanted;
	bool filter_is_wanted;
	struct filter *filter_wanted;
	struct collector_status status;
	/* Event counts: whoever waits notes the number first, then looks, then waits. */
	uint64_t fills; /* the history grew */
	uint64_t reads; /* the reader moved on */

	/* The model's lock. */
	struct match *match; /* NULL: no filter */
	uint64_t read_seq;

	/* The collector's own. */
	bool locked; /* it holds the model's lock */
	unsigned slice;
	bool full;  /* max_calls were matched */
	bool ended; /* nothing more comes from the source */
	uint64_t status_ns;
};

/* -- The filter -------------------------------------------------------------- */

static const char *reader_comm(void *ctx, const struct call *call)
{
	return model_name(ctx, call->comm_id);
}

static bool match_call_at(const struct match *match, const struct call *call,
			  const struct model *model, uint64_t now_ns)
{
	/* model_name() does not change the model; the reader's context has no const. */
	struct filter_reader reader = {
		.ctx = (void *)(uintptr_t)model,
		.comm = reader_comm,
		.now_ns = now_ns,
	};

	return filter_match(match->filter, call, &reader);
}

static bool match_call(void *ctx, const struct call *call, const struct model *model)
{
	return match_call_at(ctx, call, model, call->enter_ns);
}

static struct match *match_new(struct filter *filter)
{
	struct match *match;

	if (!filter || filter_is_all(filter))
		return NULL;
	match = mem_zalloc(1, sizeof(*match));
	match->filter = filter_ref(filter);
	return match;
}

static void match_free(struct match *match)
{
	if (!match)
		return;
	filter_free(match->filter);
	free(match);
}

/* Locked, or before there is another thread. */
static void match_put_in_force(struct collector *c, struct match *match)
{
	struct match *old = c->match;

	c->match = match;
	model_set_match(c->model, match ? match_call : NULL, match);
	match_free(old);
}

/* -- Feeding ------------------------------------------------------------------- */

static void lock_model(struct collector *c)
{
	if (c->locked)
		return;
	model_lock(c->model);
	c->locked = true;
	c->slice = 0;
}

static void unlock_model(struct collector *c)
{
	if (!c->locked)
		return;
	model_unlock(c->model);
	c->locked = false;
}

/*
 * A mutex goes to whoever asks first after the unlock, which would be this
 * thread again: it stays away until those that announced themselves had it,
 * or for half a millisecond.
 */
static void make_way(struct collector *c)
{
	for (int i = 0; i < 10 && atomic_load(&c->waiting); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 50 * 1000 }, NULL);
}

static void tell_reader(struct collector *c)
{
	pthread_mutex_lock(&c->mutex);
	c->fills++;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->mutex);
}

/*
 * The history is full of calls that the reader has not got: the records stay in
 * the rings until it took some. Called and left with the lock held.
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
		unlock_model(c);
		tell_reader(c);
		pthread_mutex_lock(&c->mutex);
		while (c->reads == reads && !c->abandoned)
			pthread_cond_wait(&c->changed, &c->mutex);
		if (c->abandoned) {
			pthread_mutex_unlock(&c->mutex);
			lock_model(c);
			history_unhold(model_history(c->model));
			return;
		}
		pthread_mutex_unlock(&c->mutex);
		lock_model(c);
	}
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
	return status.calls_matched >= c->max_calls;
}

static void take_record(void *ctx, const struct record *record)
{
	struct collector *c = ctx;

	if (c->full)
		return;
	lock_model(c);
	if (c->lossless && model_room(c->model) < ROOM_PER_RECORD)
		wait_for_room(c);
	if (concerns_spaces(record->kind))
		spaces_feed(c->spaces, record);
	model_feed(c->model, record);
	if (c->max_calls && limit_reached(c))
		c->full = true;
	if (++c->slice >= SLICE_RECORDS) {
		unlock_model(c);
		make_way(c);
	}
}

/* A sentence that stays until the end: the first one is the cause of the others. */
static void note_error(struct collector *c, const struct err *err)
{
	pthread_mutex_lock(&c->mutex);
	if (!c->status.error[0])
		memcpy(c->status.error, err->text, sizeof(c->status.error));
	pthread_mutex_unlock(&c->mutex);
}

/* In a recording it is as late as the records are. Locked. */
static uint64_t source_now(struct collector *c, uint64_t now_ns)
{
	struct model_status status;

	if (!c->recorded)
		return now_ns;
	model_status(c->model, &status);
	return status.last_record_ns;
}

static int drain(struct collector *c, bool last)
{
	struct err err = { .text = "" };
	uint64_t now_ns = clock_now_ns();
	int rc = source_drain(c->source, take_record, c, &err);

	lock_model(c);
	if (c->lossless && model_room(c->model) < ROOM_PER_RECORD)
		wait_for_room(c);
	model_settle(c->model, last ? UINT64_MAX : source_now(c, now_ns));
	if (c->rates)
		rates_tick(c->rates, c->model, now_ns);
	unlock_model(c);
	if (c->lossless)
		tell_reader(c);
	if (rc < 0)
		note_error(c, &err);
	return rc;
}

/* -- Requests ------------------------------------------------------------------ */

static void apply_filter(struct collector *c, struct filter *filter)
{
	struct kernel_filter half;
	struct err err = { .text = "" };

	if (filter)
		filter_kernel_half(filter, &half);
	else
		kernel_filter_init(&half);
	/* Where the kernel refuses, the whole filter is tested here: slower, not wrong. */
	if (!c->ended)
		source_set_filter(c->source, &half, &err);
	kernel_filter_release(&half);

	struct match *match = match_new(filter);
	lock_model(c);
	match_put_in_force(c, match);
	if (c->rates)
		rates_rebase(c->rates);
	unlock_model(c);
}

/* Under the mutex. */
static bool has_mail(const struct collector *c)
{
	return c->filter_is_wanted || c->zero_wanted || c->running_is_wanted;
}

/* What others asked for since the last look. */
static void read_mail(struct collector *c)
{
	struct filter *filter = NULL;
	bool new_filter, zero, switch_running, running;
	struct err err = { .text = "" };

	pthread_mutex_lock(&c->mutex);
	new_filter = c->filter_is_wanted;
	if (new_filter)
		filter = c->filter_wanted;
	c->filter_is_wanted = false;
	c->filter_wanted = NULL;
	zero = c->zero_wanted;
	c->zero_wanted = false;
	switch_running = c->running_is_wanted;
	running = c->running_wanted;
	c->running_is_wanted = false;
	pthread_mutex_unlock(&c->mutex);

	if (zero) {
		lock_model(c);
		model_zero(c->model);
		if (c->rates)
			rates_rebase(c->rates);
		unlock_model(c);
	}
	if (new_filter) {
		apply_filter(c, filter);
		filter_free(filter);
	}
	if (switch_running && !c->ended && source_set_running(c->source, running, &err) < 0)
		note_error(c, &err);

	if (zero || new_filter || switch_running) {
		pthread_mutex_lock(&c->mutex);
		if (new_filter || zero)
			c->status.filter_version++;
		/* Another one may have come meanwhile. */
		if (new_filter)
			c->status.filter_pending = c->filter_is_wanted;
		if (switch_running && !c->ended && !err.text[0])
			c->status.running = running;
		pthread_mutex_unlock(&c->mutex);
		c->status_ns = 0;
	}
}

static bool refill(struct collector *c)
{
	bool more;

	lock_model(c);
	more = model_refill(c->model, REFILL_CALLS);
	unlock_model(c);
	make_way(c);
	return more;
}

static bool publish_status(struct collector *c)
{
	uint64_t now_ns = clock_now_ns();
	struct source_status status;

	if (c->status_ns && now_ns < c->status_ns + STATUS_EVERY_NS)
		return false;
	c->status_ns = now_ns;
	source_status(c->source, &status);
	pthread_mutex_lock(&c->mutex);
	c->status.source = status;
	pthread_mutex_unlock(&c->mutex);
	return status.finished;
}

static bool should_stop(struct collector *c)
{
	bool stop;

	pthread_mutex_lock(&c->mutex);
	stop = c->stop_wanted;
	pthread_mutex_unlock(&c->mutex);
	return stop;
}

static void collect(struct collector *c)
{
	int wait_ms = c->interactive ? WAIT_MS_INTERACTIVE : WAIT_MS_BATCH;
	bool refilling = false;

	for (;;) {
		struct model_status status;
		bool stop = should_stop(c);

		read_mail(c);
		if (!stop && source_wait(c->source, refilling ? 0 : wait_ms) < 0)
			stop = true;
		if (stop) {
			/* Off first: otherwise a busy machine would never be drained. */
			source_set_running(c->source, false, NULL);
			drain(c, true);
			return;
		}
		if (drain(c, false) < 0 || c->full || publish_status(c)) {
			source_set_running(c->source, false, NULL);
			drain(c, true);
			return;
		}
		lock_model(c);
		model_status(c->model, &status);
		unlock_model(c);
		refilling = status.refilling && refill(c);
	}
}

/* What was collected can still be filtered and zeroed. */
static void serve_until_freed(struct collector *c)
{
	struct model_status status = { .refilling = true };

	for (;;) {
		bool mail;

		pthread_mutex_lock(&c->mutex);
		while (!c->abandoned && !has_mail(c) && !status.refilling)
			pthread_cond_wait(&c->changed, &c->mutex);
		mail = has_mail(c);
		if (c->abandoned) {
			pthread_mutex_unlock(&c->mutex);
			return;
		}
		pthread_mutex_unlock(&c->mutex);
		if (mail)
			read_mail(c);
		lock_model(c);
		model_status(c->model, &status);
		unlock_model(c);
		if (status.refilling)
			status.refilling = refill(c);
	}
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
		publish_status(c);
		collect(c);
		c->status_ns = 0;
		publish_status(c);
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
	c->spaces = options->spaces;
	c->rates = options->rates;
	c->lossless = options->lossless;
	c->interactive = options->interactive;
	c->max_calls = options->max_calls;
	c->status.source.name = "";
	pthread_mutex_init(&c->mutex, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&c->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	match_put_in_force(c, match_new(options->filter));
	if (c->lossless) {
		c->read_seq = history_end(model_history(c->model));
		history_hold(model_history(c->model), c->read_seq);
	}

	/* Signals are for the thread that owns the terminal. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&c->thread, NULL, collector_main, c);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		match_free(c->match);
		pthread_cond_destroy(&c->changed);
		pthread_mutex_destroy(&c->mutex);
		free(c);
		return err_set(err, -rc, "cannot start the collecting thread: %s", strerror(rc));
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
	pthread_mutex_unlock(&c->mutex);
	pthread_join(c->thread, NULL);
	source_close(c->source);
	filter_free(c->filter_wanted);
	match_free(c->match);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->mutex);
	free(c);
}

void collector_begin(struct collector *c, struct source *source)
{
	struct source_status status;

	source_status(source, &status);
	pthread_mutex_lock(&c->mutex);
	c->source = source;
	c->recorded = status.until_ns;
	c->begun = true;
	c->status.running = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->mutex);
}

void collector_set_filter(struct collector *c, struct filter *filter)
{
	struct filter *replaced;

	pthread_mutex_lock(&c->mutex);
	replaced = c->filter_wanted;
	c->filter_wanted = filter ? filter_ref(filter) : NULL;
	c->filter_is_wanted = true;
	c->status.filter_pending = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->mutex);
	filter_free(replaced);
}

void collector_set_running(struct collector *c, bool running)
{
	pthread_mutex_lock(&c->mutex);
	c->running_wanted = running;
	c->running_is_wanted = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->mutex);
}

void collector_zero(struct collector *c)
{
	pthread_mutex_lock(&c->mutex);
	c->zero_wanted = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->mutex);
}

bool collector_is_lossless(const struct collector *c)
{
	return c->lossless;
}

void collector_stop(struct collector *c)
{
	pthread_mutex_lock(&c->mutex);
	c->stop_wanted = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->mutex);
}

void collector_wait_end(struct collector *c)
{
	pthread_mutex_lock(&c->mutex);
	while (!c->status.finished)
		pthread_cond_wait(&c->changed, &c->mutex);
	pthread_mutex_unlock(&c->mutex);
}

void collector_lock(struct collector *c)
{
	atomic_fetch_add(&c->waiting, 1);
	model_lock(c->model);
	atomic_fetch_sub(&c->waiting, 1);
}

void collector_unlock(struct collector *c)
{
	model_unlock(c->model);
}

bool collector_matches(const struct collector *c, const struct call *call, uint64_t now_ns)
{
	return !c->match || match_call_at(c->match, call, c->model, now_ns);
}

void collector_status(struct collector *c, struct collector_status *status)
{
	pthread_mutex_lock(&c->mutex);
	*status = c->status;
	pthread_mutex_unlock(&c->mutex);
}

/* -- The lossless reader ----------------------------------------------------------- */

static size_t read_calls(struct collector *c, struct call *calls, size_t max)
{
	struct history *history = model_history(c->model);
	size_t count = 0;

	collector_lock(c);
	for (; count < max; count++) {
		const struct call *call = history_get(history, c->read_seq);

		if (!call)
			break;
		calls[count] = *call;
		c->read_seq++;
	}
	if (count)
		history_hold(history, c->read_seq);
	collector_unlock(c);

	if (count) {
		pthread_mutex_lock(&c->mutex);
		c->reads++;
		pthread_cond_broadcast(&c->changed);
		pthread_mutex_unlock(&c->mutex);
	}
	return count;
}

static struct timespec deadline_after(int timeout_ms)
{
	uint64_t ns = clock_now_ns() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS;

	return (struct timespec){ .tv_sec = (time_t)(ns / NS_PER_S),
				  .tv_nsec = (long)(ns % NS_PER_S) };
}

int collector_read(struct collector *c, struct call *calls, size_t max, int timeout_ms)
{
	struct timespec deadline = deadline_after(timeout_ms);

	for (;;) {
		uint64_t fills;
		bool finished;
		size_t count;
		int rc = 0;

		pthread_mutex_lock(&c->mutex);
		fills = c->fills;
		finished = c->status.finished;
		pthread_mutex_unlock(&c->mutex);
		count = read_calls(c, calls, max);
		if (count)
			return (int)count;
		if (finished)
			return -ENODATA;
		pthread_mutex_lock(&c->mutex);
		while (c->fills == fills && !c->status.finished && !rc)
			rc = pthread_cond_timedwait(&c->changed, &c->mutex, &deadline);
		pthread_mutex_unlock(&c->mutex);
		if (rc)
			return 0;
	}
}
