/*
 * recorder_private - state shared by recorder.c, recorder_file.c, and the flight recorder, which
 * writes such files on its own thread. Included only by these.
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

#define RECORDER_WRITE_BYTES ((size_t)256 << 10) /* size of a write */

struct recorder {
	struct recorder_options options;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake, idle;

	/* Collector only. */
	bool on;
	uint64_t written_at; /* queue.write_at at the last publish */
	uint64_t pending_lost;
	uint32_t lost_cpu;

	struct record_queue queue;
	atomic_bool sleeping; /* the thread waits for records */
	atomic_bool ended; /* the collector adds no more records to this recording */
	atomic_bool dead; /* a write failed: records are dropped */
	atomic_bool given_up; /* do not wait for names or the pipe */
	atomic_bool next_wanted; /* the file has reached max_bytes or max_ns */
	atomic_uint_least64_t lost;

	/* Under the mutex. */
	bool quit, opened; /* opened: fd and request belong to a pending or running recording */
	int fd;
	struct recorder_request request;
	char *path;
	bool pipe; /* standard output */
	struct recorder_status status;
	struct str observations; /* encoded, not written yet */
	uint32_t file_number; /* increases with each file; 0: none begun */
	bool file_open;
	uint64_t file_ns; /* time of the file's first record */

	/* Thread only, or before it runs. */
	bool recorded, copies, machine_known;
	struct flight_mark flight; /* for new files; .reason FLIGHT_NONE: none */
	int failure; /* -errno that ended the recording */
	uint64_t started_ns; /* start of the source */
	struct perfdata_machine machine;
	struct perfdata_encode encode;
	struct perfdata_writer *writer;
	struct recorder_maps maps;
	int *events; /* by event number of the model: the file's; -1: none, -2: not added yet */
	size_t event_count, event_cap;
	uint64_t round_ns, checkpoint_ns, file_began_ns;
	char **kept; /* names of earlier files, oldest first */
	size_t kept_count, kept_cap;
};

/* Initialize or release all members except the thread. */
void recorder_init(struct recorder *r, const struct recorder_options *options);
void recorder_release(struct recorder *r);

/* The functions below: thread only. */

/* Return the number in the file of a tracepoint of the model, or -1; ctx is the recorder. */
int recorder_file_event(void *ctx, uint32_t number);
/* Write the encoded records. After a failed write, discard them. */
void recorder_file_flush(struct recorder *r);
/* Write a checkpoint if it is time for one, and test if another file must begin. */
void recorder_file_check(struct recorder *r, uint64_t now_ns);
/* Begin a file; takes ownership of fd, an empty file. */
void recorder_file_begin(struct recorder *r, int fd, uint64_t began_ns);
/* last: no other file follows, so wait for names. */
void recorder_file_finish(struct recorder *r, bool last);
/* Rename the current file and begin another one under its name. */
void recorder_file_next(struct recorder *r, uint64_t began_ns);

#endif
