/*
 * flight_save - the flight recorder's thread: looks up processes while idle, and writes files from
 * the ring.
 */
#include "engine/recorder/flight_private.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/privilege.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ITEMS_AT_ONCE 256
#define ROUND_NS NS_PER_S
#define LOOK_MS 200 /* interval of process lookups */
#define FOLLOW_MS 10 /* interval of reads after a trigger */
#define PRIORITY (-15) /* if the thread lags behind, records are missed */

/* State of the file that is being written. */
struct saving {
	struct flight *flight;
	uint64_t seen; /* segments read so far, including the file's first one */
	bool skips; /* inside the snapshot of a later segment */
	uint64_t round_ns;
	uint64_t until_ns;
};

static bool is_dead(struct flight *f)
{
	return atomic_load_explicit(&f->file.dead, memory_order_relaxed);
}

/* Look up pending processes. False: none pending. */
static bool load_some(struct flight *f)
{
	struct record record;
	uint32_t mark;
	uint64_t space;
	bool any = false;

	for (int i = 0; i < ITEMS_AT_ONCE; i++) {
		if (record_queue_take(&f->spaces, &record, &mark, &space) == RECORD_QUEUE_NONE)
			break;
		flight_maps_load(&f->maps, space);
		any = true;
	}
	record_queue_free_up(&f->spaces);
	return any;
}

/* Wait for a wakeup, at most `ms` milliseconds. The mutex is held. */
static void rest(struct flight *f, int ms)
{
	struct timespec deadline = clock_deadline(clock_now_ns() + (uint64_t)ms * NS_PER_MS);

	pthread_cond_timedwait(&f->wake, &f->mutex, &deadline);
}

/* -- A file -------------------------------------------------------------------------------- */

static void take_mark(struct saving *saving, uint32_t mark, uint64_t value)
{
	struct flight *f = saving->flight;

	switch (mark) {
	case FLIGHT_SEGMENT:
		saving->skips = saving->seen++ > 0;
		break;
	case FLIGHT_WHOLE:
		saving->skips = false;
		break;
	case FLIGHT_SPACE:
		if (!saving->skips)
			flight_maps_set(&f->maps, value);
		break;
	case FLIGHT_DRAINED:
		saving->until_ns = value;
		perfdata_encode_drained(&f->file.encode, value);
		if (value < saving->round_ns + ROUND_NS)
			break;
		saving->round_ns = value;
		perfdata_encode_round(&f->file.encode);
		break;
	}
}

static void take_record(struct saving *saving, const struct record *record)
{
	struct flight *f = saving->flight;

	if (saving->skips && record->kind != RECORD_LOST)
		return;
	flight_maps_note(&f->maps, record, &f->file.encode);
	perfdata_encode_record(&f->file.encode, record);
}

/* Write records from the ring. False: it has no more yet. */
static bool write_some(struct saving *saving)
{
	struct flight *f = saving->flight;
	uint64_t end = atomic_load(&f->save_end);
	struct record record;
	uint32_t mark;
	uint64_t value;
	bool any = false;

	for (int i = 0; i < ITEMS_AT_ONCE && f->ring.read_at < end; i++) {
		enum record_queue_item item = record_queue_take(&f->ring, &record, &mark, &value);

		if (item == RECORD_QUEUE_NONE)
			break;
		if (item == RECORD_QUEUE_MARK)
			take_mark(saving, mark, value);
		else
			take_record(saving, &record);
		any = true;
	}
	if (f->file.encode.out.len >= RECORDER_WRITE_BYTES)
		recorder_file_flush(&f->file);
	/* After a failure, records stay in the ring: the disk can have space for a later file. */
	if (!is_dead(f))
		record_queue_free_up(&f->ring);
	return any;
}

static void write_all(struct saving *saving)
{
	struct flight *f = saving->flight;

	record_queue_seek(&f->ring, f->save_begin);
	while (!is_dead(f) && f->ring.read_at < atomic_load(&f->save_end)) {
		if (write_some(saving)) {
			recorder_file_check(&f->file, clock_now_ns());
			continue;
		}
		recorder_file_flush(&f->file);
		recorder_file_check(&f->file, clock_now_ns());
		if (load_some(f))
			continue;
		pthread_mutex_lock(&f->mutex);
		rest(f, FOLLOW_MS);
		pthread_mutex_unlock(&f->mutex);
	}
}

/* Remove a file that was not completed: without its end it is useless, and the disk can be full. */
static void give_up(struct flight *f, struct flight_save *save)
{
	struct err err;
	char shown[160];

	unlink(save->path);
	save->failure = f->file.failure;
	err_set(&err, save->failure,
		"the flight recorder could not write %s: %s; the file was removed, and recording "
		"continues",
		escape_name(shown, sizeof(shown), save->path), strerror(-save->failure));
	memcpy(save->error, err.text, sizeof(save->error));
}

/* Begin or stop accepting observations from other threads for the file. */
static void open_file(struct flight *f, bool open)
{
	pthread_mutex_lock(&f->file.mutex);
	f->file.opened = open;
	str_clear(&f->file.observations);
	pthread_mutex_unlock(&f->file.mutex);
}

/* Request all observations that are known so far (flight_find()). */
static void ask(struct flight *f)
{
	if (!f->options.find || is_dead(f))
		return;
	pthread_mutex_lock(&f->asking);
	if (!f->shut_down)
		f->options.find(f->options.ctx);
	pthread_mutex_unlock(&f->asking);
}

static void write_file(struct flight *f, int fd, struct flight_save *save)
{
	struct saving saving = {
		.flight = f,
	};

	f->file.flight = f->mark;
	f->file.failure = 0;
	atomic_store(&f->file.dead, false);
	pthread_mutex_lock(&f->mutex);
	f->file.copies = f->copies;
	pthread_mutex_unlock(&f->mutex);
	flight_maps_forget(&f->maps);
	open_file(f, true);
	recorder_file_begin(&f->file, fd, f->mark.from_ns);
	write_all(&saving);
	ask(f);
	recorder_file_finish(&f->file, true);
	open_file(f, false);
	save->bytes = f->file.status.bytes;
	save->until_ns = saving.until_ns;
	if (is_dead(f))
		give_up(f, save);
	else
		flight_files_retain(&f->files, save->path, f->save_settings.keep);
}

static void emit(struct flight *f, const struct flight_save *save)
{
	pthread_mutex_lock(&f->mutex);
	f->saved += !save->failure;
	f->failed += save->failure != 0;
	/* If too many results were not fetched, drop the oldest one. */
	if (f->news_count == FLIGHT_NEWS) {
		f->news_count--;
		memmove(f->news, f->news + 1, f->news_count * sizeof(*f->news));
	}
	f->news[f->news_count++] = *save;
	atomic_store_explicit(&f->saving, false, memory_order_release);
	pthread_cond_broadcast(&f->idle);
	pthread_mutex_unlock(&f->mutex);
}

static void save_ring(struct flight *f)
{
	struct flight_save *save = mem_zalloc(1, sizeof(*save));
	struct err err = { .text = "" };
	int fd = flight_files_open(&f->files, f->save_settings.pattern, time(NULL), save->path,
				   &err);

	save->mark = f->mark;
	save->dropped = f->save_dropped;
	if (fd >= 0) {
		write_file(f, fd, save);
	} else {
		save->failure = fd;
		memcpy(save->error, err.text, sizeof(save->error));
	}
	save->missed = atomic_load(&f->save_missed);
	free(f->save_settings.pattern);
	f->save_settings.pattern = NULL;
	atomic_store(&f->rests_until_ns, clock_now_ns() + f->save_settings.again_ns);
	emit(f, save);
	free(save);
}

/* -- The thread ---------------------------------------------------------------------------- */

/* Free the ring, which the collector no longer uses. The mutex is held. */
static void drop_ring(struct flight *f)
{
	record_queue_release(&f->ring);
	record_queue_release(&f->spaces);
	f->unwanted = false;
}

void *flight_main(void *arg)
{
	struct flight *f = arg;
	bool quit, has_ring;

	pthread_setname_np(pthread_self(), "flight");
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* of this thread only, if permitted */
	/* Create files with the privileges of the user. */
	privilege_lower();
	do {
		if (atomic_load(&f->saving))
			save_ring(f);
		pthread_mutex_lock(&f->mutex);
		if (f->unwanted && !atomic_load(&f->saving))
			drop_ring(f);
		quit = f->quit;
		has_ring = f->ring.bytes;
		if (!quit && !atomic_load(&f->saving)) {
			if (has_ring)
				rest(f, LOOK_MS);
			else
				pthread_cond_wait(&f->wake, &f->mutex);
		}
		pthread_mutex_unlock(&f->mutex);
		while (has_ring && !atomic_load(&f->saving) && load_some(f))
			continue;
		/* Request names while the processes still run. */
		while (has_ring && f->options.names && !atomic_load(&f->saving) &&
		       recording_symbols_ask(f->options.names))
			continue;
	} while (!quit || atomic_load(&f->saving));
	return NULL;
}
