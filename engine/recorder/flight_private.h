/*
 * flight_private - what the recorder (flight.c), its ring (flight_ring.c) and the thread that
 * writes files of it (flight_save.c) share. Nobody else includes it.
 */
#ifndef RECORDER_FLIGHT_PRIVATE_H
#define RECORDER_FLIGHT_PRIVATE_H

#include "engine/recorder/flight.h"
#include "engine/recorder/flight_file.h"
#include "engine/recorder/flight_maps.h"
#include "engine/recorder/flight_trigger.h"
#include "engine/recorder/recorder_private.h"
#include "engine/recording/record_queue.h"

#include <pthread.h>
#include <stdatomic.h>

/* Marks of the ring. */
enum flight_item {
	FLIGHT_SEGMENT = 1, /* begins, at that time; what a file begins with follows ... */
	FLIGHT_WHOLE, /* ... up to here */
	FLIGHT_SPACE, /* the process (low half) has this space (high half) */
	FLIGHT_DRAINED, /* at that time */
};

#define FLIGHT_SEGMENTS FLIGHT_SEGMENTS_MAX
#define FLIGHT_NEWS 16

struct flight_segment {
	uint64_t position, time_ns;
};

struct flight_settings {
	char *pattern; /* owned */
	uint64_t before_ns, after_ns, again_ns;
	uint32_t keep;
	bool once;
};

struct flight {
	struct flight_options options;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake, idle;
	pthread_mutex_t asking; /* while options.find is called; and of: */
	bool shut_down;

	/* Under the model's lock. */
	bool on, spent;
	struct model *model; /* with `on` */
	struct flight_trigger trigger;
	struct flight_settings settings; /* the thread's copy is made when a file begins */
	struct flight_segment segments[FLIGHT_SEGMENTS]; /* number n is at n % FLIGHT_SEGMENTS */
	uint64_t first_segment, end_segment;
	uint64_t due_at, due_ns; /* the next segment: of the ring's position, of the clock */
	uint64_t published_at;
	uint64_t pending_missed; /* to be told in the ring */
	uint32_t missed_cpu;
	bool owes_whole; /* FLIGHT_WHOLE had no room */
	bool small, incomplete; /* of the segment that was begun last */
	uint64_t missed, dropped, reported_dropped;
	uint64_t save_until_ns; /* while a file is written: what comes until then belongs to it */

	/* Both sides'. */
	struct record_queue ring; /* .bytes NULL: there is none */
	struct record_queue spaces; /* FLIGHT_SPACE of who is to be looked up */
	atomic_bool saving; /* the thread has what follows, and takes from the ring */
	atomic_uint_least64_t save_end; /* position; UINT64_MAX: not known yet */
	atomic_uint_least64_t rests_until_ns;
	atomic_uint freeze; /* enum flight_reason, wanted by hand */
	atomic_uint_least64_t save_missed;
	/* Of the file; written before `saving` is set. */
	struct flight_mark mark;
	uint64_t save_begin; /* position */
	uint64_t save_dropped;
	struct flight_settings save_settings;

	/* Under the mutex. */
	bool quit, unwanted; /* unwanted: the ring goes as soon as no file is written from it */
	bool copies;
	uint32_t saved, failed;
	struct flight_save *news; /* FLIGHT_NEWS of them */
	size_t news_count;

	/* The thread's. */
	struct recorder file;
	struct flight_files files;
	struct flight_maps maps;
};

void *flight_main(void *flight); /* the thread's */

/* A file is being written: what is wanted for it stays, what has no room is missed. */
static inline bool flight_is_saving(const struct flight *f)
{
	return atomic_load_explicit(&f->saving, memory_order_acquire);
}

/* -- Of the ring, under the model's lock ----------------------------------------------------- */

static inline struct flight_segment *flight_segment(struct flight *f, uint64_t number)
{
	return &f->segments[number % FLIGHT_SEGMENTS];
}

/* False: there is no room for it. */
bool flight_ring_put_mark(struct flight *f, enum flight_item mark, uint64_t value);
/* What was put becomes visible to the thread. */
void flight_ring_publish(struct flight *f);
/* The first word after a file was written: all that is still there is kept again. */
void flight_ring_take_back(struct flight *f);
/* So much is free that what comes while a file begins to be written has room. */
void flight_ring_make_room(struct flight *f);
/* The newest segment that has all that is wanted, or the oldest there is; there is one. */
const struct flight_segment *flight_ring_choose(struct flight *f, uint64_t from_ns);

#endif
