/*
 * history - the last calls, in a fixed ring; oldest out first.
 *
 * A call gets its sequence number when it is put (when it finished, or, for a
 * gap, when it was noticed). Numbers never repeat; [first, end) are present.
 * Optionally a reader that must not miss anything holds a mark: then put() is
 * only called while history_room() says so. Owned and locked by the model.
 *
 * Calls are kept packed (call_pack.h), so how many there is room for depends on what they
 * are; those that are next to each other in blocks, each with a table of where they begin. The
 * oldest go a block at a time. Readers get struct call as it was put.
 *
 * What calls pointed to is kept beside, in an arena; it may go before its call does,
 * never after, but what a mark holds stays too.
 */
#ifndef MODEL_HISTORY_H
#define MODEL_HISTORY_H

#include "engine/base/err.h"
#include "engine/record/call.h"

struct history;

#define HISTORY_BYTES_MIN (64u << 10) /* a smaller wish is raised to this ... */
#define HISTORY_CALLS_MIN 256 /* ... and has room for so many, whatever they are */

/* -ENOMEM with a sentence if so many bytes are not to be had. */
int history_new(struct history **history, size_t bytes, struct err *err);
/* What calls point to, from now on: without it, nothing is kept. Once. */
int history_store_bytes(struct history *history, size_t bytes, struct err *err);
/* The same while it is empty, out of its own room: a part in `parts`. Not twice. */
int history_share(struct history *history, size_t parts, struct err *err);
/*
 * A smaller wish is raised to this: a reader that must get every call waits for room for what the
 * calls of one record may point to at most (collector.c), which has to be there when it has all.
 */
#define HISTORY_POINTED_MIN (8u << 20)
/*
 * While it is empty, for who reads calls soon after they were put, or not at all: it takes no
 * more than so many bytes from now on, which stay in the caches then; 0: calls are only numbered.
 */
void history_shorten(struct history *history, size_t bytes);
void history_free(struct history *history);

/* bytes: replace what the call points to so far, or are added to it; NULL: as they are. */
void history_put(struct history *history, const struct call *call,
		 const struct record_bytes *bytes);
/* Of a call that is not put yet: a number for its bytes_at. */
uint64_t history_put_bytes(struct history *history, const struct record_bytes *bytes);
/* The same with those that it has, where they are to be added. */
uint64_t history_join_bytes(struct history *history, const struct call *call,
			    const struct record_bytes *bytes);
/* The chunks of call->bytes_at; borrowed until the next put. NULL and 0: they are gone. */
const void *history_bytes(const struct history *history, const struct call *call, size_t *len);
uint64_t history_first(const struct history *history); /* oldest kept */
uint64_t history_end(const struct history *history); /* one past the newest */
/*
 * False, and nothing is written, if seq is not present. Neighbours of what was asked for last are
 * found at once, others by a search.
 */
bool history_get(struct history *history, uint64_t seq, struct call *call);
/* The calls from seq on that are present, at most `max`: how many; 0: seq is not. */
size_t history_read(struct history *history, uint64_t seq, struct call *calls, size_t max);
void history_clear(struct history *history);
/* What the calls that are present take, without what they point to. */
size_t history_bytes_used(const struct history *history);

/*
 * The lossless reader: everything below `seq` may be overwritten. A reader that has caught up,
 * whose `seq` is the end, holds nothing, however much is put into the arena for calls that are
 * not put: held is what is there to be read.
 */
void history_hold(struct history *history, uint64_t seq);
void history_unhold(struct history *history); /* there is no such reader */
bool history_is_held(const struct history *history); /* some of the calls are */
/* Puts, of any calls, until held ones would go; SIZE_MAX without such a reader. */
size_t history_room(const struct history *history);
/* The same until held bytes would go. */
size_t history_bytes_room(const struct history *history);

/* Of memory: what is used and what there is, for calls and for what they pointed to. */
void history_memory(const struct history *history, size_t *rows, size_t *rows_bound, size_t *bytes,
		    size_t *bytes_bound);

#endif
