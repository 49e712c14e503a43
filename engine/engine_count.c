#include "engine/engine_state.h"

#include "engine/base/clock.h"
#include "engine/filter/match.h"

/* Maximum time of one hold of the model's lock, whatever a test of a call costs. */
#define COUNT_NS (NS_PER_MS / 2)
/* Number of calls per clock read: reading the clock costs as much as testing a call. */
#define COUNT_CALLS 32

/* Count in one batch of calls. False: there are no older calls. Locked. */
static bool count_some(struct engine *e, uint64_t *seq, const struct filter *filter,
		       uint64_t *count, uint64_t *calls)
{
	struct history *history = model_history(e->model);
	struct filter_reader reader = match_reader(e->model, 0);
	struct call call;

	for (int i = 0; i < COUNT_CALLS; i++) {
		if (!*seq || !history_get(history, *seq - 1, &call))
			return false;
		--*seq;
		if (call.state == CALL_GAP)
			continue;
		reader.now_ns = call.enter_ns;
		++*calls;
		*count += filter_match(filter, &call, &reader);
	}
	return true;
}

bool engine_calls_count(struct engine *e, uint64_t *seq, const struct filter *filter,
			uint64_t *count, uint64_t *calls)
{
	uint64_t until_ns;
	bool more;

	if (!atomic_load(&e->ready))
		return false;
	collector_lock(e->collector);
	until_ns = clock_now_ns() + COUNT_NS;
	do
		more = count_some(e, seq, filter, count, calls);
	while (more && clock_now_ns() < until_ns);
	collector_unlock(e->collector);
	return more;
}
