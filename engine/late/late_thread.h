/*
 * late_thread - reads memory of calls in the background and caches the results.
 *
 * A view requests a late read and continues; when results arrive, late_thread_version() changes.
 * Code that writes lines waits for the results, with a timeout of its own. Any thread.
 */
#ifndef LATE_LATE_THREAD_H
#define LATE_LATE_THREAD_H

#include "engine/base/err.h"
#include "engine/late/late_bytes.h"
#include "engine/record/observation.h"

struct late_thread;

/* Takes ownership of `late`, also on failure. */
int late_thread_new(struct late_thread **thread, struct late_bytes *late, struct err *err);
/* Waits for the late read in progress, if any. NULL is allowed. */
void late_thread_free(struct late_thread *thread);

/*
 * Set the observer, which gets the data of every late read, on the background thread. Call before
 * the first request.
 */
void late_thread_set_observer(struct late_thread *thread, observation_fn *observer, void *ctx);

/*
 * Request the memory of a call. known: chunks that exist already. No-op if the call is cached or
 * queued. The cache, which includes the queue, is bounded in calls and bytes; it drops the oldest
 * entries. If the oldest one is being read, this request is dropped instead.
 */
void late_thread_ask(struct late_thread *thread, const struct call *call,
		     const struct late_memory *memory, const void *known, size_t known_len);
/* Append the data of the late read of the call; false: not read yet, or evicted. */
bool late_thread_get(struct late_thread *thread, const struct call *call, struct str *chunks);
/* True if the late read of the call was requested, and is queued or cached. */
bool late_thread_knows(struct late_thread *thread, const struct call *call);
/* Changes when a late read ends, with or without data, and with late_thread_drop(). */
uint64_t late_thread_reads(struct late_thread *thread);
/* Wait until all requests are served; false: timeout. */
bool late_thread_wait(struct late_thread *thread, int timeout_ms);
/* Discard the requests that are not served yet. */
void late_thread_drop(struct late_thread *thread);
uint64_t late_thread_version(struct late_thread *thread);

size_t late_thread_bytes(struct late_thread *thread); /* memory in use */

#endif
