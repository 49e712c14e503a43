/*
 * recorder - writes the collected records to a perf.data file, on its own thread.
 *
 * The collector copies its records into a queue of fixed size and does not wait: records without
 * room are counted and written as lost. If the records come from another recording
 * (recorder_set_machine()), the collector waits for room instead. The thread writes the records. It
 * also looks up the mappings and build-ids of processes that existed before the recording. Each
 * file is self-contained: it begins with the tasks and the calls in flight at its start.
 *
 * The comment of each function names the thread that may call it: the owner (starts and stops the
 * engine), any thread, or the collector.
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

/* Call recorder_take() for each record that a file begins with. Collector. */
typedef void recorder_snapshot_fn(void *ctx, struct recorder *recorder);

struct reader;

struct recorder_options {
	struct event_formats *formats; /* borrowed; formats of other tracepoints */
	recorder_snapshot_fn *snapshot;
	void *snapshot_ctx;
	uint32_t stack_bytes; /* maximum bytes of a user stack */
	struct recording_symbols *names; /* borrowed; NULL: store no names */
	struct reader *reader; /* borrowed; NULL: read /proc and files in this process */
};

#define RECORDER_KEEP_MAX 1000
#define RECORDER_LEVEL_MAX 22
#define RECORDER_BYTES_MIN (1u << 20)

/* Settings of a recording. */
struct recorder_request {
	const char *path; /* "-": standard output instead of a file */
	int level; /* zstd level; 0: uncompressed */
	uint64_t max_bytes; /* begin another file at this size; 0: never */
	uint64_t max_ns; /* ... or at this age */
	uint32_t keep; /* number of old files to retain; 0: all */
	bool fresh; /* refuse an existing file instead of renaming it to PATH.old */
};

struct recorder_status {
	bool recording; /* also while the file is being finished */
	char path[4096];
	uint64_t bytes; /* bytes of the current file */
	uint64_t began_ns;
	uint64_t lost; /* records without room, since the recording began */
	uint32_t files; /* number of files begun so far */
	bool left; /* the recording ended because its reader closed the pipe */
	char error[ERR_TEXT_BYTES]; /* why the recording ended; empty: no error */
};

/* Owner. Create the idle thread early, so that it can be excluded from the target. */
int recorder_new(struct recorder **recorder, const struct recorder_options *options,
		 struct err *err);
void recorder_free(struct recorder *recorder); /* ends a recording that is still running */
/* Owner, before the first file. Set the machine of the recording that is read; takes ownership. */
void recorder_set_machine(struct recorder *recorder, const struct perfdata_machine *take);
/* Owner, before the first file. Mark files as saved by a flight recorder. */
void recorder_set_flight(struct recorder *recorder, const struct flight_mark *mark);
/*
 * Owner. copies: the source copies memory that arguments point to. started_ns: start of the source,
 * if the first recording begins then; else 0.
 */
void recorder_set_source(struct recorder *recorder, bool copies, uint64_t started_ns);
/* Owner. reported: the source has switch records; ins: including switch-ins. */
void recorder_set_waits(struct recorder *recorder, bool reported, bool ins);

/*
 * Any thread. Open the file; the collector then begins it with recorder_begin(). -errno with a
 * message on failure.
 */
int recorder_open(struct recorder *recorder, const struct recorder_request *request,
		  struct err *err);
void recorder_get_status(struct recorder *recorder, struct recorder_status *status);
/* Any thread. True if a write failed. No more records are written, even before recorder_end(). */
bool recorder_failed(const struct recorder *recorder);
/* Any thread. Wait until the file is finished, after recorder_end(). */
void recorder_wait(struct recorder *recorder);
bool recorder_wait_ms(struct recorder *recorder, int timeout_ms); /* false: not finished yet */
/* Any thread. When this recording ends, do not wait for function names or a pipe's reader. */
void recorder_give_up(struct recorder *recorder);
/*
 * Any thread. Add an observation to the current recording. It is dropped if there is none, or while
 * 16 MiB of observations wait for the thread.
 */
void recorder_find(struct recorder *recorder, const struct observation *observation);
/*
 * Any thread. Return the number of the file that is being written, 0 if none; *began_ns is the time
 * of its first record. A new number means a new file, which lacks all observations made before its
 * start.
 */
uint32_t recorder_file_number(struct recorder *recorder, uint64_t *began_ns);

/* The functions below: collector only. */
/* from_ns: time of the first record; 0: start of the source (first recording only), else now. */
void recorder_begin(struct recorder *recorder, uint64_t from_ns);
void recorder_end(struct recorder *recorder);
bool recorder_is_on(const struct recorder *recorder);
void recorder_take(struct recorder *recorder, const struct record *record);
/* After each drain; now_ns: time up to which the source was drained. */
void recorder_drained(struct recorder *recorder, uint64_t now_ns);

#endif
