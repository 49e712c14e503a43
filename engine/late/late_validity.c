#include "engine/late/late_validity.h"

#include "engine/base/clock.h"
#include "engine/decode/call_bytes.h"
#include "engine/record/capture_chunks.h"

#include <string.h>

/* Maximum number of results: more than late_thread caches. A discarded one is checked again. */
#define RETURNED_MAX 16384
/* Twice the collector's wait between two drains; only a quiet collector waits longer. */
#define AGAIN_NS (40 * NS_PER_MS)

enum { RETURNED_GOOD = 1, RETURNED_BAD };

void late_validity_release(struct late_validity *trust)
{
	idmap_release(&trust->returned);
}

static uint64_t key_of(const struct call *call)
{
	uint64_t key = (call->enter_ns ^ (uint64_t)call->tid << 40) * 0x9e3779b97f4a7c15ULL;

	return (key ^ key >> 29 ^ call->nr) | 1;
}

static enum late_answer wait(struct late_validity *trust)
{
	atomic_store(&trust->again_ns, clock_now_ns() + AGAIN_NS);
	return LATE_WAITS;
}

/* Chunks that were read while the call was in flight are valid if it ended later. */
static enum late_answer ask_in_flight(struct late_validity *trust, const struct model *model,
				      const struct call *call, uint64_t read_ns)
{
	if (call->state != CALL_IN_FLIGHT)
		return call->dur_ns >= 0 && call->state != CALL_LOST_EXIT &&
				       call->enter_ns + (uint64_t)call->dur_ns >= read_ns
			       ? LATE_GOOD
			       : LATE_BAD;
	if (model_fed_ns(model) < read_ns)
		return wait(trust);
	return model_call_age(model, call) == CALL_AGE_GOES_ON ? LATE_GOOD : LATE_BAD;
}

static enum late_answer ask_returned(struct late_validity *trust, const struct model *model,
				     const struct call *call, uint64_t read_ns, bool *news)
{
	uint64_t key = key_of(call);
	uintptr_t known = (uintptr_t)idmap_get(&trust->returned, key);

	if (known)
		return known == RETURNED_GOOD ? LATE_GOOD : LATE_BAD;
	if (model_fed_ns(model) < read_ns)
		return wait(trust);
	*news = model_call_age(model, call) == CALL_AGE_LAST;
	if (trust->returned.count >= RETURNED_MAX)
		idmap_clear(&trust->returned);
	idmap_put(&trust->returned, key, (void *)(uintptr_t)(*news ? RETURNED_GOOD : RETURNED_BAD));
	return *news ? LATE_GOOD : LATE_BAD;
}

enum late_answer late_validity_ask(struct late_validity *trust, struct model *model,
				   const struct call *call, bool in_flight,
				   const struct str *chunks, bool *news)
{
	uint64_t read_ns = capture_chunks_read_ns(chunks->data, chunks->len);

	*news = false;
	/* In recordings of older versions of stxtop, late reads have no timestamp. */
	if (!read_ns)
		return LATE_BAD;
	return in_flight ? ask_in_flight(trust, model, call, read_ns)
			 : ask_returned(trust, model, call, read_ns, news);
}

void late_validity_add_constants(struct str *out, const void *chunks, size_t len)
{
	struct capture_chunk chunk;
	const void *whole;
	size_t bytes;

	while ((whole = capture_chunks_next(&chunks, &len, &chunk, &bytes)))
		if (chunk.origin == BYTES_IMAGE)
			str_addn(out, whole, bytes);
}

uint64_t late_validity_version(struct late_validity *trust)
{
	uint64_t again_ns = atomic_load(&trust->again_ns);

	if (again_ns && clock_now_ns() >= again_ns &&
	    atomic_compare_exchange_strong(&trust->again_ns, &again_ns, 0))
		atomic_fetch_add(&trust->turns, 1);
	return atomic_load(&trust->turns);
}
