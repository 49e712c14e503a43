/* collector_mail - serves requests of other threads on the collector's thread. */
#include "engine/collector/collector_private.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/collector/exit_detector.h"
#include "engine/fds/fd_filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

/* Longest time until a new filter is in force everywhere. */
#define FILTER_IN_FORCE_NS (100 * NS_PER_MS)

void collector_put_match(struct collector *c, struct match *match)
{
	struct match *old = c->match;

	c->match = match;
	model_set_match(c->model, match ? match_call : NULL, match);
	match_free(old);
}
/* Selects calls in flight that stay. For each call that does not stay, emits a RECORD_FORGET. */
struct keeping {
	struct collector *collector;
	const struct kernel_filter *filter; /* NULL: selects by target */
};

static bool keeps(void *ctx, const struct call *call)
{
	const struct keeping *keeping = ctx;
	struct collector *c = keeping->collector;
	struct record forget = { .kind = RECORD_FORGET, .pid = call->pid, .tid = call->tid };

	if (keeping->filter ? kernel_filter_passes(keeping->filter, call->pid, call->tid, call->nr)
			    : source_watches(c->source, call->pid, call->tid))
		return true;
	if (c->recorder && recorder_is_on(c->recorder))
		recorder_take(c->recorder, &forget);
	if (c->flight && flight_is_on(c->flight))
		flight_take(c->flight, &forget);
	return false;
}

static void apply_filter(struct collector *c, struct filter *filter)
{
	struct kernel_filter half;
	uint64_t now_ns = clock_now_ns();
	struct err err = { .text = "" };

	if (filter)
		filter_kernel_half(filter, &half);
	else
		kernel_filter_init(&half);
	if (c->fds && c->fds_first)
		fd_filter_widen(&half);
	/* A recording delivers all calls, regardless of the filter. */
	if (c->fds && !c->recorded)
		fds_set_blind(c->fds, true, now_ns);
	/* If the kernel refuses the pushdown, the model tests the whole filter, which is slower. */
	bool narrowed = !c->ended && !c->recorded && source_set_filter(c->source, &half, &err) >= 0;

	/* Calls that change descriptors are delivered from now on; earlier ones were missed. */
	if (c->fds && !c->recorded && !(narrowed && fd_filter_is_blind(&half)))
		fds_set_blind(c->fds, false, clock_now_ns() + FILTER_IN_FORCE_NS);

	struct match *match = match_new(filter);
	collector_lock_model(c);
	collector_put_match(c, match);
	if (narrowed)
		model_forget(c->model, keeps, &(struct keeping){ c, &half });
	collector_unlock_model(c);
	kernel_filter_release(&half);
}

/* Takes ownership of the list. */
static void apply_events(struct collector *c, char *list)
{
	struct err err = { .text = "" };

	if (c->ended)
		err_set(&err, -ENODATA, "collection has ended");
	else
		source_set_events(c->source, list, &err);
	free(list);
	pthread_mutex_lock(&c->mutex);
	c->status.events_version++;
	memcpy(c->status.events_error, err.text, sizeof(c->status.events_error));
	pthread_mutex_unlock(&c->mutex);
	c->status_ns = 0;
}

/* Request the descriptors of the target: they may have changed while it was not watched. */
static void ask_fds(struct collector *c, const struct target *target)
{
	if (!c->fds)
		return;
	fds_miss(c->fds, clock_now_ns());
	for (size_t i = 0; i < target->pid_count; i++)
		fds_ask_once(c->fds, target->pids[i]);
}

/* False: too many replaced sets of events are still enabled; the request stays queued. */
static bool takes_change(const struct collector *c)
{
	return c->ended || c->recorded || source_takes_change(c->source);
}

/* Apply a new target, before other requests, so that they apply to it. */
static void read_target(struct collector *c)
{
	struct err err = { .text = "" };
	struct target target;
	bool wanted;

	pthread_mutex_lock(&c->mutex);
	wanted = c->target_is_wanted && takes_change(c);
	if (wanted) {
		target = c->target_wanted;
		c->target_is_wanted = false;
		target_init(&c->target_wanted);
	}
	pthread_mutex_unlock(&c->mutex);
	if (!wanted)
		return;
	if (c->ended)
		err_set(&err, -ESRCH, "collection has ended");
	else if (source_set_target(c->source, &target, &err) >= 0) {
		collector_lock_model(c);
		model_forget(c->model, keeps, &(struct keeping){ c, NULL });
		collector_unlock_model(c);
		ask_fds(c, &target);
	}
	target_release(&target);
	pthread_mutex_lock(&c->mutex);
	memcpy(c->status.target_error, err.text, sizeof(c->status.target_error));
	c->status.target_pending = c->target_is_wanted;
	pthread_mutex_unlock(&c->mutex);
	c->status_ns = 0;
}

/* Takes the model's lock, as a file begins with data of the model. */
void collector_switch_recording(struct collector *c, bool on, uint64_t from_ns)
{
	if (!c->recorder || on == recorder_is_on(c->recorder))
		return;
	collector_lock_model(c);
	prefetch_queue_flush(&c->prefetch_queue);
	if (on)
		recorder_begin(c->recorder, from_ns);
	else
		recorder_end(c->recorder);
	collector_unlock_model(c);
}

static void read_recording(struct collector *c)
{
	bool wanted, on;
	uint64_t from_ns;

	pthread_mutex_lock(&c->mutex);
	wanted = c->recording_is_wanted;
	on = c->recording_wanted;
	from_ns = c->recording_from_ns;
	c->recording_is_wanted = false;
	pthread_mutex_unlock(&c->mutex);
	if (wanted)
		collector_switch_recording(c, on, from_ns);
}

/* End tasks whose exit record was lost. */
static void end_tasks(struct collector *c)
{
	struct exit_detector_task *gone;
	size_t count;

	pthread_mutex_lock(&c->mutex);
	gone = c->gone;
	count = c->gone_count;
	c->gone = NULL;
	pthread_mutex_unlock(&c->mutex);
	for (size_t i = 0; gone && i < count && !c->ended; i++) {
		const struct task *task;
		struct record end = { .kind = RECORD_TASK_EXIT,
				      .pid = gone[i].pid,
				      .tid = gone[i].tid };

		collector_lock_model(c);
		end.time_ns = model_fed_ns(c->model);
		task = tasks_find(model_tasks(c->model), end.tid);
		if (task && !task->ended && task->process->pid == end.pid &&
		    task->process->generation == gone[i].generation &&
		    task->seen_ns == gone[i].seen_ns)
			collector_feed(c, &end);
	}
	if (c->locked)
		prefetch_queue_flush(&c->prefetch_queue);
	collector_unlock_model(c);
	free(gone);
}

void collector_read_mail(struct collector *c)
{
	struct filter *filter = NULL;
	bool new_filter, zero, switch_running, running, new_deep;
	char *events;
	uint32_t user_stack_pid;
	eventfd_t wakes;
	struct err err = { .text = "" }, deep_err;

	/* Read this first: a request that comes later wakes the collector again. */
	eventfd_read(c->wake_fd, &wakes);
	collector_play_mail(c);
	read_recording(c);
	read_target(c);
	end_tasks(c);
	pthread_mutex_lock(&c->mutex);
	new_filter = c->filter_is_wanted && takes_change(c);
	if (new_filter) {
		filter = c->filter_wanted;
		c->filter_is_wanted = false;
		c->filter_wanted = NULL;
	}
	zero = c->zero_wanted;
	c->zero_wanted = false;
	switch_running = c->running_is_wanted;
	running = c->running_wanted;
	c->running_is_wanted = false;
	new_deep = c->wants_user_stacks;
	user_stack_pid = c->user_stack_pid;
	c->wants_user_stacks = false;
	events = c->events_wanted;
	c->events_wanted = NULL;
	pthread_mutex_unlock(&c->mutex);

	if (zero) {
		collector_lock_model(c);
		model_zero(c->model);
		collector_unlock_model(c);
	}
	if (new_filter) {
		apply_filter(c, filter);
		filter_free(filter);
		collector_play_refilter(c);
	}
	if (events)
		apply_events(c, events);
	/*
	 * On failure, stacks use frame pointers. This is not an error; the source's status has the
	 * reason.
	 */
	if (new_deep && !c->ended)
		source_set_user_stacks(c->source, &user_stack_pid, user_stack_pid ? 1 : 0,
				       &deep_err);
	if (switch_running && !c->ended && source_set_running(c->source, running, &err) < 0)
		collector_note_error(c, &err);
	if (switch_running && c->recorded)
		collector_play_pause(c, !running);

	if (zero || new_filter || switch_running) {
		pthread_mutex_lock(&c->mutex);
		if (new_filter || zero)
			c->status.filter_version++;
		/* Another filter may have been requested meanwhile. */
		if (new_filter)
			c->status.filter_pending = c->filter_is_wanted;
		if (switch_running && !c->ended && !err.text[0])
			c->status.running = running;
		pthread_mutex_unlock(&c->mutex);
		c->status_ns = 0;
	}
}
