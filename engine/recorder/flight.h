/*
 * flight - flight recorder: retains the last seconds in memory and saves them to a file on a
 * trigger.
 *
 * Every collected record is copied into a ring of fixed size, where it overwrites the oldest ones.
 * This costs one copy per record; files are handled only after a trigger. At intervals, a new
 * segment begins in the ring. It starts with the records that a file needs first: tasks, their
 * names and owners, calls in flight and their waits (recorder_snapshot.h). A file begins with the
 * newest segment that is at least as old as requested, so it is self-contained. The segment also
 * notes the address space of each process, so that its mappings are available after it has exited
 * (spaces.h).
 *
 * The triggers are a call that matches an expression (also while in flight), a signal, and a key.
 * After a trigger, a separate thread writes the file, oldest record first. It follows the ring
 * until the records requested after the trigger have arrived. Meanwhile the collector continues in
 * the same ring and overwrites the written part. It never waits: records without room are counted
 * and reported as lost in the file. Then the recorder is armed again and retains all records that
 * were not overwritten.
 *
 * The kernel's overwrite rings (perf_event_attr.write_backward) need no reader, but the cost is in
 * the samples, not in reading them. With two perf samples for each call, dd takes 6.2 times as long
 * without a reader and 6.0 times with one. With one BPF record, it takes 2.45 times as long (Linux
 * 6.18). Those rings also lack the filter results, and the names, mappings and calls in flight
 * before their oldest record. This ring, when armed, adds no measurable cost to BPF collection. dd
 * takes 2.42 s with it, 2.48 s without, 2.63 s with a recording (tests/bench/run flight).
 *
 * The comment of each function names the thread that may call it, as in recorder.h. "Locked": under
 * the model's lock.
 */
#ifndef RECORDER_FLIGHT_H
#define RECORDER_FLIGHT_H

#include "engine/base/err.h"
#include "engine/filter/filter.h"
#include "engine/model/model.h"
#include "engine/record/observation.h"
#include "engine/recorder/recording_symbols.h"
#include "engine/recording/flight_mark.h"
#include "engine/source/event_formats.h"
#include "engine/source/source.h"
#include "engine/stack/spaces.h"

struct flight;

/* Call take(to, ...) for each record at the start of a segment, then return. Collector, locked. */
typedef void flight_snapshot_fn(void *ctx, record_fn *take, void *to);

struct flight_options {
	struct event_formats *formats; /* borrowed; `spaces` too */
	struct spaces *spaces;
	struct reader *reader; /* NULL: read /proc and files in this process */
	flight_snapshot_fn *snapshot;
	void *snapshot_ctx;
	uint32_t stack_bytes; /* maximum bytes of a user stack */
	/* Borrowed; FLIGHT_SEGMENTS_MAX parts; each `snapshot` begins one. NULL: no names. */
	struct recording_symbols *names;
	/* Pass all known observations to flight_find() before returning; NULL: none. */
	void (*find)(void *ctx);
	void *ctx;
};

#define FLIGHT_SEGMENTS_MAX 64 /* a power of two */
#define FLIGHT_BYTES ((size_t)64 << 20)
#define FLIGHT_BYTES_MIN ((size_t)1 << 20)
#define FLIGHT_BYTES_MAX ((size_t)1 << 40)
#define FLIGHT_BEFORE_NS ((uint64_t)10 * 1000000000)
#define FLIGHT_AFTER_NS ((uint64_t)1 * 1000000000)
#define FLIGHT_AGAIN_NS ((uint64_t)30 * 1000000000)
#define FLIGHT_KEEP 10
#define FLIGHT_KEEP_MAX 1000
#define FLIGHT_PATTERN "stxtop-flight-%Y%m%d-%H%M%S-%N.data"

/* Settings of the flight recorder. */
struct flight_request {
	struct filter *filter; /* shared; NULL or match-all: only manual triggers */
	const char *pattern; /* pattern of file names, see flight_file.h; NULL: FLIGHT_PATTERN */
	size_t bytes; /* size of the ring, rounded down to a power of two; 0: default */
	uint64_t before_ns, after_ns; /* span to save before and after the trigger */
	uint64_t again_ns; /* after a file, ignore the expression for this long */
	bool once; /* the expression triggers once */
	uint32_t keep; /* number of files to retain; older ones are removed; 0: all */
};
/* Set the defaults, without an expression. */
void flight_request_init(struct flight_request *request);

enum flight_state {
	FLIGHT_OFF,
	FLIGHT_ARMED,
	FLIGHT_SAVING, /* a file is being written */
	FLIGHT_RESTS, /* again_ns has not passed yet */
	FLIGHT_SPENT, /* `once` is used up; manual triggers still work */
	FLIGHT_STATE_COUNT
};

struct flight_status {
	enum flight_state state;
	size_t ring_bytes;
	uint64_t kept_ns; /* age of the oldest segment */
	uint64_t rests_ns; /* remaining part of again_ns */
	bool small; /* a segment's first records need more than 1/4 of the ring, or do not fit */
	uint64_t missed; /* records without room while a file was written */
	uint64_t dropped; /* triggers ignored while a file was written or again_ns ran */
	uint32_t saved, failed; /* numbers of files */
};

/* Result of a trigger. */
struct flight_save {
	struct flight_mark mark;
	char path[4096];
	int failure; /* 0: the file exists; -errno, with a message in error: no file */
	char error[ERR_TEXT_BYTES];
	uint64_t bytes, until_ns;
	uint64_t missed; /* records without room while this file was written */
	uint64_t dropped; /* triggers ignored since the previous file */
};

/* Owner. Create the idle thread early, so that it can be excluded from the target. */
int flight_new(struct flight **flight, const struct flight_options *options, struct err *err);
void flight_free(struct flight *flight); /* finishes a file that is being written */
/* Owner. After return, options.find is not called again. */
void flight_shutdown(struct flight *flight);
/* Owner, before collection starts. copies: the source copies memory that arguments point to. */
void flight_set_source(struct flight *flight, bool copies);

/*
 * Any one thread at a time, not locked. Do the slow part of arming: check the file pattern,
 * allocate the ring. -errno with a message; -EBUSY if the recorder is armed with a ring of another
 * size.
 */
struct flight_arming;
int flight_prepare(struct flight *flight, const struct flight_request *request,
		   struct flight_arming **arming, struct err *err);
/*
 * Locked. Arm with these settings; an existing ring of the same size is reused. -EBUSY with a
 * message while the last file is still being written from the previous ring. In each case, call
 * flight_arming_free() afterwards, not locked.
 */
int flight_arm(struct flight *flight, struct flight_arming *arming, struct model *model,
	       struct err *err);
void flight_arming_free(struct flight_arming *arming);
/* Locked. A file that is being written gets no later records. */
void flight_disarm(struct flight *flight, struct model *model);

/* Any thread. Trigger manually; takes effect at the next drain. */
void flight_freeze(struct flight *flight, enum flight_reason reason);
void flight_get_status(struct flight *flight, struct flight_status *status); /* locked */
/* Any thread. Take the next result of a trigger. False: no new result. */
bool flight_next(struct flight *flight, struct flight_save *save);
/* Any thread. Add an observation to the file that is being written, if any. */
void flight_find(struct flight *flight, const struct observation *observation);
/* Any thread. See recorder_file_number(). */
uint32_t flight_file_number(struct flight *flight, uint64_t *began_ns);
/* Wait until no file is being written; after flight_end(). */
void flight_wait(struct flight *flight);

/* Collector only, locked. */
bool flight_is_on(const struct flight *flight);
/* True: call flight_begin() before the next record, after the model has all earlier ones. */
bool flight_is_due(const struct flight *flight);
void flight_begin(struct flight *flight, uint64_t now_ns);
void flight_take(struct flight *flight, const struct record *record);
/* Call after each drain, once the model has all records of the drain. */
void flight_drained(struct flight *flight, uint64_t now_ns);
/* No more records follow: end the file that is being written. */
void flight_end(struct flight *flight);

#endif
