/*
 * history - ring of finished calls, the oldest evicted first.
 *
 * A call gets its sequence number when it is put, which is when it ends; a gap, when it is noticed.
 * Numbers never repeat; calls [first, end) are present. A lossless reader can hold a position; the
 * writer then calls history_put() only while history_room() is not 0. Owned and locked by the
 * model.
 *
 * Calls are packed (call_pack.h), so the number of calls that fit depends on their values.
 * Neighbouring calls share a block with a table of their offsets. Blocks are evicted as a whole.
 * Readers get each struct call as it was put.
 *
 * Argument memory is stored separately, in an arena. It can be evicted before its call, never after
 * it. Calls and memory that a lossless reader holds are not evicted.
 */
#ifndef MODEL_HISTORY_H
#define MODEL_HISTORY_H

#include "engine/base/err.h"
#include "engine/record/call.h"

struct history;

#define HISTORY_BYTES_MIN (64u << 10) /* smaller sizes are raised to this ... */
#define HISTORY_CALLS_MIN 256 /* ... which has room for this many calls of any kind */

/* -ENOMEM with a message if the memory cannot be reserved. */
int history_new(struct history **history, size_t bytes, struct err *err);
/* Reserve the arena for argument memory. Without it, none is stored. Call once. */
int history_store_bytes(struct history *history, size_t bytes, struct err *err);
/*
 * Reserve the arena out of the history's own memory: 1/parts of it. Only while the history is
 * empty. No-op if there is an arena.
 */
int history_share(struct history *history, size_t parts, struct err *err);
/*
 * Minimum size of the arena. With a lossless reader, the collector waits for room for all argument
 * memory that the calls of one record can have. An empty arena must have that room.
 */
#define HISTORY_POINTED_MIN (8u << 20)
/*
 * Limit the history to `bytes`, so that it stays in the CPU caches. Use it if calls are read soon
 * after they were put, or never. 0: number calls, but store none. Only while the history is empty.
 */
void history_shorten(struct history *history, size_t bytes);
void history_free(struct history *history);

/* bytes: replace the argument memory of the call, or extend it if bytes->more. NULL: no change. */
void history_put(struct history *history, const struct call *call,
		 const struct record_bytes *bytes);
/* Store argument memory of a call that is not put yet; return a value for call->bytes_at. */
uint64_t history_put_bytes(struct history *history, const struct record_bytes *bytes);
/*
 * Like history_put_bytes(), preceded by the call's bytes if bytes is NULL or bytes->more is set.
 */
uint64_t history_join_bytes(struct history *history, const struct call *call,
			    const struct record_bytes *bytes);
/* Return the chunks of call->bytes_at; borrowed until the next put. NULL and 0 if they are gone. */
const void *history_bytes(const struct history *history, const struct call *call, size_t *len);
uint64_t history_first(const struct history *history); /* oldest call */
uint64_t history_end(const struct history *history); /* one past the newest */
/*
 * False, without writing *call, if seq is not present. Calls near the last one read are found in
 * constant time, other calls by binary search.
 */
bool history_get(struct history *history, uint64_t seq, struct call *call);
/* Copy up to `max` calls, starting with `seq`. Return their number; 0 if seq is not present. */
size_t history_read(struct history *history, uint64_t seq, struct call *calls, size_t max);
void history_clear(struct history *history);
/* Memory of the present calls in bytes, without argument memory. */
size_t history_bytes_used(const struct history *history);

/*
 * Set the position of the lossless reader: calls below `seq` can be overwritten. With `seq` at the
 * end, nothing is held, not even the argument memory of calls that are not put yet.
 */
void history_hold(struct history *history, uint64_t seq);
void history_unhold(struct history *history); /* remove the lossless reader */
bool history_is_held(const struct history *history); /* there are unread calls */
/*
 * Number of calls of any kind that can be put without evicting a held call. SIZE_MAX without a
 * lossless reader.
 */
size_t history_room(const struct history *history);
/*
 * Number of calls that can be put without evicting held argument memory. SIZE_MAX without a
 * lossless reader or without an arena.
 */
size_t history_bytes_room(const struct history *history);

/* Memory in use and its bound, in bytes: rows are calls, bytes are argument memory. */
void history_memory(const struct history *history, size_t *rows, size_t *rows_bound, size_t *bytes,
		    size_t *bytes_bound);

#endif
