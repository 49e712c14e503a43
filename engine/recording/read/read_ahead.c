#include "engine/recording/read/read_ahead.h"

#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/recording/record_queue.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/*
 * Size of the queue: room for two slices of calls, and for any record with its stack. A larger
 * queue exceeds the CPU caches.
 */
#define QUEUE_BYTES ((size_t)1 << 20)
/* Number of records that the consumer takes before it frees their room in the queue. */
#define RECORDS_PER_ROOM 256
/*
 * A reader without room is woken only when half of the queue is free: a wakeup costs as much as
 * hundreds of records.
 */
#define LEFT_BYTES_MAX (QUEUE_BYTES / 2)

/*
 * A slice in the queue ends with two marks: MARK_AT, with the newest time read, and MARK_END + enum
 * read_ahead_end.
 */
enum { MARK_AT = 1, MARK_END };

struct read_ahead {
	const struct read_ahead_ops *ops;
	void *ctx;
	pthread_t thread;
	bool runs;
	atomic_bool stops;
	int stop_fd; /* eventfd: the thread must stop */
	int ready_fd; /* eventfd: a slice is ready, for read_ahead_wait() */
	struct record_queue queue;
	/* Owned by the caller of read_ahead_next(). */
	struct record next; /* returned by read_ahead_next(), valid until read_ahead_pass() */
	bool has_next;
	unsigned int taken; /* number of calls of read_ahead_pass() */
	bool over; /* the last slice was taken to its end */

	pthread_mutex_t mutex;
	pthread_cond_t changed;
	/* Protected by the mutex. */
	uint64_t slices; /* complete slices in the queue */
	bool no_room; /* the reader waits for room */
	bool awaited; /* the consumer waits for a slice */
};

/* -- Reader thread --------------------------------------------------------------------- */

/* Publish records: whole slices, or as much of one as fits. */
static void emit(struct read_ahead *ahead, unsigned int slices, bool no_room)
{
	pthread_mutex_lock(&ahead->mutex);
	record_queue_publish(&ahead->queue);
	ahead->slices += slices;
	ahead->no_room = no_room;
	if (ahead->awaited) {
		ahead->awaited = false;
		pthread_cond_broadcast(&ahead->changed);
		eventfd_write(ahead->ready_fd, 1);
	}
	pthread_mutex_unlock(&ahead->mutex);
}

/* False: the thread must stop. */
static bool wait_for_room(struct read_ahead *ahead)
{
	emit(ahead, 0, true);
	pthread_mutex_lock(&ahead->mutex);
	while (ahead->no_room && !atomic_load(&ahead->stops))
		pthread_cond_wait(&ahead->changed, &ahead->mutex);
	pthread_mutex_unlock(&ahead->mutex);
	return !atomic_load(&ahead->stops);
}

static void put_record(void *arg, const struct record *record)
{
	struct read_ahead *ahead = arg;

	while (!record_queue_put(&ahead->queue, record))
		if (!wait_for_room(ahead))
			return;
}

static void put_mark(struct read_ahead *ahead, uint32_t mark, uint64_t value)
{
	while (!record_queue_put_mark(&ahead->queue, mark, value))
		if (!wait_for_room(ahead))
			return;
}

static void *read_ahead_main(void *arg)
{
	struct read_ahead *ahead = arg;
	struct read_ahead_slice slice = { .end = READ_AHEAD_MORE };

	pthread_setname_np(pthread_self(), "reader");
	while (slice.end != READ_AHEAD_OVER && !atomic_load(&ahead->stops)) {
		ahead->ops->read(ahead->ctx, put_record, ahead, &slice);
		put_mark(ahead, MARK_AT, slice.at_ns);
		put_mark(ahead, MARK_END + slice.end, slice.reported_ns);
		emit(ahead, 1, false);
		if (slice.end == READ_AHEAD_WAITS)
			ahead->ops->wait(ahead->ctx, ahead->stop_fd);
	}
	return NULL;
}

bool read_ahead_stops(const struct read_ahead *ahead)
{
	return atomic_load_explicit(&ahead->stops, memory_order_relaxed);
}

/* -- Starting and stopping --------------------------------------------------------------- */

int read_ahead_new(struct read_ahead **out, const struct read_ahead_ops *ops, void *ctx,
		   struct err *err)
{
	struct read_ahead *ahead = mem_zalloc(1, sizeof(*ahead));

	ahead->ops = ops;
	ahead->ctx = ctx;
	lock_init(&ahead->mutex);
	pthread_cond_init(&ahead->changed, NULL);
	ahead->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ahead->ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (ahead->stop_fd < 0 || ahead->ready_fd < 0 ||
	    record_queue_init(&ahead->queue, QUEUE_BYTES)) {
		read_ahead_free(ahead);
		return err_set(
			err, -ENOMEM,
			"no memory or file descriptors for the thread that reads the recording");
	}
	*out = ahead;
	return 0;
}

void read_ahead_free(struct read_ahead *ahead)
{
	if (!ahead)
		return;
	read_ahead_stop(ahead);
	record_queue_release(&ahead->queue);
	if (ahead->stop_fd >= 0)
		close(ahead->stop_fd);
	if (ahead->ready_fd >= 0)
		close(ahead->ready_fd);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->mutex);
	free(ahead);
}

int read_ahead_start(struct read_ahead *ahead, struct err *err)
{
	sigset_t all, old;
	int rc;

	atomic_store(&ahead->stops, false);
	/* Signals are handled by the thread that owns the terminal. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&ahead->thread, NULL, read_ahead_main, ahead);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc)
		return err_set(err, -rc, "cannot start the thread that reads the recording: %s",
			       strerror(rc));
	ahead->runs = true;
	return 0;
}

void read_ahead_stop(struct read_ahead *ahead)
{
	eventfd_t count;

	if (!ahead->runs)
		return;
	atomic_store(&ahead->stops, true);
	eventfd_write(ahead->stop_fd, 1);
	pthread_mutex_lock(&ahead->mutex);
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->mutex);
	pthread_join(ahead->thread, NULL);
	ahead->runs = false;
	eventfd_read(ahead->stop_fd, &count);
	eventfd_read(ahead->ready_fd, &count);
	record_queue_clear(&ahead->queue);
	ahead->slices = 0;
	ahead->no_room = ahead->awaited = ahead->over = ahead->has_next = false;
}

bool read_ahead_runs(const struct read_ahead *ahead)
{
	return ahead->runs;
}

/* -- Consumer ------------------------------------------------------------------------------ */

/* True if a slice is ready, or a part that fills the queue. If not, `awaited` requests a wakeup. */
static bool is_ready(struct read_ahead *ahead)
{
	bool ready;

	pthread_mutex_lock(&ahead->mutex);
	ready = ahead->slices || ahead->no_room;
	ahead->awaited = !ready;
	pthread_mutex_unlock(&ahead->mutex);
	return ready;
}

int read_ahead_wait(struct read_ahead *ahead, int wake_fd, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = ahead->over ? -1 : ahead->ready_fd, .events = POLLIN },
		{ .fd = wake_fd, .events = POLLIN },
	};
	eventfd_t count;
	int rc;

	if (ahead->has_next || (!ahead->over && is_ready(ahead)))
		return 1;
	rc = poll(fds, 2, timeout_ms);
	if (rc < 0)
		return errno == EINTR ? 0 : -errno;
	if (!fds[0].revents)
		return 0;
	/* After wait_for_more(), the event can be that of a slice that was already taken. */
	eventfd_read(ahead->ready_fd, &count);
	return is_ready(ahead);
}

/* Free the room of the records taken. */
static void give_room(struct read_ahead *ahead)
{
	record_queue_free_up(&ahead->queue);
	if (record_queue_left(&ahead->queue) > LEFT_BYTES_MAX)
		return;
	pthread_mutex_lock(&ahead->mutex);
	if (ahead->no_room) {
		ahead->no_room = false;
		pthread_cond_broadcast(&ahead->changed);
	}
	pthread_mutex_unlock(&ahead->mutex);
}

/* Wait until the queue has a published item that is not taken yet. */
static void wait_for_more(struct read_ahead *ahead)
{
	give_room(ahead);
	pthread_mutex_lock(&ahead->mutex);
	while (!record_queue_left(&ahead->queue)) {
		ahead->awaited = true;
		pthread_cond_wait(&ahead->changed, &ahead->mutex);
	}
	pthread_mutex_unlock(&ahead->mutex);
}

static void end_slice(struct read_ahead *ahead, uint32_t mark, uint64_t value,
		      struct read_ahead_slice *slice)
{
	slice->end = (enum read_ahead_end)(mark - MARK_END);
	slice->reported_ns = value;
	ahead->over = slice->end == READ_AHEAD_OVER;
	pthread_mutex_lock(&ahead->mutex);
	ahead->slices--;
	pthread_mutex_unlock(&ahead->mutex);
	give_room(ahead);
}

const struct record *read_ahead_next(struct read_ahead *ahead, struct read_ahead_slice *slice)
{
	uint64_t value;
	uint32_t mark;

	while (!ahead->has_next && !ahead->over) {
		switch (record_queue_take(&ahead->queue, &ahead->next, &mark, &value)) {
		case RECORD_QUEUE_RECORD:
			ahead->has_next = true;
			break;
		case RECORD_QUEUE_NONE:
			wait_for_more(ahead);
			break;
		case RECORD_QUEUE_MARK:
			if (mark >= MARK_END) {
				end_slice(ahead, mark, value, slice);
				return NULL;
			}
			slice->at_ns = value;
			break;
		}
	}
	return ahead->has_next ? &ahead->next : NULL;
}

void read_ahead_pass(struct read_ahead *ahead)
{
	ahead->has_next = false;
	if (++ahead->taken % RECORDS_PER_ROOM == 0)
		give_room(ahead);
}
