/*
 * recorder - a perf.data file of all that is collected, written beside the collector.
 *
 * The collector copies its records into a queue of fixed size and never waits: what there is no
 * room for is counted, and written as lost. A thread of its own takes them, looks up what the
 * file needs of processes that were there before (their mappings, build-ids), and writes. Every
 * file is whole by itself: it begins with the tasks and the calls in flight of that moment.
 *
 * Functions say whose they are: the owner's (who starts and stops the engine), anybody's, or
 * the collector's.
 */
#ifndef RECORDER_RECORDER_H
#define RECORDER_RECORDER_H

#include "engine/base/err.h"
#include "engine/record/observation.h"
#include "engine/record/record.h"
#include "engine/recorder/recording_symbols.h"
#include "engine/recording/flight_mark.h"
#include "engine/recording/perfdata_machine.h"
#include "engine/source/event_formats.h"

#include <stdbool.h>
#include <stdint.h>

struct recorder;

/* Puts what there is at the beginning of a file: recorder_take() of all that. The collector's. */
typedef void recorder_snapshot_fn(void *ctx, struct recorder *recorder);

struct reader;

struct recorder_options {
	struct event_formats *formats; /* borrowed; what other tracepoints are */
	recorder_snapshot_fn *snapshot;
	void *snapshot_ctx;
	uint32_t stack_bytes; /* of a user's stack, at most */
	struct recording_symbols *names; /* borrowed; NULL: names are not kept */
	struct reader *reader; /* of what belongs to processes, borrowed; NULL: it is read here */
};

#define RECORDER_KEEP_MAX 1000
#define RECORDER_LEVEL_MAX 22
#define RECORDER_BYTES_MIN (1u << 20)

/* What a recording is to be. */
struct recorder_request {
	const char *path; /* "-": standard output, and no file */
	int level; /* of zstd; 0: not compressed */
	uint64_t max_bytes; /* another file when this one has so many; 0: never */
	uint64_t max_ns; /* ... or is so old */
	uint32_t keep; /* so many old ones are kept; 0: all */
	bool fresh; /* a file that is there is no place for it, instead of put aside */
};

struct recorder_status {
	bool recording; /* or being finished */
	char path[4096];
	uint64_t bytes; /* of this file */
	uint64_t began_ns;
	uint64_t lost; /* records that there was no room for, since it began */
	uint32_t files; /* begun so far */
	bool left; /* it ended because nobody reads standard output any more */
	char error[ERR_TEXT_BYTES]; /* why it ended; empty: nothing is wrong */
};

/* The owner's: the thread, which does nothing yet, but can be left out of what is watched. */
int recorder_new(struct recorder **recorder, const struct recorder_options *options,
		 struct err *err);
void recorder_free(struct recorder *recorder); /* ends a recording that goes on */
/* The machine is one that another recording tells of; taken. Before the first file. */
void recorder_set_machine(struct recorder *recorder, const struct perfdata_machine *take);
/* It was saved by a flight recorder, and what is written anew says so. The same. */
void recorder_set_flight(struct recorder *recorder, const struct flight_mark *mark);
/*
 * The owner's: what calls point to is copied by the source; when it began, if what is recorded
 * first begins then, else 0.
 */
void recorder_set_source(struct recorder *recorder, bool copies, uint64_t started_ns);
/* The same: whether anybody tells of switches. */
void recorder_set_waits(struct recorder *recorder, bool reported, bool ins);

/*
 * Anybody's: opens the file. -errno with a sentence: it cannot be. The collector begins it with
 * recorder_begin().
 */
int recorder_open(struct recorder *recorder, const struct recorder_request *request,
		  struct err *err);
void recorder_get_status(struct recorder *recorder, struct recorder_status *status);
/* Anybody's: whether it failed, and nothing more is written, though nobody ended it yet. */
bool recorder_failed(const struct recorder *recorder);
/* Anybody's: until the file is finished, after recorder_end(). */
void recorder_wait(struct recorder *recorder);
bool recorder_wait_ms(struct recorder *recorder, int timeout_ms); /* false: it is not yet */
/*
 * Anybody's: what the end of this recording still waits for is left out, which are names of
 * functions, and of a pipe what its reader does not take.
 */
void recorder_give_up(struct recorder *recorder);
/* Anybody's: something was found out beside the records. Kept if there is a recording. */
void recorder_find(struct recorder *recorder, const struct observation *observation);
/*
 * Anybody's: which file is being written, and since when what it has is told: another number is
 * another file, which has none of what was found before it began. 0: none is.
 */
uint32_t recorder_file_number(struct recorder *recorder, uint64_t *began_ns);

/* The collector's, from here on. */
/* from_ns: something is told of then already; 0: it begins now, or with the source. */
void recorder_begin(struct recorder *recorder, uint64_t from_ns);
void recorder_end(struct recorder *recorder);
bool recorder_is_on(const struct recorder *recorder);
void recorder_take(struct recorder *recorder, const struct record *record);
/* After each drain; live: the machine is this one, and time goes on. */
void recorder_drained(struct recorder *recorder, uint64_t now_ns);

#endif
