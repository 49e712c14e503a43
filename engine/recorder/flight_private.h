/*
 * flight_private - state shared by flight.c, flight_ring.c (the ring) and flight_save.c (the thread
 * that writes files). Included only by these.
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

/* Marks in the ring, with a time or (FLIGHT_SPACE) a process. */
enum flight_item {
	FLIGHT_SEGMENT = 1, /* a segment begins: its snapshot follows ... */
	FLIGHT_WHOLE, /* ... up to this mark */
	FLIGHT_SPACE, /* generation (high half) and pid (low half) */
	FLIGHT_DRAINED, /* end of a drain up to this time */
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
	pthread_mutex_t asking; /* held during options.find; guards shut_down */
	bool shut_down;

	/* Under the model's lock. */
	bool on, spent;
	struct model *model; /* valid while `on` is set */
	struct flight_trigger trigger;
	struct flight_settings settings; /* copied to save_settings when a file begins */
	struct flight_segment segments[FLIGHT_SEGMENTS]; /* number n is at n % FLIGHT_SEGMENTS */
	uint64_t first_segment, end_segment;
	uint64_t due_at, due_ns; /* start of the next segment: ring position, time */
	uint64_t published_at;
	uint64_t pending_missed; /* missed records not yet reported as lost in the ring */
	uint32_t missed_cpu;
	bool owes_whole; /* FLIGHT_WHOLE had no room */
	bool small, incomplete; /* state of the last segment that began */
	uint64_t missed, dropped, reported_dropped;
	uint64_t save_until_ns; /* end time of the file that is being written; 0: none */

	/* Shared by the collector and the thread. */
	struct record_queue ring; /* .bytes NULL: no ring */
	struct record_queue spaces; /* FLIGHT_SPACE marks of processes to look up */
	atomic_bool saving; /* the thread owns save_* below and reads the ring */
	atomic_uint_least64_t save_end; /* ring position of the file's end; UINT64_MAX: unknown */
	atomic_uint_least64_t rests_until_ns;
	atomic_uint freeze; /* enum flight_reason of a pending manual trigger */
	atomic_uint_least64_t save_missed;
	/* About the file to write; set before `saving`. */
	struct flight_mark mark;
	uint64_t save_begin; /* ring position of its first segment */
	uint64_t save_dropped;
	struct flight_settings save_settings;

	/* Under the mutex. */
	bool quit, unwanted; /* unwanted: free the ring once no file is written from it */
	bool copies;
	uint32_t saved, failed;
	struct flight_save *news; /* array of FLIGHT_NEWS */
	size_t news_count;

	/* Thread only. */
	struct recorder file;
	struct flight_files files;
	struct flight_maps maps;
};

void *flight_main(void *flight); /* body of the thread */

/* While true, records that the file needs stay in the ring; records without room are missed. */
static inline bool flight_is_saving(const struct flight *f)
{
	return atomic_load_explicit(&f->saving, memory_order_acquire);
}

/* -- Ring, under the model's lock ------------------------------------------------------------ */

static inline struct flight_segment *flight_segment(struct flight *f, uint64_t number)
{
	return &f->segments[number % FLIGHT_SEGMENTS];
}

/* False: no room. */
bool flight_ring_put_mark(struct flight *f, enum flight_item mark, uint64_t value);
/* Make all records put so far visible to the thread. */
void flight_ring_publish(struct flight *f);
/* If a file was written since the last call, retain all records that were not overwritten. */
void flight_ring_take_back(struct flight *f);
/* Free enough of the ring for the records that arrive during the start of a file. */
void flight_ring_make_room(struct flight *f);
/*
 * Return the newest segment that begins at or before from_ns, else the oldest. Requires a segment.
 */
const struct flight_segment *flight_ring_choose(struct flight *f, uint64_t from_ns);

#endif
