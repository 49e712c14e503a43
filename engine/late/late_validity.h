/*
 * late_validity - decides which late reads (late_bytes.h) were made in time.
 *
 * The timestamp of a late read is taken at its end. A late read is valid if the call was then in
 * flight, or had returned and its thread had made no further call. The model can decide this once
 * it has been fed up to that time. Until then only data that cannot have changed is shown.
 *
 * A valid late read of a call in flight is stored with the call and moves to the history with it.
 * For a call that had returned, this module caches whether its late read is valid. "Locked"
 * functions need the model's lock; any thread may call the other functions.
 */
#ifndef LATE_LATE_VALIDITY_H
#define LATE_LATE_VALIDITY_H

#include "engine/base/idmap.h"
#include "engine/base/str.h"
#include "engine/model/model.h"

#include <stdatomic.h>

struct late_validity {
	struct idmap returned; /* by call: whether the late read after its return is valid */
	atomic_uint_least64_t again_ns; /* time of the next check of pending results; 0: none */
	atomic_uint_least64_t turns; /* count of such checks */
};

/* A zeroed struct is empty. */
void late_validity_release(struct late_validity *trust);

enum late_answer {
	LATE_WAITS, /* the model has not been fed up to the time of the read yet */
	LATE_GOOD,
	LATE_BAD,
};

/*
 * Locked. Decide on chunks that were read while the call was in flight, or after its return. *news:
 * true with the first LATE_GOOD for chunks that were read after the return.
 */
enum late_answer late_validity_ask(struct late_validity *trust, struct model *model,
				   const struct call *call, bool in_flight,
				   const struct str *chunks, bool *news);

/* Append the chunks that cannot have changed, whenever they were read. */
void late_validity_add_constants(struct str *out, const void *chunks, size_t len);

/* Return a number that changes when pending results should be checked again. */
uint64_t late_validity_version(struct late_validity *trust);

#endif
