/*
 * late_validity - which of what was read from memory (late_bytes.h) was read in time.
 *
 * A reading says when it was over. It is of a call if that was still in flight then, or if it had
 * returned and its thread has made no call since: which the model knows once it was fed up to that
 * moment. Until then nothing of the reading is shown but what cannot have changed.
 *
 * What was read in flight goes to the call, which takes it into the history when it ends; what
 * was read of a call that had returned is remembered here as good or not. Calls that lock the
 * model share one; the rest may be asked by any thread.
 */
#ifndef LATE_LATE_VALIDITY_H
#define LATE_LATE_VALIDITY_H

#include "engine/base/idmap.h"
#include "engine/base/str.h"
#include "engine/model/model.h"

#include <stdatomic.h>

struct late_validity {
	struct idmap returned; /* by call: whether what was read after its return is of it */
	atomic_uint_least64_t again_ns; /* answers may be there then; 0: nobody waits for any */
	atomic_uint_least64_t turns; /* how often that was the case */
};

/* Zeroed is empty. */
void late_validity_release(struct late_validity *trust);

enum late_answer {
	LATE_WAITS, /* the model has not come so far */
	LATE_GOOD,
	LATE_BAD,
};

/*
 * Locked. Of chunks that were read when the call was in flight, or after. *news: of one that had
 * returned it is known for the first time that they are good.
 */
enum late_answer late_validity_ask(struct late_validity *trust, struct model *model,
				   const struct call *call, bool in_flight,
				   const struct str *chunks, bool *news);

/* Those of them that cannot have changed, whenever they were read. */
void late_validity_add_constants(struct str *out, const void *chunks, size_t len);

/* A number that changes when those that wait may be asked for again. */
uint64_t late_validity_version(struct late_validity *trust);

#endif
