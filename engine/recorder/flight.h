/*
 * flight - the flight recorder: the last seconds in memory, which become a file when something
 * happens.
 *
 * All that is collected is copied into a ring of fixed size, the oldest overwritten: one copy per
 * record and nothing else, as no file is thought of before it is wanted. Now and then a segment
 * begins in the ring, with all that a file has to begin with: tasks, their names and owners,
 * calls in flight with what they wait in (recorder_snapshot.h). A file begins with the last
 * segment that is as old as is asked for, so it stands on its own. Which address space a process
 * had then is noted too: what was mapped there is known when it has long ended (spaces.h).
 *
 * It is frozen by a call that matches an expression, also while it goes on, by a signal or by a
 * key. From that moment a thread of its own writes the file, oldest first, and follows the ring
 * until what is to be kept behind the trigger has come. Collecting goes on in the ring behind
 * it, into what was written already: what there is no room for is counted, told as lost in the
 * file, and never waited for. Afterwards it is armed again, with all that was not overwritten.
 *
 * Why not the kernel's own overwrite rings (perf_event_attr.write_backward), which need no reader
 * at all: what costs is not reading them. Of dd's calls, two perf samples each make 6.2 times
 * the time without any reader and 6.0 with one; one record of a program, 2.45 (Linux 6.18). They
 * also know neither which calls match nor names, mappings and calls in flight of their beginning.
 * Armed, this ring adds nothing that can be measured to collecting the same by programs (dd 2.42 s
 * against 2.48 s, 2.63 s with a recording; tests/bench/run flight).
 *
 * Functions say whose they are, as those of recorder.h; "locked": under the model's lock.
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

/* Takes what there is at the beginning of a file: all of it, at once. Collector, locked. */
typedef void flight_snapshot_fn(void *ctx, record_fn *take, void *to);

struct flight_options {
	struct event_formats *formats; /* borrowed, as the next one */
	struct spaces *spaces;
	struct reader *reader; /* NULL: what belongs to processes is read here */
	flight_snapshot_fn *snapshot;
	void *snapshot_ctx;
	uint32_t stack_bytes; /* of a user's stack, at most */
	/* Borrowed; of FLIGHT_SEGMENTS_MAX parts, begun by the snapshot; NULL: not kept. */
	struct recording_symbols *names;
	void (*find)(void *ctx); /* has what is known told to flight_find(), at once; or NULL */
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

/* What it is to do. */
struct flight_request {
	struct filter *filter; /* shared. NULL, or one of everything: frozen by hand alone */
	const char *pattern; /* of the files, see flight_file.h; NULL: FLIGHT_PATTERN */
	size_t bytes; /* of the ring; 0: default. A power of two at or below it is taken */
	uint64_t before_ns, after_ns; /* of the trigger: so much is wanted */
	uint64_t again_ns; /* after a file, the expression is not obeyed for so long */
	bool once; /* the expression is obeyed once */
	uint32_t keep; /* so many files; older ones are removed. 0: all */
};
/* The defaults, without an expression. */
void flight_request_init(struct flight_request *request);

enum flight_state {
	FLIGHT_OFF,
	FLIGHT_ARMED,
	FLIGHT_SAVING, /* what came before and comes behind a trigger */
	FLIGHT_RESTS, /* again_ns is not over */
	FLIGHT_SPENT, /* it was armed for once; by hand it is frozen still */
	FLIGHT_STATE_COUNT
};

struct flight_status {
	enum flight_state state;
	size_t ring_bytes;
	uint64_t kept_ns; /* so far back it reaches now */
	uint64_t rests_ns; /* of again_ns, what is left */
	bool small; /* the ring holds little more than what a file begins with */
	uint64_t missed; /* records that there was no room for while a file was written */
	uint64_t dropped; /* triggers that came while a file was written or it rested */
	uint32_t saved, failed; /* files */
};

/* What became of a trigger. */
struct flight_save {
	struct flight_mark mark;
	char path[4096];
	int failure; /* 0: the file is there; -errno, with a sentence: it is not */
	char error[ERR_TEXT_BYTES];
	uint64_t bytes, until_ns;
	uint64_t missed; /* records, in this file */
	uint64_t dropped; /* triggers since the file before it */
};

/* The owner's: a thread, which does nothing yet, but can be left out of what is watched. */
int flight_new(struct flight **flight, const struct flight_options *options, struct err *err);
void flight_free(struct flight *flight); /* a file that is being written is finished */
/* The owner's: nobody can be asked by options.find any more. */
void flight_shutdown(struct flight *flight);
/* The owner's, before anything is collected: whether the source copies what calls point to. */
void flight_set_source(struct flight *flight, bool copies);

/* One thread's at a time, not locked: makes all that takes time before arming. */
struct flight_arming;
int flight_prepare(struct flight *flight, const struct flight_request *request,
		   struct flight_arming **arming, struct err *err);
/*
 * Locked. What it is armed with from now on; a ring that is there already is kept if it is as
 * large. -EBUSY with a sentence. In any case flight_arming_free() follows, not locked.
 */
int flight_arm(struct flight *flight, struct flight_arming *arming, struct model *model,
	       struct err *err);
void flight_arming_free(struct flight_arming *arming);
/* Locked. A file that is being written ends here. */
void flight_disarm(struct flight *flight, struct model *model);

/* Anybody's: by hand. Takes effect at the next drain. */
void flight_freeze(struct flight *flight, enum flight_reason reason);
void flight_get_status(struct flight *flight, struct flight_status *status); /* locked */
/* Anybody's: the next that became of a trigger; false: nothing new did. */
bool flight_next(struct flight *flight, struct flight_save *save);
/* Anybody's: what was found out, for the file that is being written, if one is. */
void flight_find(struct flight *flight, const struct observation *observation);
/* The same: as recorder_file_number(). */
uint32_t flight_file_number(struct flight *flight, uint64_t *began_ns);
/* Until no file is being written; after flight_end(). */
void flight_wait(struct flight *flight);

/* The collector's, locked. */
bool flight_is_on(const struct flight *flight);
/* True: flight_begin() is due before the next record, once the model has all of those before. */
bool flight_is_due(const struct flight *flight);
void flight_begin(struct flight *flight, uint64_t now_ns);
void flight_take(struct flight *flight, const struct record *record);
/* After each drain, once the model has it all. */
void flight_drained(struct flight *flight, uint64_t now_ns);
/* Nothing more comes. */
void flight_end(struct flight *flight);

#endif
