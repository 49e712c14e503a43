#include "engine/recorder/recorder.h"

#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/recorder/recorder_private.h"
#include "engine/recorder/recording_file.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/perfdata_observations.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Size of the queue: records of a quarter of a second at 1.5 million calls per second. */
#define QUEUE_BYTES ((size_t)64 << 20)
#define PUBLISH_BYTES ((size_t)64 << 10)
#define FREE_ITEMS 256
#define OBSERVATIONS_BYTES ((size_t)16 << 20) /* pending observations beyond this are dropped */
#define SLEEP_NS (50 * NS_PER_MS)
#define ROOM_NS (NS_PER_MS / 2)
/* Interval of rounds. The delay of an emitted enter is shorter, see BPF_LONG_NS. */
#define ROUND_NS NS_PER_S
#define PRIORITY (-15) /* below that of the collector */

enum mark {
	MARK_BEGIN = 1, /* begin a file; the value is the time of its first record */
	MARK_NEXT, /* end the current file, then begin the next one */
	MARK_DRAINED,
};

/* -- The thread: records ----------------------------------------------------------------- */

static void take_drained(struct recorder *r, uint64_t time_ns)
{
	perfdata_encode_drained(&r->encode, time_ns);
	if (time_ns < r->round_ns + ROUND_NS)
		return;
	r->round_ns = time_ns;
	perfdata_encode_round(&r->encode);
}

static void take_mark(struct recorder *r, uint32_t mark, uint64_t value)
{
	int fd;

	switch (mark) {
	case MARK_BEGIN:
		pthread_mutex_lock(&r->mutex);
		fd = r->fd;
		r->fd = -1;
		pthread_mutex_unlock(&r->mutex);
		recorder_file_begin(r, fd, value);
		break;
	case MARK_NEXT:
		recorder_file_next(r, value);
		break;
	default:
		take_drained(r, value);
		break;
	}
}

/* True if the queue has room for the records that arrive while this thread does other work. */
static bool has_time(struct recorder *r)
{
	uint64_t written = atomic_load_explicit(&r->queue.written, memory_order_relaxed);

	return written - r->queue.read_at < r->queue.size / 4;
}

/* Take pending records. False: none. */
static bool take_some(struct recorder *r)
{
	struct record record;
	uint32_t mark;
	uint64_t value;

	for (int i = 0; i < FREE_ITEMS; i++) {
		switch (record_queue_take(&r->queue, &record, &mark, &value)) {
		case RECORD_QUEUE_NONE:
			record_queue_free_up(&r->queue);
			return i;
		case RECORD_QUEUE_MARK:
			take_mark(r, mark, value);
			break;
		case RECORD_QUEUE_RECORD:
			if (!r->writer || atomic_load_explicit(&r->dead, memory_order_relaxed))
				break;
			perfdata_encode_record(&r->encode, &record);
			if (!r->recorded)
				recorder_maps_note(&r->maps, &record, has_time(r), &r->encode);
			break;
		}
	}
	record_queue_free_up(&r->queue);
	return true;
}

static void end_recording(struct recorder *r)
{
	recorder_file_finish(r, true);
	if (r->options.names)
		recording_symbols_end(r->options.names);
	for (size_t i = 0; i < r->kept_count; i++)
		free(r->kept[i]);
	r->kept_count = 0;
	pthread_mutex_lock(&r->mutex);
	/* The descriptor is still here if the collection never began: remove the empty file. */
	if (r->fd >= 0) {
		close(r->fd);
		if (!r->pipe)
			unlink(r->path);
	}
	r->fd = -1;
	r->opened = false;
	r->status.recording = false;
	pthread_cond_broadcast(&r->idle);
	pthread_mutex_unlock(&r->mutex);
}

static struct timespec in_ns(uint64_t ns)
{
	return clock_deadline(clock_now_ns() + ns);
}

/* Wait for work. False: the thread must quit, and no recording is open. */
static bool rest(struct recorder *r)
{
	struct timespec deadline = in_ns(SLEEP_NS);
	bool goes_on;

	pthread_mutex_lock(&r->mutex);
	atomic_store(&r->sleeping, true);
	while (!r->opened && !r->quit)
		pthread_cond_wait(&r->wake, &r->mutex);
	if (!r->quit && !atomic_load(&r->ended) && r->queue.bytes &&
	    atomic_load(&r->queue.written) == r->queue.read_at)
		pthread_cond_timedwait(&r->wake, &r->mutex, &deadline);
	atomic_store(&r->sleeping, false);
	goes_on = r->opened || !r->quit;
	pthread_mutex_unlock(&r->mutex);
	return goes_on;
}

static void *recorder_main(void *arg)
{
	struct recorder *r = arg;

	pthread_setname_np(pthread_self(), "recorder");
	/* On a busy machine, records that this thread does not take in time are lost. */
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* of this thread only, if permitted */
	/* Create files with the privileges of the user. */
	privilege_lower();
	while (rest(r)) {
		bool ended = atomic_load(&r->ended);

		while (take_some(r)) {
			if (r->encode.out.len >= RECORDER_WRITE_BYTES)
				recorder_file_flush(r);
			recorder_file_check(r, clock_now_ns());
		}
		/* Look up mappings while there are no records. */
		if (!ended && !r->recorded && r->writer && !atomic_load(&r->dead))
			while (!take_some(r) && recorder_maps_step(&r->maps, &r->encode))
				if (r->encode.out.len >= RECORDER_WRITE_BYTES)
					recorder_file_flush(r);
		if (!ended && r->options.names && r->writer && !r->pipe)
			while (!take_some(r) && recording_symbols_ask(r->options.names))
				continue;
		recorder_file_check(r, clock_now_ns());
		if (ended && r->opened)
			end_recording(r);
	}
	return NULL;
}

/* -- The owner ----------------------------------------------------------------------------- */

void recorder_init(struct recorder *r, const struct recorder_options *options)
{
	pthread_condattr_t monotonic;

	memset(r, 0, sizeof(*r));
	r->options = *options;
	r->fd = -1;
	perfdata_encode_init(&r->encode);
	r->encode.event = recorder_file_event;
	r->encode.event_ctx = r;
	recorder_maps_init(&r->maps, options->reader);
	lock_init(&r->mutex);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&r->wake, &monotonic);
	pthread_cond_init(&r->idle, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

void recorder_release(struct recorder *r)
{
	record_queue_release(&r->queue);
	perfdata_encode_release(&r->encode);
	recorder_maps_release(&r->maps);
	if (r->machine_known)
		perfdata_machine_release(&r->machine);
	pthread_cond_destroy(&r->wake);
	pthread_cond_destroy(&r->idle);
	pthread_mutex_destroy(&r->mutex);
	str_release(&r->observations);
	free(r->events);
	free(r->kept);
	free(r->path);
}

int recorder_new(struct recorder **out, const struct recorder_options *options, struct err *err)
{
	struct recorder *r = mem_alloc(sizeof(*r));
	sigset_t all, old;
	int rc;

	recorder_init(r, options);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&r->thread, NULL, recorder_main, r);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		recorder_release(r);
		free(r);
		return err_set(err, -rc, "cannot start the recording thread: %s", strerror(rc));
	}
	*out = r;
	return 0;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	atomic_store(&r->ended, true);
	pthread_mutex_lock(&r->mutex);
	r->quit = true;
	pthread_cond_broadcast(&r->wake);
	pthread_mutex_unlock(&r->mutex);
	pthread_join(r->thread, NULL);
	recorder_release(r);
	free(r);
}

void recorder_set_machine(struct recorder *r, const struct perfdata_machine *take)
{
	pthread_mutex_lock(&r->mutex);
	r->machine = *take;
	r->machine_known = r->recorded = true;
	pthread_mutex_unlock(&r->mutex);
}

void recorder_set_flight(struct recorder *r, const struct flight_mark *mark)
{
	pthread_mutex_lock(&r->mutex);
	r->flight = *mark;
	pthread_mutex_unlock(&r->mutex);
}

void recorder_set_source(struct recorder *r, bool copies, uint64_t started_ns)
{
	pthread_mutex_lock(&r->mutex);
	r->copies = copies;
	r->started_ns = started_ns;
	pthread_mutex_unlock(&r->mutex);
}

void recorder_set_waits(struct recorder *r, bool reported, bool ins)
{
	pthread_mutex_lock(&r->mutex);
	r->encode.no_waits = !reported;
	r->encode.no_ins = !ins;
	pthread_mutex_unlock(&r->mutex);
}

int recorder_open(struct recorder *r, const struct recorder_request *request, struct err *err)
{
	int fd, rc = 0;

	pthread_mutex_lock(&r->mutex);
	if (r->opened)
		rc = err_set(err, -EBUSY, "a recording is already running");
	else if (!r->queue.bytes)
		rc = record_queue_init(&r->queue, QUEUE_BYTES);
	if (rc == -ENOMEM)
		err_set(err, rc, "no memory for the recording queue of %zu MiB", QUEUE_BYTES >> 20);
	pthread_mutex_unlock(&r->mutex);
	if (rc)
		return rc;
	fd = !strcmp(request->path, "-") ? recording_file_standard_output(err)
					 : recording_file_open(request->path, request->fresh, err);
	if (fd < 0)
		return fd;
	pthread_mutex_lock(&r->mutex);
	free(r->path);
	r->path = mem_strdup(request->path);
	r->request = *request;
	r->request.path = r->path;
	r->pipe = !strcmp(r->path, "-");
	r->fd = fd;
	r->opened = true;
	memset(&r->status, 0, sizeof(r->status));
	snprintf(r->status.path, sizeof(r->status.path), "%s",
		 r->pipe ? "standard output" : request->path);
	r->status.recording = true;
	r->status.began_ns = clock_now_ns();
	atomic_store(&r->ended, false);
	atomic_store(&r->dead, false);
	atomic_store(&r->given_up, false);
	atomic_store(&r->next_wanted, false);
	atomic_store(&r->lost, 0);
	str_clear(&r->observations);
	pthread_cond_broadcast(&r->wake);
	pthread_mutex_unlock(&r->mutex);
	return 0;
}

void recorder_get_status(struct recorder *r, struct recorder_status *status)
{
	pthread_mutex_lock(&r->mutex);
	*status = r->status;
	pthread_mutex_unlock(&r->mutex);
	status->lost = atomic_load(&r->lost);
}

bool recorder_failed(const struct recorder *r)
{
	return atomic_load(&r->dead);
}

void recorder_wait(struct recorder *r)
{
	pthread_mutex_lock(&r->mutex);
	while (r->opened)
		pthread_cond_wait(&r->idle, &r->mutex);
	pthread_mutex_unlock(&r->mutex);
}

bool recorder_wait_ms(struct recorder *r, int timeout_ms)
{
	struct timespec deadline = in_ns((uint64_t)timeout_ms * NS_PER_MS);
	bool finished;

	pthread_mutex_lock(&r->mutex);
	while (r->opened)
		if (pthread_cond_timedwait(&r->idle, &r->mutex, &deadline) == ETIMEDOUT)
			break;
	finished = !r->opened;
	pthread_mutex_unlock(&r->mutex);
	return finished;
}

void recorder_give_up(struct recorder *r)
{
	atomic_store(&r->given_up, true);
}

void recorder_find(struct recorder *r, const struct observation *observation)
{
	pthread_mutex_lock(&r->mutex);
	if (r->opened && r->observations.len < OBSERVATIONS_BYTES)
		perfdata_observations_add(&r->observations, observation);
	pthread_mutex_unlock(&r->mutex);
}

uint32_t recorder_file_number(struct recorder *r, uint64_t *began_ns)
{
	uint32_t number;

	pthread_mutex_lock(&r->mutex);
	number = r->file_open ? r->file_number : 0;
	*began_ns = r->file_ns;
	pthread_mutex_unlock(&r->mutex);
	return number;
}

/* -- The collector --------------------------------------------------------------------------- */

static void wake(struct recorder *r)
{
	if (!atomic_load(&r->sleeping))
		return;
	pthread_mutex_lock(&r->mutex);
	pthread_cond_broadcast(&r->wake);
	pthread_mutex_unlock(&r->mutex);
}

static void publish(struct recorder *r)
{
	r->written_at = r->queue.write_at;
	record_queue_publish(&r->queue);
}

bool recorder_is_on(const struct recorder *r)
{
	return r->on;
}

/* Report lost records before the next record that fits, as the kernel does. */
static bool put_lost(struct recorder *r, uint64_t time_ns)
{
	struct record record = {
		.time_ns = time_ns,
		.kind = RECORD_LOST,
		.cpu = r->lost_cpu,
		.lost = { .count = r->pending_lost, .kind = LOSS_OF_ANYTHING },
	};

	if (!record_queue_put(&r->queue, &record))
		return false;
	r->pending_lost = 0;
	return true;
}

/* If the source is a recording, wait for room, so that no record is lost. */
static void wait_for_room(struct recorder *r)
{
	while (r->recorded && record_queue_waiting(&r->queue) > QUEUE_BYTES / 2 &&
	       !atomic_load_explicit(&r->dead, memory_order_relaxed)) {
		publish(r);
		wake(r);
		nanosleep(&(struct timespec){ .tv_nsec = ROOM_NS }, NULL);
	}
}

void recorder_take(struct recorder *r, const struct record *record)
{
	if (atomic_load_explicit(&r->dead, memory_order_relaxed))
		return;
	wait_for_room(r);
	if ((r->pending_lost && !put_lost(r, record->time_ns)) ||
	    !record_queue_put(&r->queue, record)) {
		r->pending_lost++;
		r->lost_cpu = record->cpu;
		atomic_fetch_add_explicit(&r->lost, 1, memory_order_relaxed);
		return;
	}
	if (r->queue.write_at - r->written_at >= PUBLISH_BYTES) {
		publish(r);
		wake(r);
	}
}

static void begin(struct recorder *r, enum mark mark, uint64_t began_ns)
{
	if (!record_queue_put_mark(&r->queue, mark, began_ns))
		return;
	if (r->options.names)
		recording_symbols_begin(r->options.names);
	if (r->options.snapshot)
		r->options.snapshot(r->options.snapshot_ctx, r);
	publish(r);
	wake(r);
}

void recorder_begin(struct recorder *r, uint64_t from_ns)
{
	uint64_t began_ns = from_ns ? from_ns : r->started_ns;

	/* A source recording without calls has no start time: use the time of its clock. */
	if (!began_ns && r->recorded)
		began_ns = r->machine.clock_ns ? r->machine.clock_ns : 1;
	/* Only the first recording begins with the source. */
	r->started_ns = 0;
	r->on = true;
	r->pending_lost = 0;
	begin(r, MARK_BEGIN, began_ns ? began_ns : clock_now_ns());
}

void recorder_end(struct recorder *r)
{
	r->on = false;
	if (r->pending_lost)
		put_lost(r, clock_now_ns());
	publish(r);
	pthread_mutex_lock(&r->mutex);
	atomic_store(&r->ended, true);
	pthread_cond_broadcast(&r->wake);
	pthread_mutex_unlock(&r->mutex);
}

void recorder_drained(struct recorder *r, uint64_t now_ns)
{
	record_queue_put_mark(&r->queue, MARK_DRAINED, now_ns);
	publish(r);
	wake(r);
	if (atomic_load(&r->next_wanted) && r->options.snapshot) {
		atomic_store(&r->next_wanted, false);
		begin(r, MARK_NEXT, now_ns);
	}
}
