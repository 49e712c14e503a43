/*
 * recorder_private - what the recorder and the file that it writes share; and the flight recorder,
 * which writes such files on a thread of its own. Nobody else includes it.
 */
#ifndef RECORDER_RECORDER_PRIVATE_H
#define RECORDER_RECORDER_PRIVATE_H

#include "engine/recorder/perfdata_writer.h"
#include "engine/recorder/recorder.h"
#include "engine/recorder/recorder_maps.h"
#include "engine/recording/flight_mark.h"
#include "engine/recording/perfdata_encode.h"
#include "engine/recording/record_queue.h"

#include <pthread.h>
#include <stdatomic.h>

#define RECORDER_WRITE_BYTES ((size_t)256 << 10) /* are written at once */

struct recorder {
	struct recorder_options options;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake, idle;

	/* The collector's. */
	bool on;
	uint64_t written_at; /* of the queue when it was published last */
	uint64_t pending_lost;
	uint32_t lost_cpu;

	struct record_queue queue;
	atomic_bool sleeping; /* the thread waits for records */
	atomic_bool ended; /* no more records will come: of this recording */
	atomic_bool dead; /* a write failed: no more records are wanted */
	atomic_bool given_up; /* nobody waits for what is still to come */
	atomic_bool next_wanted; /* the file is large or old enough */
	atomic_uint_least64_t lost;

	/* Under the mutex. */
	bool quit, opened; /* opened: fd and request are of a recording to come or going on */
	int fd;
	struct recorder_request request;
	char *path;
	bool pipe; /* it is standard output */
	struct recorder_status status;
	struct str observations; /* to be written */
	uint32_t file_number; /* counts on; 0: none was begun */
	bool file_open;
	uint64_t file_ns; /* its records are from then on */

	/* The thread's, or before there is any. */
	bool recorded, copies, machine_known;
	struct flight_mark flight; /* of the file; .reason FLIGHT_NONE: it has none */
	int failure; /* -errno of what ended it */
	uint64_t started_ns; /* the source */
	struct perfdata_machine machine;
	struct perfdata_encode encode;
	struct perfdata_writer *writer;
	struct recorder_maps maps;
	int *events; /* numbers of the model: in the file, or -1 */
	size_t event_count, event_cap;
	uint64_t round_ns, checkpoint_ns, file_began_ns;
	char **kept; /* names of files before, oldest first */
	size_t kept_count, kept_cap;
};

/* Without its thread. */
void recorder_init(struct recorder *r, const struct recorder_options *options);
void recorder_release(struct recorder *r);

/* All of these are the thread's. */

/* The number in the file of a tracepoint of the model, or -1; ctx is the recorder. */
int recorder_file_event(void *ctx, uint32_t number);
/* Writes what was encoded. After a write that failed, nothing more is. */
void recorder_file_flush(struct recorder *r);
/* Makes what was written so far readable, and sees whether another file is due. */
void recorder_file_check(struct recorder *r, uint64_t now_ns);
/* Takes fd, an empty file. */
void recorder_file_begin(struct recorder *r, int fd, uint64_t began_ns);
/* last: no other file follows, and there is time to wait for names. */
void recorder_file_finish(struct recorder *r, bool last);
/* Puts this one aside and begins another of the same name. */
void recorder_file_next(struct recorder *r, uint64_t began_ns);

#endif
