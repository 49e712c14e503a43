/* collector_play - the collector's loop for a recording: reads up to the present, and seeks. */
#include "engine/collector/collector_private.h"

#include "engine/base/clock.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

/*
 * Calls that wait for their restart are settled at multiples of this recording time. So the result
 * does not depend on where reading stopped.
 */
#define TICK_NS (10 * NS_PER_MS)
/* Interval at which the present advances at a set speed. */
#define STEP_MS 10
#define WAIT_MS 50

static const struct source_play_ops *ops_of(const struct collector *c)
{
	return c->source->ops->play;
}

static uint64_t first_ns(const struct collector *c)
{
	struct source_extent extent;

	ops_of(c)->extent(c->source, &extent);
	return extent.first_ns;
}

void collector_play_tick(struct collector *c, const struct record *record)
{
	uint64_t tick_ns = record->time_ns - record->time_ns % TICK_NS;

	if (tick_ns <= c->tick_ns || source_delivered_ns(c->source))
		return;
	c->tick_ns = tick_ns;
	collector_lock_model(c);
	prefetch_queue_flush(&c->prefetch_queue);
	model_settle(c->model, tick_ns);
	c->room = 0;
}

/* -- Position ------------------------------------------------------------------------------ */

static uint64_t clamp(uint64_t ns, uint64_t low, uint64_t high)
{
	return ns > high ? high : ns < low ? low : ns;
}

static void emit_status(struct collector *c)
{
	const struct playhead *head = &c->head;
	const char *refusal = ops_of(c)->refusal(c->source);
	struct source_extent extent;
	struct play_status status = {
		.recorded = true,
		.possible = !refusal,
		.at_ns = head->at_ns,
		.speed = head->speed,
		.paused = head->paused && !head->calls_left,
		.at_end = head->ended,
		.moving = head->moving,
		.progress = playhead_progress(head),
	};

	if (refusal)
		snprintf(status.why_not, sizeof(status.why_not), "%s", refusal);
	ops_of(c)->extent(c->source, &extent);
	status.first_ns = extent.first_ns;
	status.last_ns = extent.last_ns > head->at_ns ? extent.last_ns : head->at_ns;
	status.last_known = extent.last_known;
	/* A span that begins after the last record is empty; its present is the last record. */
	if (extent.last_known && status.at_ns > extent.last_ns)
		status.at_ns = status.last_ns = extent.last_ns;
	if (extent.last_known && head->from_ns > extent.last_ns)
		status.beyond_ns = head->from_ns;
	status.from_ns = clamp(head->from_ns, extent.first_ns, status.last_ns);
	status.until_ns = clamp(head->until_ns, status.from_ns, status.last_ns);
	status.target_ns = clamp(head->target_ns, status.from_ns, status.until_ns);
	if (head->moving && head->target_ns > status.last_ns &&
	    status.last_ns > head->moved_from_ns)
		status.progress = (double)(head->at_ns - head->moved_from_ns) /
				  (double)(status.last_ns - head->moved_from_ns);
	status.whole = head->from_ns <= extent.first_ns && head->until_ns > status.last_ns;
	status.incomplete = extent.incomplete;
	status.bytes = extent.bytes;
	status.bytes_read = extent.bytes_read;
	status.bytes_indexed = extent.bytes_indexed;
	status.indexing = extent.indexing;
	atomic_store(&c->recorded_ns, status.at_ns);
	pthread_mutex_lock(&c->mutex);
	status.version = c->play.version;
	status.asked = c->play_wanted.wanted != 0;
	c->play = status;
	/* A later request can resume reading. */
	if (c->interactive)
		c->status.finished = head->ended;
	c->status.running = !head->ended && !status.paused;
	pthread_mutex_unlock(&c->mutex);
}

void collector_play_begin(struct collector *c)
{
	if (!ops_of(c))
		return;
	if (c->head.from_ns > first_ns(c)) {
		ops_of(c)->seek(c->source, c->head.from_ns);
		model_start_over(c->model, c->head.from_ns);
	}
	playhead_rewind(&c->head, first_ns(c));
	c->history_seq = history_end(model_history(c->model));
}

static void start_over(struct collector *c)
{
	uint64_t beginning = first_ns(c);

	ops_of(c)->seek(c->source, c->head.from_ns);
	collector_lock_model(c);
	model_start_over(c->model, c->head.from_ns > beginning ? c->head.from_ns : 0);
	spaces_start_over(c->spaces);
	task_limit_clear(&c->task_limit);
	c->history_seq = history_end(model_history(c->model));
	collector_unlock_model(c);
	c->calls_from_ns = 0;
	c->tick_ns = 0;
	c->kept_out = false;
	playhead_rewind(&c->head, beginning);
	pthread_mutex_lock(&c->mutex);
	c->play.version++;
	c->status.filter_version++;
	pthread_mutex_unlock(&c->mutex);
	c->status_ns = 0;
}

/* -- Requests ------------------------------------------------------------------------------ */

static void apply(struct collector *c, const struct playhead_requests *requests)
{
	if (!requests->wanted || c->ended || !ops_of(c) || ops_of(c)->refusal(c->source))
		return;
	if (playhead_move(&c->head, requests, first_ns(c)))
		start_over(c);
	emit_status(c);
}

void collector_play_mail(struct collector *c)
{
	struct playhead_requests requests;

	pthread_mutex_lock(&c->mutex);
	requests = c->play_wanted;
	c->play_wanted.wanted = 0;
	pthread_mutex_unlock(&c->mutex);
	apply(c, &requests);
}

void collector_play_pause(struct collector *c, bool paused)
{
	apply(c, &(struct playhead_requests){ .wanted = PLAYHEAD_PAUSE, .paused = paused });
}

void collector_play_refilter(struct collector *c)
{
	bool evicted;

	if (!ops_of(c) || !c->interactive)
		return;
	collector_lock_model(c);
	evicted = history_first(model_history(c->model)) > c->history_seq;
	collector_unlock_model(c);
	if (evicted || c->kept_out)
		apply(c, &(struct playhead_requests){ .wanted = PLAYHEAD_AGAIN });
}

/* -- Reading ------------------------------------------------------------------------------- */

static uint64_t count_matched(struct collector *c)
{
	struct model_status status;

	collector_lock_model(c);
	model_status(c->model, &status);
	collector_unlock_model(c);
	return status.calls_matched + status.events_matched;
}

/* Read a slice, at most up to limit_ns. False: the source failed. */
static bool read_on(struct collector *c, uint64_t limit_ns)
{
	struct playhead *head = &c->head;
	bool single = head->calls_left > 0;
	uint64_t matched = single ? count_matched(c) : 0, at_ns;
	enum source_play_state state;

	c->kept_out = c->kept_out || c->match;
	ops_of(c)->limit(c->source, limit_ns, single);
	if (collector_drain(c, false) < 0)
		return false;
	if (c->calls_from_ns != ops_of(c)->calls_from(c->source)) {
		c->calls_from_ns = ops_of(c)->calls_from(c->source);
		collector_lock_model(c);
		model_expect_from(c->model, c->calls_from_ns);
		collector_unlock_model(c);
	}
	state = ops_of(c)->state(c->source);
	at_ns = ops_of(c)->at(c->source);
	if (single)
		playhead_saw_calls(head, count_matched(c) - matched);
	playhead_came(head, state == SOURCE_STANDS ? limit_ns : at_ns, state == SOURCE_ENDED);
	collector_lock_model(c);
	model_reach(c->model, state == SOURCE_ENDED    ? UINT64_MAX
			      : state == SOURCE_STANDS ? limit_ns
						       : at_ns);
	collector_unlock_model(c);
	/* No further record can change calls that wait for their restart: settle them. */
	if (state == SOURCE_ENDED)
		collector_drain(c, true);
	if (state == SOURCE_WAITS)
		source_wait(c->source, WAIT_MS);
	return true;
}

/* Sleep until a request or a timeout. The index thread sends no wakeup: poll its progress. */
static void wait_for_mail(struct collector *c, bool pending_match)
{
	struct pollfd wake = { .fd = c->wake_fd, .events = POLLIN };
	bool changes = pending_match || c->play.indexing;

	poll(&wake, 1, playhead_ticks(&c->head) ? STEP_MS : changes ? WAIT_MS : -1);
}

/* True if the user can navigate the recording. */
static bool stays(const struct collector *c)
{
	return c->interactive && !ops_of(c)->refusal(c->source);
}

void collector_play(struct collector *c)
{
	bool refilling = false;

	for (;;) {
		struct model_status status;
		uint64_t limit_ns;

		emit_status(c);
		collector_read_mail(c);
		if (collector_should_stop(c) || (c->head.ended && !stays(c)) || c->full) {
			collector_drain(c, true);
			return;
		}
		limit_ns = playhead_limit(&c->head, clock_now_ns());
		collector_lock_model(c);
		model_status(c->model, &status);
		collector_unlock_model(c);
		if (limit_ns > c->head.at_ns && !read_on(c, limit_ns))
			return;
		refilling = status.refilling && collector_refill(c);
		if (c->head.ended && !stays(c))
			continue;
		if (limit_ns <= c->head.at_ns && !refilling) {
			c->status_ns = 0;
			collector_publish(c);
			emit_status(c);
			wait_for_mail(c, status.pending_match);
		} else {
			collector_publish(c);
		}
	}
}

void collector_set_span(struct collector *c, uint64_t from_ns, uint64_t until_ns, double speed)
{
	playhead_init(&c->head, from_ns, until_ns > from_ns ? until_ns : from_ns + 1, speed);
}

/* -- Other threads ------------------------------------------------------------------------- */

void collector_play_ask(struct collector *c, const struct playhead_requests *requests)
{
	pthread_mutex_lock(&c->mutex);
	playhead_requests_add(&c->play_wanted, requests);
	c->play.asked = true;
	collector_wake(c);
	pthread_mutex_unlock(&c->mutex);
}

void collector_play_status(struct collector *c, struct play_status *status)
{
	pthread_mutex_lock(&c->mutex);
	*status = c->play;
	pthread_mutex_unlock(&c->mutex);
}

/* Any thread: the source is open until the collector is freed. */
size_t collector_play_density(struct collector *c, uint64_t from_ns, uint64_t until_ns,
			      uint32_t *records, size_t count)
{
	const struct source_play_ops *ops = ops_of(c);

	return ops && ops->density ? ops->density(c->source, from_ns, until_ns, records, count) : 0;
}
