#include "engine/collector/collector_private.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>

void collector_wake(struct collector *c)
{
	pthread_cond_broadcast(&c->changed);
	eventfd_write(c->wake_fd, 1);
}

int collector_wake_fd(const struct collector *c)
{
	return c->wake_fd;
}

void collector_set_filter(struct collector *c, struct filter *filter)
{
	struct filter *replaced;

	pthread_mutex_lock(&c->mutex);
	replaced = c->filter_wanted;
	c->filter_wanted = filter ? filter_ref(filter) : NULL;
	c->filter_is_wanted = true;
	c->status.filter_pending = true;
	collector_wake(c);
	pthread_mutex_unlock(&c->mutex);
	filter_free(replaced);
}

void collector_set_target(struct collector *c, const struct target *target)
{
	struct target copy, replaced;

	target_copy(&copy, target);
	pthread_mutex_lock(&c->mutex);
	replaced = c->target_wanted;
	c->target_wanted = copy;
	c->target_is_wanted = true;
	c->status.target_pending = true;
	collector_wake(c);
	pthread_mutex_unlock(&c->mutex);
	target_release(&replaced);
}

void collector_set_running(struct collector *c, bool running)
{
	pthread_mutex_lock(&c->mutex);
	c->running_wanted = running;
	c->running_is_wanted = true;
	collector_wake(c);
	pthread_mutex_unlock(&c->mutex);
}

void collector_zero(struct collector *c)
{
	pthread_mutex_lock(&c->mutex);
	c->zero_wanted = true;
	collector_wake(c);
	pthread_mutex_unlock(&c->mutex);
}

void collector_set_user_stacks(struct collector *c, uint32_t pid)
{
	pthread_mutex_lock(&c->mutex);
	c->user_stack_pid = pid;
	c->wants_user_stacks = true;
	collector_wake(c);
	pthread_mutex_unlock(&c->mutex);
}

void collector_set_recording(struct collector *c, bool recording, uint64_t from_ns)
{
	pthread_mutex_lock(&c->mutex);
	c->recording_wanted = recording;
	c->recording_from_ns = from_ns;
	c->recording_is_wanted = true;
	collector_wake(c);
	pthread_mutex_unlock(&c->mutex);
}

void collector_set_events(struct collector *c, const char *list)
{
	pthread_mutex_lock(&c->mutex);
	free(c->events_wanted);
	c->events_wanted = mem_strdup(list);
	collector_wake(c);
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
	collector_wake(c);
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

void collector_make_way(struct collector *c)
{
	/* A sleep takes tens of microseconds or more, in which a waiting thread wakes up. */
	do
		nanosleep(&(struct timespec){ .tv_nsec = 10 * 1000 }, NULL);
	while (atomic_load(&c->waiting));
}

void collector_take_totals(struct collector *c, struct model_taken *taken)
{
	collector_lock(c);
	/* Queued records have pointers into the totals that are taken. */
	prefetch_queue_flush(&c->prefetch_queue);
	model_take_totals(c->model, taken);
	collector_unlock(c);
}

void collector_end_tasks(struct collector *c, struct exit_detector_task *tasks, size_t count)
{
	struct exit_detector_task *replaced;

	pthread_mutex_lock(&c->mutex);
	replaced = c->gone;
	c->gone = tasks;
	c->gone_count = count;
	collector_wake(c);
	pthread_mutex_unlock(&c->mutex);
	free(replaced);
}

bool collector_matches(const struct collector *c, const struct call *call, uint64_t now_ns)
{
	return match_call_at(c->match, call, c->model, now_ns);
}

bool collector_asks_stacks(const struct collector *c)
{
	return match_asks_stacks(c->match);
}

bool collector_asks_memory(const struct collector *c)
{
	return match_asks_memory(c->match);
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
	size_t count;
	bool moved;

	collector_lock(c);
	/* The calls of the previous read were held until now, with the memory they point to. */
	moved = c->read_seq != c->held_seq;
	if (moved)
		history_hold(history, c->read_seq);
	c->held_seq = c->read_seq;
	count = history_read(history, c->read_seq, calls, max);
	c->read_seq += count;
	collector_unlock(c);

	if (count || moved) {
		pthread_mutex_lock(&c->mutex);
		c->reads++;
		pthread_cond_broadcast(&c->changed);
		pthread_mutex_unlock(&c->mutex);
	}
	return count;
}

struct timespec collector_deadline(int timeout_ms)
{
	uint64_t wait_ns = (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS;

	return clock_deadline(clock_now_ns() + wait_ns);
}

int collector_read(struct collector *c, struct call *calls, size_t max, int timeout_ms)
{
	struct timespec deadline = collector_deadline(timeout_ms);

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
