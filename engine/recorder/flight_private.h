/*
 * flight_private - what the ring (flight.c) and the thread that writes files of it
 * (flight_save.c) share. Nobody else includes it.
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
	FLIGHT_WHOLE,       /* ... up to here */
	FLIGHT_SPACE,       /* the process (low half) has this space (high half) */
	FLIGHT_DRAINED,     /* at that time */
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
	bool hushed;

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
	uint64_t missed, dropped, told_dropped;
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

#endif
