/*
 * long_calls - which calls lie across much of a recording, and where what is told of them stands.
 *
 * Who begins to read in the middle of a file reads some of what is in front of that place, too.
 * Calls that began even earlier and were still in flight there are found here, with the places
 * of their records: the beginning, and what their threads did until then. Pure. Memory is bounded:
 * where there are too many calls, only longer ones are kept, and where one has too many records,
 * those in the middle are not.
 */
#ifndef RECORDING_LONG_CALLS_H
#define RECORDING_LONG_CALLS_H

#include "engine/base/idmap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LONG_CALLS_MAX 65536 /* that have ended; and as many threads */
#define LONG_CALLS_PLACES_MAX 524288 /* of those that have ended */
#define LONG_CALL_PLACES 16 /* of one call */

/*
 * Where a record is: that of a file, or of the record that it is packed in, and which of the
 * records that end in there it is, which counts no further than 65535.
 */
static inline uint64_t place_of(uint64_t at, uint64_t which)
{
	return at << 16 | (which < UINT16_MAX ? which : UINT16_MAX);
}

static inline uint64_t place_at(uint64_t place)
{
	return place >> 16;
}

struct long_call {
	uint32_t tid;
	uint32_t count; /* of its places, in the order of the file */
	bool partial; /* there were more */
	uint64_t end; /* the place where it ended; UINT64_MAX: it did not */
	const uint64_t *places;
};

struct long_calls {
	struct idmap threads; /* struct long_thread, owned */
	struct long_ended *ended;
	size_t count, cap;
	uint64_t *places;
	size_t place_count, place_cap;
	uint64_t bytes; /* so much of the file lies in those that have ended, at least */
	bool left_out; /* there were too many threads */
};

/* bytes: shorter ones are not of interest. */
void long_calls_init(struct long_calls *calls, uint64_t bytes);
void long_calls_release(struct long_calls *calls);

/* The next record of a thread, in the order of the file; time_ns 0: it has none. */
void long_calls_begin(struct long_calls *calls, uint32_t tid, uint64_t place, uint64_t time_ns);
void long_calls_go_on(struct long_calls *calls, uint32_t tid, uint64_t place);
void long_calls_end(struct long_calls *calls, uint32_t tid, uint64_t place, uint64_t time_ns);
/* One as it was kept elsewhere; end UINT64_MAX: its thread is in it. */
void long_calls_add(struct long_calls *calls, const struct long_call *call);

typedef void long_call_fn(void *ctx, const struct long_call *call);
/* Those that have ended, then those that have not. Borrowed. */
void long_calls_each(const struct long_calls *calls, bool ended, long_call_fn *take, void *ctx);
/* Those that have ended were kept elsewhere. */
void long_calls_forget_ended(struct long_calls *calls);

struct long_calls_across {
	uint64_t *places; /* in order, the caller's to free(); NULL: none */
	size_t count;
	bool incomplete; /* there may be more of them, or of their records */
};
/* What is told, in front of `at`, of calls that were in flight there. */
void long_calls_find(const struct long_calls *calls, uint64_t at, struct long_calls_across *across);

#endif
