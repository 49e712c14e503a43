/*
 * long_calls - finds calls that span much of a recording, and the places of their records.
 *
 * After a seek, a reader also reads a bounded stretch before the position. This module finds the
 * calls that began before that stretch and are in flight at the position. For each call it stores
 * the places of the enter and of the later records of the thread. Pure. Memory is bounded: if there
 * are too many calls, those that span fewer bytes are dropped. If a call has too many records, the
 * middle ones are dropped.
 */
#ifndef RECORDING_LONG_CALLS_H
#define RECORDING_LONG_CALLS_H

#include "engine/base/idmap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LONG_CALLS_MAX 65536 /* maximum number of finished calls; also of threads */
#define LONG_CALLS_PLACES_MAX 524288 /* maximum number of places of all finished calls */
#define LONG_CALL_PLACES 16 /* maximum number of places per call */

/*
 * Place of a record: file offset and ordinal. The offset is that of the record, or of the
 * compressed record in which it ends. The ordinal counts the records that end there, up to 65535.
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
	uint32_t count; /* number of `places`, which are in file order */
	bool partial; /* some places were dropped */
	uint64_t end; /* place of the record that ends the call; UINT64_MAX: in flight */
	const uint64_t *places;
};

struct long_calls {
	struct idmap threads; /* struct long_thread, owned */
	struct long_ended *ended;
	size_t count, cap;
	uint64_t *places;
	size_t place_count, place_cap;
	uint64_t bytes; /* finished calls that span fewer bytes of the file are not stored */
	bool left_out; /* calls were dropped, as there were too many threads */
};

/* bytes: initial value of long_calls.bytes. */
void long_calls_init(struct long_calls *calls, uint64_t bytes);
void long_calls_release(struct long_calls *calls);

/* Add an enter, a record within a call, or an exit. Call in file order. time_ns 0: none. */
void long_calls_begin(struct long_calls *calls, uint32_t tid, uint64_t place, uint64_t time_ns);
void long_calls_go_on(struct long_calls *calls, uint32_t tid, uint64_t place);
void long_calls_end(struct long_calls *calls, uint32_t tid, uint64_t place, uint64_t time_ns);
/* Add a call from a stored seek index; end UINT64_MAX: in flight. */
void long_calls_add(struct long_calls *calls, const struct long_call *call);

typedef void long_call_fn(void *ctx, const struct long_call *call);
/*
 * Pass calls to `take`: the finished ones if `ended`, otherwise those in flight. A call is borrowed
 * for the callback.
 */
void long_calls_each(const struct long_calls *calls, bool ended, long_call_fn *take, void *ctx);
/* Drop the finished calls, which the caller has stored elsewhere. */
void long_calls_forget_ended(struct long_calls *calls);

struct long_calls_across {
	uint64_t *places; /* sorted, for the caller to free(); NULL: none */
	size_t count;
	bool incomplete; /* calls, or records of calls, can be missing */
};
/* Find the records before file offset `at` of the calls that are in flight at `at`. */
void long_calls_find(const struct long_calls *calls, uint64_t at, struct long_calls_across *across);

#endif
